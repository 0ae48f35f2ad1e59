/** Narrow rows of spans, as far as they are kept column by column. */
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../schema/tables.ts';
import type { NumberColumn, TextColumn } from './batch.ts';

/** What is read of rows. */
export interface WantedColumns {
  readonly columns: readonly (NumberColumn | TextColumn)[];
  readonly hasAttributes: boolean;
}

/** A row, with a member for each column that was asked for. */
export type NarrowRow = { readonly id: number } & {
  readonly [Column in NumberColumn]?: number | null;
} & { readonly [Column in TextColumn]?: string | null } & AttributeMembers;

interface AttributeMembers {
  readonly attributes?: string | undefined;
  readonly omitted_attributes?: string | null | undefined;
  readonly attributes_cut?: number;
}

/** A query of narrow rows, which says where they are found; rows in the order of their ids. */
export function selectNarrowRows(db: Kysely<Tables>, { columns, hasAttributes }: WantedColumns) {
  const names = hasAttributes ? [...columns, ...ATTRIBUTE_COLUMNS] : columns;
  return db
    .selectFrom('spans')
    .select('spans.id')
    .select(
      [...new Set(names)].map((name) => (name === 'parent_state' ? PARENT_STATE : sql.ref(`spans.${name}`)).as(name)),
    )
    .orderBy('spans.id')
    .$castTo<NarrowRow>();
}

const ATTRIBUTE_COLUMNS = ['attributes', 'omitted_attributes', 'attributes_cut'] as const;

/** Index: spans_by_identity. A span that names itself has no parent, as for the root of a trace. */
const PARENT_STATE = sql<number>`CASE
  WHEN spans.parent_span_id IS NULL THEN 0
  WHEN EXISTS (SELECT 1 FROM spans AS parent WHERE parent.trace_row_id = spans.trace_row_id
    AND parent.span_id = spans.parent_span_id AND parent.id <> spans.id) THEN 1
  ELSE 2 END`;
