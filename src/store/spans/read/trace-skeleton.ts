/** What the tree of a trace needs of its spans, column by column: fifty thousand spans in one answer. */
import { type SqlBool, sql } from 'kysely';
import { SPAN_KINDS, SPAN_STATUS_CODES } from '#domain/span';
import { isDamage } from '../../engine/storage-error.ts';
import type { SkeletonPage, SkeletonPosition, SkeletonRequest } from '../browse-port.ts';
import type { ReadScope } from '../rows/read-scope.ts';
import { readRowsAround } from '../rows/unreadable-rows.ts';

/** What a page has of each span; every column is a JSON list that the engine writes. */
const COLUMNS = {
  rowIds: 'id',
  spanIds: 'span_id',
  parentIds: 'parent_span_id',
  names: 'name',
  kinds: 'kind',
  statusCodes: 'status',
  startTimesUs: 'start_us',
  endTimesUs: 'end_us',
  tokenCounts: 'total_tokens',
  countedPromptTokens: 'counted_prompt_tokens',
  countedCompletionTokens: 'counted_completion_tokens',
  costsNanoUsd: 'counted_cost_nanousd',
  modelNames: 'model_name',
} as const;

/** What kinds and status codes are places in. */
const NAMES = `"kindNames":${JSON.stringify(SPAN_KINDS)},"statusNames":${JSON.stringify(SPAN_STATUS_CODES)}`;

/**
 * Spans of a trace, earliest start first. Index: spans_of_trace. The engine makes the text, since to make it of a row for
 * each span takes longer.
 */
export async function readTraceSkeleton(
  scope: ReadScope,
  traceRowId: number,
  { limit, after }: SkeletonRequest,
): Promise<SkeletonPage> {
  const members = await collectLists(scope, traceRowId, { limit, after }).catch((error: unknown) => {
    if (!isDamage(error)) throw error;
    return collectAround(scope, traceRowId, { limit, after });
  });
  const last = await selectAfter(scope, traceRowId, after)
    .select(['start_us as startTimeUs', 'id as rowId'])
    .offset(limit - 1)
    .limit(1)
    .executeTakeFirst();
  return { columns: `{${members.join(',')},${NAMES}}`, next: last ?? null };
}

async function collectLists(
  scope: ReadScope,
  traceRowId: number,
  { limit, after }: SkeletonRequest,
): Promise<readonly string[]> {
  const page = selectAfter(scope, traceRowId, after).select(Object.values(COLUMNS)).limit(limit).as('page');
  const lists = Object.entries(COLUMNS).map(([name, column]) => scope.dialect.collect(sql.ref(column)).as(name));
  const row = await scope.db.selectFrom(page).select(lists).executeTakeFirstOrThrow();
  return Object.entries(row).map(([name, list]) => `"${name}":${list}`);
}

/** The same of the spans whose rows can be read; the others are noted. Index: spans_of_trace alone. */
async function collectAround(
  scope: ReadScope,
  traceRowId: number,
  { limit, after }: SkeletonRequest,
): Promise<readonly string[]> {
  const places = await selectAfter(scope, traceRowId, after).select('id').limit(limit).execute();
  const { rows } = await readRowsAround(
    scope,
    places.map(({ id }) => id),
    (rowIds) =>
      scope.db
        .selectFrom('spans')
        .select(Object.values(COLUMNS))
        .where('id', 'in', scope.dialect.numbersOf(rowIds))
        .orderBy('start_us')
        .orderBy('id')
        .execute(),
  );
  return Object.entries(COLUMNS).map(([name, column]) => `"${name}":${JSON.stringify(rows.map((row) => row[column]))}`);
}

/** Spans of a trace behind a position, earliest start first. */
export function selectAfter({ db }: ReadScope, traceRowId: number, after: SkeletonPosition | null) {
  const query = db.selectFrom('spans').where('trace_row_id', '=', traceRowId).orderBy('start_us').orderBy('id');
  if (after === null) return query;
  return query.where(sql<SqlBool>`(start_us, id) > (${after.startTimeUs}, ${after.rowId})`);
}
