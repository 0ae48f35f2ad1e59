/** How long sessions last, of how many turns they are, and what lies between those. */
import { type RawBuilder, sql } from 'kysely';
import type { ReadScope } from '../spans/rows/read-scope.ts';
import type { SessionLengths, SessionRange, TurnGaps } from './port.ts';

/** By project row id; projects without sessions in the range are left out. Index: sessions_by_arrival. */
export async function readSessionLengths(
  { db, dialect }: ReadScope,
  projectRowIds: readonly number[],
  range: SessionRange,
): Promise<ReadonlyMap<number, SessionLengths>> {
  const { rows } = await sql<SessionLengths & { readonly rowId: number }>`
    SELECT project_id AS "rowId", avg(end_us - start_us) AS "averageUs", avg(trace_count) AS "averageTraceCount"
    FROM sessions WHERE project_id IN ${dialect.numbersOf(projectRowIds)} AND ${overlaps(range)}
    GROUP BY project_id`.execute(db);
  return new Map(rows.map(({ rowId, ...lengths }) => [rowId, lengths]));
}

/** By project row id, in microseconds. Index: sessions_by_arrival. */
export async function readSessionQuantiles(
  { db, dialect }: ReadScope,
  projectRowIds: readonly number[],
  range: SessionRange,
  probability: number,
): Promise<ReadonlyMap<number, number>> {
  const { rows } = await sql<{ readonly rowId: number; readonly quantileUs: number }>`
    SELECT project_id AS "rowId", ${dialect.quantile(sql<number>`end_us - start_us`, probability)} AS "quantileUs"
    FROM sessions WHERE project_id IN ${dialect.numbersOf(projectRowIds)} AND ${overlaps(range)}
    GROUP BY project_id`.execute(db);
  return new Map(rows.map(({ rowId, quantileUs }) => [rowId, quantileUs]));
}

/** By session row id; sessions of one turn are left out. Index: traces_of_session. */
export async function readTurnGaps(
  { db, dialect }: ReadScope,
  sessionRowIds: readonly number[],
): Promise<ReadonlyMap<number, TurnGaps>> {
  const waited = dialect.greatest(sql<number>`start_us - max(end_us) OVER earlier`, sql.lit(0));
  const { rows } = await sql<TurnGaps & { readonly rowId: number }>`
    SELECT "rowId", avg(gap) AS "averageUs", ${dialect.quantile(sql<number>`gap`, 0.5)} AS "medianUs", max(gap) AS "longestUs"
    FROM (SELECT session_row_id AS "rowId", ${waited} AS gap FROM traces
      WHERE session_row_id IN ${dialect.numbersOf(sessionRowIds)}
      WINDOW earlier AS (PARTITION BY session_row_id ORDER BY start_us, id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)) AS turns
    WHERE gap IS NOT NULL GROUP BY "rowId"`.execute(db);
  return new Map(rows.map(({ rowId, ...gaps }) => [rowId, gaps]));
}

function overlaps(range: SessionRange): RawBuilder<boolean> {
  return sql`end_us >= ${range.startTimeUs ?? Number.MIN_SAFE_INTEGER} AND start_us < ${range.endTimeUs ?? Number.MAX_SAFE_INTEGER}`;
}
