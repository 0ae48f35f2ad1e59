/** All names of a grain in one list, for completion by clients and for the documentation. */
import { CATALOGUES } from './catalogue/all.ts';
import type { CatalogueCollection, CatalogueField, FieldCategory } from './catalogue/catalogue.ts';
import { ELEMENTS } from './catalogue/elements.ts';
import { ANY_TEXTS } from './catalogue/session.ts';
import type { FilterGrain } from './tree.ts';

/** A name that filters of a grain can use. */
export interface VocabularyTerm {
  /** Of an element without its loop variable. */
  readonly name: string;
  readonly type: CatalogueField['type'] | 'collection' | 'annotation';
  readonly description: string;
  readonly category: FieldCategory;
  /** The collection whose elements have it; `null` for names of the row. */
  readonly iterableName: string | null;
}

/** Names of the row, its collections, and what elements of those have; attributes and annotations by name aside. */
export function filterVocabulary(grain: FilterGrain): readonly VocabularyTerm[] {
  const { fields, collections, annotations } = CATALOGUES[grain];
  const texts = grain === 'session' ? Object.entries(ANY_TEXTS) : [];
  return [
    ...fields.map((field) => fieldTerm(field, null)),
    ...texts.map(
      ([name, { description }]) =>
        ({ name, type: 'text', description, category: 'content', iterableName: null }) as const,
    ),
    ...Object.entries(annotations).map(([name, target]) =>
      annotationTerm(name, `annotations of the ${target} by name`),
    ),
    ...collections.map((collection) => collectionTerm(collection, null)),
    ...elementTerms(collections),
  ];
}

/** By collection, those of elements of elements too; a collection that several have is there once. */
function elementTerms(collections: readonly CatalogueCollection[]): readonly VocabularyTerm[] {
  const terms = new Map<string, readonly VocabularyTerm[]>();
  const queue = [...collections];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const { name, element } = next;
    if (terms.has(name)) continue;
    const { fields, collections: nested } = ELEMENTS[element];
    terms.set(name, [
      ...fields.map((field) => fieldTerm(field, name)),
      ...nested.map((collection) => collectionTerm(collection, name)),
    ]);
    queue.push(...nested);
  }
  return [...terms.values()].flat();
}

function fieldTerm({ name, type, description, category }: CatalogueField, iterableName: string | null): VocabularyTerm {
  return { name, type, description, category, iterableName };
}

function annotationTerm(name: string, description: string): VocabularyTerm {
  return { name, type: 'annotation', description, category: 'annotations', iterableName: null };
}

function collectionTerm(
  { name, description, category }: CatalogueCollection,
  iterableName: string | null,
): VocabularyTerm {
  return { name, type: 'collection', description, category, iterableName };
}
