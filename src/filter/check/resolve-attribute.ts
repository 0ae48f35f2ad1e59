/** The dotted path of an attribute from the ways to write one. */
import type { PathStep, PathSyntax, Syntax } from '../syntax.ts';
import type { Operand, Scope } from './scope.ts';

/**
 * The attribute that the steps behind a name lead to: `['llm']['model_name']`, `['llm.model_name']`,
 * `[['llm', 'model_name']]`, `[0]` and `.name`, in any order. `undefined` where a step is none, which is reported.
 */
export function resolveAttribute(
  scope: Scope,
  prefix: readonly string[],
  { steps, start, end }: PathSyntax,
): Operand | undefined {
  const segments = [...prefix];
  for (const step of steps) {
    const found = segmentsOf(scope, step);
    if (found === undefined) return undefined;
    segments.push(...found);
  }
  const path = segments.join('.');
  const field = scope.catalogue.fields.find(({ attributePath }) => attributePath === path);
  const known = field === undefined ? { type: 'any' as const } : { type: field.type, field };
  return { kind: 'value', ...known, value: { kind: 'attribute', path, of: null }, start, end };
}

function segmentsOf(scope: Scope, step: PathStep): readonly string[] | undefined {
  if (step.kind === 'member') return [step.name];
  if (step.kind === 'place') return [step.place];
  const keys = step.key.kind === 'list' ? step.key.items : [step.key];
  const segments = keys.map(keyOf).filter((segment) => segment !== undefined);
  if (segments.length > 0 && segments.length === keys.length) return segments;
  if (step.key.kind === 'invalid') return undefined;
  const message = `${scope.quote(step)} is not a key: write a text, such as \`['key']\`, or a list index, such as \`[0]\``;
  scope.diagnostics.error('not_a_value', step, message);
  return undefined;
}

function keyOf(key: Syntax): string | undefined {
  if (key.kind !== 'literal') return undefined;
  const { literal } = key;
  if (literal.type === 'text') return literal.value === '' ? undefined : literal.value;
  return literal.type === 'number' && /^\d{1,9}$/.test(literal.text) ? literal.text : undefined;
}
