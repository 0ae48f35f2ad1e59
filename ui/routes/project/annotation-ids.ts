/** Annotations that have columns of tables: what columns are called, and what the browser keeps of names. */
import { readSort, type Sort } from '#ui/components/data-table/table-column.ts';

/** As many columns as a table may have for annotations. */
export const MAX_ANNOTATION_COLUMNS = 12;

/** What the column that counts notes is called in layouts and files. */
export const NOTES_COLUMN = 'notes';

/** The name that notes have among annotations. */
export const NOTE = 'note';

const ID_PREFIX = 'annotations.';
/** Saved views and addresses take no longer columns. */
const MAX_NAME_LENGTH = 150;

/** What a table knows of the annotations of its rows. */
export interface AnnotationNames {
  /** Those that have columns. */
  readonly names: readonly string[];
  readonly hasNotes: boolean;
}

/** What a column for annotations of a name is called in layouts and files. */
export function annotationColumnId(name: string): string {
  return ID_PREFIX + name;
}

/** The name whose annotations a column is about; undefined of the other columns. */
export function annotationOfColumn(id: string): string | undefined {
  return id.startsWith(ID_PREFIX) && id.length > ID_PREFIX.length ? id.slice(ID_PREFIX.length) : undefined;
}

/** What follows from the names that were observed. */
export function toAnnotationNames(observed: readonly string[]): AnnotationNames {
  return {
    names: observed.filter((name) => name !== NOTE && name.length <= MAX_NAME_LENGTH).slice(0, MAX_ANNOTATION_COLUMNS),
    hasNotes: observed.includes(NOTE),
  };
}

/** Names as the browser has kept them. */
export function readObservedNames(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return [...new Set(value.filter((name): name is string => typeof name === 'string' && name !== ''))];
}

/** The order that an address names: by one of the columns, or by annotations, whether or not their names are known yet. */
export function readRowSort(text: string | undefined, columns: readonly string[], initial: Sort): Sort {
  const column = text?.slice(0, text.lastIndexOf(':')) ?? '';
  return readSort(text, annotationOfColumn(column) === undefined ? columns : [column], initial);
}
