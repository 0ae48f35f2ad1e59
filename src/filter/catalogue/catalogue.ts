/** What a filter of one grain can name. The files beside this one say what that is; docs/filter-language.md repeats them. */
import type { AnnotationName, FilterGrain } from '../tree.ts';

/** As what a value is compared; `any`: an attribute, which is what it is compared with. */
export type FieldType = 'text' | 'number' | 'date' | 'boolean' | 'any';

/** What a field is about, by which lists are grouped. */
export type FieldCategory =
  | 'identity'
  | 'structure'
  | 'time'
  | 'outcome'
  | 'content'
  | 'tokens'
  | 'cost'
  | 'annotations';

/** A name that has a value. */
export interface CatalogueField {
  readonly name: string;
  readonly type: FieldType;
  /** One phrase, without a full stop. */
  readonly description: string;
  readonly category: FieldCategory;
  /** Other ways to write the name. */
  readonly aliases?: readonly string[];
  /** All values there are, in upper case; literals are read in upper case too. */
  readonly values?: readonly string[];
  /** Where the value lies among the attributes; without it the field is the row's own. */
  readonly attributePath?: string;
}

/** A name that has elements. */
export interface CatalogueCollection {
  readonly name: string;
  readonly description: string;
  readonly category: FieldCategory;
  readonly element: ElementName;
}

/** What the elements of a collection are. */
export type ElementName = 'span' | 'trace' | 'rootSpan' | 'annotation' | 'documentAnnotation' | 'cost';

/** What can be named of an element. */
export interface ElementCatalogue {
  readonly name: ElementName;
  readonly fields: readonly CatalogueField[];
  readonly collections: readonly CatalogueCollection[];
  /** Whether `x.parent_span` leads to the stored parent. */
  readonly hasParent: boolean;
}

/** What can be named of a row. */
export interface GrainCatalogue {
  readonly grain: FilterGrain;
  readonly fields: readonly CatalogueField[];
  readonly collections: readonly CatalogueCollection[];
  /** By the name before the subscript, of which things annotations are. */
  readonly annotations: Readonly<Record<string, AnnotationName['target']>>;
  /** Whether names that are not listed are paths of attributes; otherwise they are faults. */
  readonly hasOpenNames: boolean;
  /** Whether `parent_span` can be asked for. */
  readonly hasParent: boolean;
}
