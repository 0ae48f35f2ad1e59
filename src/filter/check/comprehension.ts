/** Functions over the elements of a collection: `any(span.status_code == 'ERROR' for span in spans)`. */
import type { CallSyntax, ComprehensionSyntax } from '../syntax.ts';
import type { Condition, Iteration } from '../tree.ts';
import { TYPE_NAMES } from './type-names.ts';
import { joinConditions } from './join.ts';
import { nearestName } from './nearest-name.ts';
import type { Loop, Operand, Scope } from './scope.ts';
import { requireValue } from './value.ts';

/** Functions that are true or false. */
export type Quantifier = 'any' | 'all';

/** Functions that make a number, or a time, of many. */
export type Reduction = 'sum' | 'max' | 'min' | 'len';

export function isQuantifier(name: string): name is Quantifier {
  return name === 'any' || name === 'all';
}

export function isReduction(name: string): name is Reduction {
  return ['sum', 'max', 'min', 'len'].includes(name);
}

/** `any` and `all`; `undefined` where they are wrong, which is reported. */
export function checkQuantifier(scope: Scope, call: CallSyntax, quantifier: Quantifier): Operand | undefined {
  const loop = checkLoop(scope, call);
  if (loop === undefined) return undefined;
  const test = scope.check.condition(loop.scope, loop.syntax.element, false);
  if (test === undefined || loop.over === undefined) return undefined;
  const condition = { kind: 'quantifier', quantifier, isNegated: false, over: loop.over, test } as const;
  return { kind: 'condition', condition, start: call.start, end: call.end };
}

/** `sum`, `max`, `min` and `len`; `undefined` where they are wrong, which is reported. */
export function checkReduction(scope: Scope, call: CallSyntax, reduction: Reduction): Operand | undefined {
  const loop = checkLoop(scope, call);
  if (loop === undefined) return undefined;
  const { start, end } = call;
  if (reduction === 'len') {
    const isCounted = isListOfElements(scope, call, loop.syntax);
    if (!isCounted || loop.over === undefined) return undefined;
    return {
      kind: 'value',
      type: 'number',
      value: { kind: 'reduction', reduction, over: loop.over, value: null },
      start,
      end,
    };
  }
  const operand = scope.check.operand(loop.scope, loop.syntax.element);
  const value = operand === undefined ? undefined : requireValue(scope, operand);
  if (value === undefined || loop.over === undefined) return undefined;
  const { type } = value;
  if (type === 'number' || (type === 'date' && reduction !== 'sum')) {
    return {
      kind: 'value',
      type,
      value: { kind: 'reduction', reduction, over: loop.over, value: value.value },
      start,
      end,
    };
  }
  const wanted = reduction === 'sum' ? 'numbers' : 'numbers and times';
  const what = TYPE_NAMES[type];
  const message = `\`${reduction}\` is for ${wanted}, and ${scope.quote(value)} is ${what}`;
  scope.diagnostics.error('type_mismatch', value, message);
  return undefined;
}

/** `len` counts elements, so that its list holds them and nothing else. */
function isListOfElements(scope: Scope, call: CallSyntax, loop: ComprehensionSyntax): boolean {
  const { element, variable } = loop;
  const isElement = element.kind === 'path' && element.name === variable && element.steps.length === 0;
  if (isElement && loop.isList) return true;
  if (!isElement) {
    const message = `\`len\` counts elements: write \`${variable}\` instead of ${scope.quote(element)}`;
    scope.diagnostics.error('bad_comprehension', element, message, variable);
    return false;
  }
  const inner = scope.source(loop).replace(/^\((.*)\)$/s, '$1');
  const repair = `len([${inner}])`;
  scope.diagnostics.error('bad_comprehension', call, `\`len\` counts a list: write \`${repair}\``, repair);
  return false;
}

interface CheckedLoop {
  readonly syntax: ComprehensionSyntax;
  /** Inside the loop. */
  readonly scope: Scope;
  /** `undefined` where the condition behind `if` is wrong. */
  readonly over: Iteration | undefined;
}

function checkLoop(scope: Scope, call: CallSyntax): CheckedLoop | undefined {
  const [syntax, extra] = call.args;
  if (syntax?.kind === 'invalid') return undefined;
  if (syntax?.kind !== 'comprehension' || extra !== undefined) return reportNoLoop(scope, call);
  const collection = checkCollection(scope, syntax);
  if (collection === undefined) return undefined;
  const inside = scope.within(syntax.variable, collection.element);
  const checked = syntax.where.map((condition) => scope.check.condition(inside, condition, false));
  const conditions = checked.filter((condition): condition is Condition => condition !== undefined);
  const where = conditions.length === 0 ? null : joinConditions('and', conditions);
  const { name, of } = collection;
  const isWhole = conditions.length === checked.length;
  const over = isWhole ? { collection: name, of, variable: syntax.variable, where } : undefined;
  return { syntax, scope: inside, over };
}

function checkCollection(
  scope: Scope,
  { iterable }: ComprehensionSyntax,
): Extract<Operand, { kind: 'collection' }> | undefined {
  const known = collectionNames(scope);
  // A name that is no collection would be told as any other; here it is known what was wanted.
  const plainName = iterable.kind === 'path' ? scope.source(iterable) : undefined;
  if (plainName !== undefined && !known.includes(plainName)) {
    const nearest = nearestName(plainName, known);
    const advice = nearest === undefined ? `there are ${known.join(', ')}` : `did you mean \`${nearest}\`?`;
    const message = `${scope.quote(iterable)} is not a collection: ${advice}`;
    scope.diagnostics.error('bad_comprehension', iterable, message, nearest);
    return undefined;
  }
  const operand = scope.check.operand(scope, iterable);
  if (operand === undefined || operand.kind === 'collection') return operand;
  const message = `${scope.quote(iterable)} is not a collection: there are ${known.join(', ')}`;
  scope.diagnostics.error('bad_comprehension', iterable, message);
  return undefined;
}

/** Those that can be walked through at the place. */
function collectionNames({ catalogue, loop }: Scope): readonly string[] {
  const names = loop === null ? catalogue.collections.map(({ name }) => name) : [];
  for (let around: Loop | null = loop; around !== null; around = around.outer) {
    const { variable, element } = around;
    names.push(...element.collections.map(({ name }) => `${variable}.${name}`));
  }
  return names;
}

function reportNoLoop(scope: Scope, call: CallSyntax): undefined {
  const [first] = call.args;
  const collections = collectionNames(scope);
  const given = first === undefined ? '' : scope.source(first);
  const collection = collections.includes(given) ? given : (collections[0] ?? 'spans');
  const loop = `${call.name === 'len' ? 'x' : 'x.…'} for x in ${collection}`;
  const example = `${call.name}(${call.name === 'len' ? `[${loop}]` : loop})`;
  const repair = call.name === 'len' && collection === given ? example : undefined;
  scope.diagnostics.error('bad_comprehension', call, `\`${call.name}\` needs a loop: write \`${example}\``, repair);
}
