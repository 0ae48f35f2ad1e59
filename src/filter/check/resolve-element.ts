/** What hangs on a loop variable: fields of the element, of its parent, and its own collections. */
import { findField, namesOf } from '../catalogue/all.ts';
import type { CatalogueField, ElementCatalogue } from '../catalogue/catalogue.ts';
import { ELEMENTS } from '../catalogue/elements.ts';
import type { Range } from '../diagnostic.ts';
import type { PathStep, PathSyntax } from '../syntax.ts';
import { nearestName } from './nearest-name.ts';
import type { Loop, Operand, PlacedValue, Scope } from './scope.ts';

/** A field of the row. */
export function fieldOperand(field: CatalogueField, { start, end }: Range): PlacedValue {
  const { name, type, attributePath } = field;
  const value =
    attributePath === undefined
      ? ({ kind: 'field', name, of: null, isOfParent: false } as const)
      : ({ kind: 'attribute', path: attributePath, of: null } as const);
  return { kind: 'value', type, field, value, start, end };
}

/** What the path behind a loop variable stands for; `undefined` where that is nothing, which is reported. */
export function resolveElement(scope: Scope, loop: Loop, path: PathSyntax): Operand | undefined {
  const { start, end, steps } = path;
  const { element, variable } = loop;
  const [first, ...rest] = steps;
  if (first === undefined) {
    const fields = element.fields.map(({ name }) => name);
    const message = `\`${variable}\` is an element: compare one of its fields, as \`${variable}.${fields[0] ?? 'name'}\``;
    scope.diagnostics.error('not_a_value', path, message);
    return undefined;
  }
  if (first.kind !== 'member') return reportStep(scope, loop, first, path);
  if (first.name === 'parent_span' && element.hasParent) {
    const [member, ...more] = rest;
    if (member === undefined) return { kind: 'parent', of: variable, start, end };
    return resolveField(scope, loop, member, more, path, true);
  }
  const collection = element.collections.find(({ name }) => name === first.name);
  if (collection === undefined) return resolveField(scope, loop, first, rest, path, false);
  const [extra] = rest;
  if (extra !== undefined) return reportStep(scope, loop, extra, path);
  return { kind: 'collection', name: collection.name, of: variable, element: ELEMENTS[collection.element], start, end };
}

function resolveField(
  scope: Scope,
  loop: Loop,
  step: PathStep,
  rest: readonly PathStep[],
  path: PathSyntax,
  isOfParent: boolean,
): Operand | undefined {
  const field = step.kind === 'member' ? findField(loop.element.fields, step.name) : undefined;
  const [extra] = rest;
  if (field === undefined) return reportStep(scope, loop, step, path);
  if (extra !== undefined) return reportStep(scope, loop, extra, path);
  const value = { kind: 'field', name: field.name, of: loop.variable, isOfParent } as const;
  return { kind: 'value', type: field.type, field, value, start: path.start, end: path.end };
}

function reportStep(scope: Scope, { element, variable }: Loop, step: PathStep, path: PathSyntax): undefined {
  const before = scope.quote({ start: path.start, end: step.start });
  const isNested = element.collections.some(
    ({ name }) => scope.source({ start: path.start, end: step.start }) === `${variable}.${name}`,
  );
  if (isNested) {
    const message = `${before} is a collection: write \`any(x.… for x in ${variable}.…)\``;
    scope.diagnostics.error('not_a_value', step, message);
    return;
  }
  const first = path.steps[0];
  const isOfParent = first?.kind === 'member' && first.name === 'parent_span';
  if (path.steps.indexOf(step) > (isOfParent ? 1 : 0)) {
    scope.diagnostics.error('unknown_name', step, `${before} has no ${scope.quote(step)}: remove it`, '');
    return;
  }
  const names = elementNames(element);
  const nearest = step.kind === 'member' ? nearestName(step.name, names) : undefined;
  const advice = nearest === undefined ? `it has ${names.join(', ')}` : `did you mean \`.${nearest}\`?`;
  const repair = nearest === undefined ? undefined : `.${nearest}`;
  scope.diagnostics.error('unknown_name', step, `${before} has no ${scope.quote(step)}: ${advice}`, repair);
}

/** All that can follow a loop variable. */
export function elementNames({ fields, collections, hasParent }: ElementCatalogue): readonly string[] {
  return [...namesOf(fields), ...collections.map(({ name }) => name), ...(hasParent ? ['parent_span'] : [])];
}
