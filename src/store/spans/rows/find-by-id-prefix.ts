/**
 * Traces, spans and sessions by the beginning of their id, as tables show it. Each looks at a range of an index of ids, so that
 * it costs as much as finding one by its whole id.
 */
import { sql } from 'kysely';
import type { SessionRow, TraceRow } from '../port.ts';
import type { SpanTableRow } from '../browse-port.ts';
import type { ReadScope } from './read-scope.ts';
import { partOf } from './rows-by-otel-id.ts';
import { selectSessionRows, toSessionRow } from './session-rows.ts';
import { selectTableRows, toTableRow } from './span-table.ts';
import { selectTraceRows, toTraceRow } from './trace-rows.ts';
import { isInProject } from './visible.ts';

/** Traces by the text of their id. Index: unique trace_id. */
export async function findTracesByIdPrefix(
  { db }: ReadScope,
  prefix: string,
  limit: number,
): Promise<readonly TraceRow[]> {
  const rows = await selectTraceRows(db)
    .where('traces.trace_id', '>=', prefix)
    .where('traces.trace_id', '<', afterPrefix(prefix))
    .where(isInProject('traces'))
    .orderBy('traces.trace_id')
    .limit(limit)
    .execute();
  return rows.map(toTraceRow);
}

/** Sessions by their text. Index: sessions_by_text. */
export async function findSessionsByIdPrefix(
  { db }: ReadScope,
  prefix: string,
  limit: number,
): Promise<readonly SessionRow[]> {
  const rows = await selectSessionRows(db)
    .where('session_id', '>=', prefix)
    .where('session_id', '<', afterPrefix(prefix))
    .where(isInProject('sessions'))
    .orderBy('session_id')
    .limit(limit)
    .execute();
  return rows.map(toSessionRow);
}

/** Spans by the text of their id, the newest first. Index: spans_by_otel_id, once in each of its parts. */
export async function findSpansByIdPrefix(
  { db }: ReadScope,
  prefix: string,
  limit: number,
): Promise<readonly SpanTableRow[]> {
  const rows = await selectTableRows(db)
    .where(
      'spans.id',
      'in',
      sql<number>`(
        WITH RECURSIVE part(number) AS (
          SELECT ${partOf('newest.id')} FROM (SELECT max(id) AS id FROM spans) AS newest
          UNION ALL SELECT number - 1 FROM part WHERE number > 0
        )
        SELECT named.id FROM part CROSS JOIN spans AS named
        WHERE ${partOf('named.id')} = part.number
        AND named.span_id >= ${prefix} AND named.span_id < ${afterPrefix(prefix)}
        LIMIT ${MAX_CANDIDATES}
      )`,
    )
    .orderBy('spans.id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(toTableRow);
}

/** Of a prefix that says little many spans have it; no more of them are looked at. */
const MAX_CANDIDATES = 100;

/** The least text after all that begin so. */
function afterPrefix(prefix: string): string {
  const characters = Array.from(prefix);
  const last = characters.pop()?.codePointAt(0) ?? 0;
  return characters.join('') + String.fromCodePoint(Math.min(last + 1, LAST_CODE_POINT));
}

const LAST_CODE_POINT = 0x10_ff_ff;
