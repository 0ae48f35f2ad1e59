/** What a name stands for: a field, an attribute, an annotation, a collection, or the parent. */
import { findField } from '../catalogue/all.ts';
import { ELEMENTS } from '../catalogue/elements.ts';
import { ANY_TEXTS } from '../catalogue/session.ts';
import { own } from '../own.ts';
import type { PathSyntax } from '../syntax.ts';
import { dottedName, isLookAlike, reportDoubtful, reportUnknown } from './report-name.ts';
import { resolveAnnotation } from './resolve-annotation.ts';
import { resolveAttribute } from './resolve-attribute.ts';
import { fieldOperand, resolveElement } from './resolve-element.ts';
import type { Operand, Scope } from './scope.ts';

/** What the path stands for at the place; `undefined` where that is nothing, which is reported. */
export function resolveName(scope: Scope, path: PathSyntax): Operand | undefined {
  for (let loop = scope.loop; loop !== null; loop = loop.outer) {
    if (loop.variable === path.name) return resolveElement(scope, loop, path);
  }
  return scope.loop === null ? resolveOfRow(scope, path) : reportUnknown(scope, path);
}

function resolveOfRow(scope: Scope, path: PathSyntax): Operand | undefined {
  const { catalogue } = scope;
  const { name, steps } = path;
  const field = findField(catalogue.fields, dottedName(path) ?? '');
  if (field !== undefined) return fieldOperand(field, path);
  const plain = steps.length === 0 ? resolvePlain(scope, path) : undefined;
  if (plain !== undefined) return plain;
  if (name === 'attributes' && steps.length > 0) return resolveAttribute(scope, [], path);
  if (name === 'metadata') return resolveAttribute(scope, [name], path);
  const target = own(catalogue.annotations, name);
  if (target !== undefined) return resolveAnnotation(scope, target, path);
  const isOpen = catalogue.hasOpenNames && name !== 'attributes' && name !== 'parent_span';
  if (!isOpen || isLookAlike(scope, path)) return reportUnknown(scope, path);
  reportDoubtful(scope, path);
  return resolveAttribute(scope, [name], path);
}

function resolvePlain({ catalogue }: Scope, { name, start, end }: PathSyntax): Operand | undefined {
  if (name === 'parent_span' && catalogue.hasParent) return { kind: 'parent', of: null, start, end };
  const collection = catalogue.collections.find((candidate) => candidate.name === name);
  if (collection !== undefined) {
    return { kind: 'collection', name, of: null, element: ELEMENTS[collection.element], start, end };
  }
  const anyText = catalogue.grain === 'session' ? own(ANY_TEXTS, name) : undefined;
  return anyText === undefined ? undefined : { kind: 'anyText', name, field: anyText.field, start, end };
}
