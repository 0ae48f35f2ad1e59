/**
 * What records that hang on traces, spans or sessions hear of them. No foreign key connects the two: spans are too many to look keys
 * up for each. A slice gives its hooks to the writer, which runs them in the transaction that erases or moves.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { SqlDialect } from '../dialect/dialect.ts';
import type { Tables } from '../schema/tables.ts';

/** What a hook works with; the handle is that of the transaction. */
export interface RecordHandle {
  readonly db: Kysely<Tables>;
  readonly dialect: SqlDialect;
}

/** Rows that go, a bounded number of each kind. All spans of a trace are named, in this call or in others. */
export interface ErasedTelemetry {
  readonly traceRowIds: readonly number[];
  readonly spanRowIds: readonly number[];
  readonly sessionRowIds: readonly number[];
}

/** Rows that are in another project, a bounded number of each kind; their columns say in which. */
export interface MovedTelemetry {
  readonly traceRowIds: readonly number[];
  /** Spans follow their trace some time after it. */
  readonly spanRowIds: readonly number[];
  readonly sessions: readonly JoinedSession[];
}

/** A session that ends because its last trace is in another session, which takes over what was said of it. */
export interface JoinedSession {
  readonly rowId: number;
  readonly intoRowId: number;
}

/** What a slice does with its records. A call whose transaction fails is repeated. */
export interface RecordHooks {
  /** The rows are still there. */
  onErased(scope: RecordHandle, erased: ErasedTelemetry): Promise<void>;
  /** The rows are in their new place; a session that ends is still there. */
  onMoved(scope: RecordHandle, moved: MovedTelemetry): Promise<void>;
}

/** What erasing and moving tell of. */
export interface HookScope extends RecordHandle {
  readonly hooks: readonly RecordHooks[];
}

/** Of each kind of rows, in one call of a hook. */
const MOST_AT_ONCE = 500;

/** To be called before rows go. Commands that have locked them end first. */
export async function tellErased(scope: HookScope, erased: Partial<ErasedTelemetry>): Promise<void> {
  if (scope.hooks.length === 0) return;
  const { traceRowIds = [], spanRowIds = [], sessionRowIds = [] } = erased;
  await lockTraces(scope, traceRowIds, spanRowIds);
  await lockSessions(scope, sessionRowIds);
  const [traces, spans, sessions] = [batchesOf(traceRowIds), batchesOf(spanRowIds), batchesOf(sessionRowIds)];
  for (let at = 0; at < Math.max(traces.length, spans.length, sessions.length); at++) {
    const batch = { traceRowIds: traces[at] ?? [], spanRowIds: spans[at] ?? [], sessionRowIds: sessions[at] ?? [] };
    for (const hooks of scope.hooks) await hooks.onErased(scope, batch);
  }
}

/** To be called when rows are in their new place. Commands that have locked them end first. */
export async function tellMoved(scope: HookScope, moved: Partial<MovedTelemetry>): Promise<void> {
  if (scope.hooks.length === 0) return;
  const { traceRowIds = [], spanRowIds = [], sessions = [] } = moved;
  // Spans follow in transactions of their own, for which their trace was locked when it moved.
  await lockTraces(scope, traceRowIds, []);
  await lockSessions(
    scope,
    sessions.map(({ rowId }) => rowId),
  );
  const [traces, spans, joined] = [batchesOf(traceRowIds), batchesOf(spanRowIds), batchesOf(sessions)];
  for (let at = 0; at < Math.max(traces.length, spans.length, joined.length); at++) {
    const batch = { traceRowIds: traces[at] ?? [], spanRowIds: spans[at] ?? [], sessions: joined[at] ?? [] };
    for (const hooks of scope.hooks) await hooks.onMoved(scope, batch);
  }
}

/** Spans have no lock of their own: whoever says something of one locks its trace. */
async function lockTraces(
  { db, dialect }: HookScope,
  traceRowIds: readonly number[],
  spanRowIds: readonly number[],
): Promise<void> {
  if (traceRowIds.length + spanRowIds.length === 0) return;
  const ofSpans = db.selectFrom('spans').select('trace_row_id').where('id', 'in', dialect.numbersOf(spanRowIds));
  const rowIds: RawBuilder<number> = sql`(${dialect.numbersOf(traceRowIds)} UNION ${ofSpans})`;
  await dialect.lockRows(db, { table: 'traces', rowIds, isShared: false });
}

async function lockSessions({ db, dialect }: HookScope, rowIds: readonly number[]): Promise<void> {
  if (rowIds.length === 0) return;
  await dialect.lockRows(db, { table: 'sessions', rowIds: dialect.numbersOf(rowIds), isShared: false });
}

function batchesOf<T>(list: readonly T[]): readonly (readonly T[])[] {
  const batches: (readonly T[])[] = [];
  for (let start = 0; start < list.length; start += MOST_AT_ONCE) batches.push(list.slice(start, start + MOST_AT_ONCE));
  return batches;
}
