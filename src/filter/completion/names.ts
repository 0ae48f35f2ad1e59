/** Names that a filter can use at the cursor, with what is known about them. */
import { CATALOGUES } from '../catalogue/all.ts';
import { ANNOTATION_FIELDS } from '../catalogue/annotation.ts';
import type { CatalogueField, ElementCatalogue, FieldType } from '../catalogue/catalogue.ts';
import { ELEMENTS } from '../catalogue/elements.ts';
import { ANY_TEXTS } from '../catalogue/session.ts';
import type { FilterGrain } from '../tree.ts';
import type { ContextLoop } from './cursor-context.ts';

/** The elements of the loops around the cursor, by variable, the innermost first. */
export function elementsOf(grain: FilterGrain, loops: readonly ContextLoop[]): ReadonlyMap<string, ElementCatalogue> {
  const known = new Map<string, ElementCatalogue>();
  // Outer loops first, since inner ones may walk through their elements.
  for (const { variable, collection } of loops.toReversed()) {
    const [first = '', second] = collection.split('.');
    const owner = second === undefined ? CATALOGUES[grain] : known.get(first);
    const found = owner?.collections.find(({ name }) => name === (second ?? first));
    if (found !== undefined) known.set(variable, ELEMENTS[found.element]);
  }
  return new Map([...known].toReversed());
}

/** The field that a path as it is written stands for. */
export function fieldOf(
  grain: FilterGrain,
  elements: ReadonlyMap<string, ElementCatalogue>,
  path: string,
): CatalogueField | undefined {
  const [first = '', ...rest] = path.split('.');
  const element = elements.get(first);
  if (element === undefined) {
    return CATALOGUES[grain].fields.find(({ name, aliases }) => name === path || (aliases?.includes(path) ?? false));
  }
  const name = rest.at(-1);
  return element.fields.find((field) => field.name === name);
}

/** What a path as it is written stands for, where that is a field of an annotation. */
export function annotationMember(path: string): CatalogueField | undefined {
  const name = /^(?:\w*annotations|evals)\[.*\]\.(\w+)$/.exec(path)?.[1];
  return ANNOTATION_FIELDS.find((field) => field.name === name);
}

/** As what a path is compared; `undefined` where it is nothing that can be compared. */
export function typeOf(
  grain: FilterGrain,
  elements: ReadonlyMap<string, ElementCatalogue>,
  path: string,
): FieldType | 'parent' | 'annotation' | 'texts' | undefined {
  const member = annotationMember(path);
  if (member !== undefined) return member.type;
  if (/^\w*annotations\[|^evals\[/.test(path)) return 'annotation';
  if (/(?:^|\.)parent_span$/.test(path)) return 'parent';
  if (/^(?:sum|max|min|len|float|int)\(|^-?[\d.]/.test(path)) return 'number';
  if (/^str\(|^['"]/.test(path)) return 'text';
  if (grain === 'session' && Object.hasOwn(ANY_TEXTS, path)) return 'texts';
  const field = fieldOf(grain, elements, path);
  if (field !== undefined) return field.type;
  const isAttribute = CATALOGUES[grain].hasOpenNames || /^(?:attributes|metadata)\b/.test(path);
  return isAttribute && elements.size === 0 ? 'any' : undefined;
}
