/** Rows in the order of what their annotations of one name say, a step at a time. */
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { AnnotationSort, ValuePlace } from '#domain/annotation-page';
import type { FilterGrain } from '#filter/tree';
import type { Tables } from '../schema/tables.ts';

/** Which rows, in which order. */
export interface AnnotationSteps {
  readonly target: FilterGrain;
  readonly sort: AnnotationSort;
  readonly direction: 'asc' | 'desc';
  /** Those of a project, or the spans of a trace. */
  readonly within: { readonly projectRowId: number } | { readonly traceRowId: number };
}

/** So many rows after a place; they need not exist any more. Index: annotations_of_name. */
export async function readAnnotationStep(
  db: Kysely<Tables>,
  { target, sort, direction, within }: AnnotationSteps,
  after: ValuePlace | null,
  limit: number,
): Promise<readonly ValuePlace[]> {
  const value: RawBuilder<number | string> = sort.by === 'score' ? sql`avg(score)` : sql`min(label)`;
  let query = db
    .selectFrom('annotations')
    .select(['target_row_id as rowId', value.as('value')])
    .where('target', '=', target)
    .where('name', '=', sort.name)
    .where(sort.by, 'is not', null)
    .groupBy('target_row_id');
  if ('projectRowId' in within) query = query.where('project_id', '=', within.projectRowId);
  else {
    const ofTrace = db.selectFrom('spans').select('id').where('trace_row_id', '=', within.traceRowId);
    query = query.where('target_row_id', 'in', ofTrace);
  }
  if (after !== null) {
    const beyond = sql.raw(direction === 'asc' ? '>' : '<');
    query = query.having(sql<SqlBool>`(${value}, target_row_id) ${beyond} (${after.value}, ${after.rowId})`);
  }
  return query.orderBy(value, direction).orderBy('target_row_id', direction).limit(limit).execute();
}
