/** Spans whose rows are on damaged pages: what an index alone says of them. */
import { readAroundDamage, type ReadAround } from '../../engine/around-damage.ts';
import { type LostSpan, noteDamage, noteUnreadableSpans } from '../../engine/damage.ts';
import { isDamage } from '../../engine/storage-error.ts';
import type { ReadScope } from './read-scope.ts';

/** What lists read with. */
type Scope = Pick<ReadScope, 'db' | 'dialect'>;

/** The rows of the ids that can be read, and the names of the others, which are noted. Those that are gone are in neither. */
export async function readRowsAround<Row>(
  scope: Scope,
  rowIds: readonly number[],
  read: (rowIds: readonly number[]) => Promise<readonly Row[]>,
): Promise<{ readonly rows: readonly Row[]; readonly lost: readonly LostSpan[] }> {
  const around = await readAroundDamage(rowIds, read);
  return { rows: around.rows, lost: around.unreadable.length === 0 ? [] : await nameLost(scope, around) };
}

/** The rows that can be read, of these ids; the ids of the others are noted, and no index is read to name them. */
export async function readReadableRows<Row>(
  rowIds: readonly number[],
  read: (rowIds: readonly number[]) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const around = await readAroundDamage(rowIds, read);
  noteUnreadableSpans(around);
  return around.rows;
}

/** The sentence that names a span whose row cannot be read. */
export function describeLostRow({ traceId, spanId }: LostSpan): string {
  return `The stored row of span ${spanId} of trace ${traceId} is damaged (pages of the database).`;
}

/** Names that cannot be told are left out; the row ids are noted then. */
async function nameLost(scope: Scope, around: ReadAround<unknown>): Promise<readonly LostSpan[]> {
  try {
    const lost = await selectIdentities(scope, around.unreadable);
    for (const span of lost) {
      noteDamage({ kind: 'span', message: describeLostRow(span), spans: [span] });
    }
    if (lost.length < around.unreadable.length) noteUnreadableSpans(around);
    return lost;
  } catch (error) {
    if (!isDamage(error)) throw error;
    noteUnreadableSpans(around);
    return [];
  }
}

/** Index: spans_by_identity, all of it, and of traces that of their ids, all of it; no row. */
async function selectIdentities({ db, dialect }: Scope, rowIds: readonly number[]): Promise<readonly LostSpan[]> {
  const identities = await db
    .selectFrom('spans')
    .select(['trace_row_id', 'span_id as spanId'])
    .where('trace_row_id', '>', 0)
    .where(dialect.unindexed<number>('id'), 'in', dialect.numbersOf(rowIds))
    .execute();
  const traceRowIds = identities.map((row) => row.trace_row_id);
  const traces = await db
    .selectFrom('traces')
    .select(['id', 'trace_id'])
    // The row of the trace may be what cannot be read.
    .where('trace_id', '>', '')
    .where(dialect.unindexed<number>('id'), 'in', dialect.numbersOf(traceRowIds))
    .execute();
  const traceIds = new Map(traces.map((trace) => [trace.id, trace.trace_id]));
  return identities.flatMap(({ trace_row_id: traceRowId, spanId }) => {
    const traceId = traceIds.get(traceRowId);
    return traceId === undefined ? [] : [{ traceId, spanId }];
  });
}
