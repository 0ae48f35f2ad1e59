/** What rows are asked for besides the columns that every table has. */
import { annotationOfColumn, NOTES_COLUMN } from '../annotation-ids.ts';
import { pathOfColumn } from '../attribute-ids.ts';

/** See the file. */
export interface AskedColumns {
  /** Attributes. */
  readonly paths: readonly string[];
  /** Whether summaries of annotations are. */
  readonly annotated: boolean;
  /** Whether notes are. */
  readonly noted: boolean;
}

/** What columns need. */
export function askedOf(columns: readonly string[]): AskedColumns {
  return {
    paths: columns.flatMap((id) => pathOfColumn(id) ?? []),
    annotated: columns.some((id) => annotationOfColumn(id) !== undefined),
    noted: columns.includes(NOTES_COLUMN),
  };
}
