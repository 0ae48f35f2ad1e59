/** Reads of the writer: which stored model calls decide what counts of those that arrive. */
import { type RawBuilder, sql } from 'kysely';
import { CLAIMS, SAME_CALL_WINDOW_US } from '#derive/usage';
import { prepareQuery, type QueryScope } from '../../queries/prepared-query.ts';
import { idsOfTracesJson, type IdsOfTraces, KNOWN_COLUMNS, type KnownSpan, toKnownSpan } from './stored-trace.ts';

/** The least distance among the children of each span, by row id of the trace and span id; no entry without one. */
export type LeastDistances = ReadonlyMap<number, ReadonlyMap<string, number>>;

/**
 * The least distance among the stored children of each span, apart from some. However many children there are, one entry
 * of the index says it. Index: spans_near_calls.
 */
export async function loadLeastDistances(
  scope: QueryScope,
  parentSpanIds: IdsOfTraces,
  exceptRowIds: readonly number[],
): Promise<LeastDistances> {
  const least = new Map<number, Map<string, number>>();
  if (parentSpanIds.size === 0) return least;
  const values = { parentSpanIds: idsOfTracesJson(parentSpanIds), exceptRowIds: JSON.stringify(exceptRowIds) };
  for (const { traceRowId, spanId, distance } of await selectLeastDistances(scope, values)) {
    if (distance === null) continue;
    const ofTrace = least.get(traceRowId) ?? new Map<string, number>();
    least.set(traceRowId, ofTrace.set(spanId, distance));
  }
  return least;
}

interface Parents {
  readonly parentSpanIds: string;
  readonly exceptRowIds: string;
}

const selectLeastDistances = prepareQuery(({ db, dialect }, values: Parents) =>
  db.selectFrom(dialect.idsByNumber(values.parentSpanIds).as('parent')).select([
    'parent.number as traceRowId',
    'parent.id as spanId',
    sql<number | null>`(SELECT child.call_distance FROM spans AS child
      WHERE child.trace_row_id = parent.number AND child.parent_span_id = parent.id
        AND child.call_distance IS NOT NULL AND child.id NOT IN ${dialect.numbersOfJson(values.exceptRowIds)}
      ORDER BY child.call_distance LIMIT 1)`.as('distance'),
  ]),
);

/** A place among the model calls of a project that answer with one response id: by start, then row id. */
export interface CallPlace {
  readonly projectId: number;
  readonly responseKey: number;
  readonly startUs: number;
  readonly rowId: number;
}

/**
 * The stored calls right before and right after each place, apart from some, of those that claim and wrap nothing: as far
 * as they start in the same part of time or the one beside it, so none is missed that could be the same call.
 * Index: calls_by_response.
 */
export async function loadCallsAround(
  scope: QueryScope,
  places: readonly CallPlace[],
  exceptRowIds: readonly number[],
): Promise<readonly KnownSpan[]> {
  if (places.length === 0) return [];
  const tuples = places.map((place) => [place.projectId, place.responseKey, place.startUs, place.rowId]);
  const values = { places: JSON.stringify(tuples), exceptRowIds: JSON.stringify(exceptRowIds) };
  return (await selectCallsAround(scope, values)).map(toKnownSpan);
}

interface Places {
  readonly places: string;
  readonly exceptRowIds: string;
}

/** The bits of a start that tell its place in its part of time. */
const PART_BITS = Math.log2(SAME_CALL_WINDOW_US);

const PLACE = { project_id: 'number', response_key: 'number', start_us: 'number', id: 'number' } as const;

const selectCallsAround = prepareQuery(({ db, dialect }, values: Places) => {
  const partOf = (start: RawBuilder<unknown>) => sql`(${start} >> ${sql.lit(PART_BITS)})`;
  const nearest = (part: RawBuilder<unknown>, operator: '<' | '>') => {
    const order = operator === '<' ? sql`DESC` : sql`ASC`;
    return sql`(SELECT call.id FROM spans AS call
      WHERE ${partOf(sql`call.start_us`)} = ${part} AND call.response_key = place.response_key
        AND call.project_id = place.project_id AND call.call_distance = ${sql.lit(CLAIMS)}
        AND (call.start_us, call.id) ${sql.raw(operator)} (place.start_us, place.id)
        AND call.id NOT IN ${dialect.numbersOfJson(values.exceptRowIds)}
      ORDER BY call.start_us ${order}, call.id ${order} LIMIT 1)`;
  };
  const own = partOf(sql`place.start_us`);
  const places = sql`${dialect.tuplesOfJson(values.places, PLACE)} AS place`;
  const around = sql`(SELECT coalesce(${nearest(own, '<')}, ${nearest(sql`${own} - 1`, '<')}) FROM ${places}
    UNION ALL SELECT coalesce(${nearest(own, '>')}, ${nearest(sql`${own} + 1`, '>')}) FROM ${places})`;
  return db
    .selectFrom('spans')
    .select(KNOWN_COLUMNS)
    .where('spans.id', 'in', around as never);
});
