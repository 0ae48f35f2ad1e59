/**
 * Stores the spans of one request. Everything that is read comes first, then pure rules say what changes, then rows are
 * written, many at a time.
 */
import type { Kysely } from 'kysely';
import { changeSessions } from '#derive/session-rollup';
import { changeTrace, type RecountedSpan, type TraceChange, type TraceRollup } from '#derive/trace-rollup';
import type { SpanFacts } from '#derive/usage';
import type { NormalizedSpan } from '#normalize/normalized';
import { encodeBlock, partitionIntoBlocks } from '../../blocks/codec.ts';
import type { SqlDialect } from '../../dialect/dialect.ts';
import type { Tables } from '../../schema/tables.ts';
import type { SqliteValue } from '../../sqlite/connection.ts';
import { type Arrival, type ArrivingSpan, sortOut } from './arrival.ts';
import type { BulkInsert } from './bulk-insert.ts';
import { forgetSpans } from './forget-spans.ts';
import { prepareQuery } from './prepared-query.ts';
import type { Registry } from './registry.ts';
import type { RowIds } from './row-ids.ts';
import { SessionBook } from './session-book.ts';
import { toSpanFacts, toSpanValues } from './span-values.ts';
import { loadTraces, readTraceRoot, readTraceSession, readTraceTimes, type StoredTrace } from './stored-trace.ts';

/** What a request's spans became, by project. */
export interface ProjectCount {
  readonly projectId: number;
  readonly stored: number;
  readonly replaced: number;
  readonly duplicate: number;
}

/** What writing needs; the handle is that of the transaction. */
export interface WriteScope {
  readonly db: Kysely<Tables>;
  readonly dialect: SqlDialect;
  readonly bulkInsert: BulkInsert;
  readonly registry: Registry;
  readonly rowIds: RowIds;
}

type Row = Record<string, SqliteValue>;

/** Rows of a request, gathered so that each table is written once. */
interface Rows {
  readonly spans: Row[];
  readonly locations: Row[];
  readonly blocks: Row[];
  readonly queue: Row[];
  readonly replaced: number[];
  readonly recounted: RecountedSpan[];
}

interface TraceWork {
  readonly traceId: string;
  readonly traceRowId: number;
  readonly projectId: number;
  readonly stored: StoredTrace | undefined;
  readonly change: TraceChange;
}

/** Stores the spans of one request inside the transaction. */
export async function writeRequest(
  scope: WriteScope,
  spans: readonly NormalizedSpan[],
): Promise<readonly ProjectCount[]> {
  const byTrace = Map.groupBy(spans, (span) => span.span.traceId);
  const stored = await loadTraces(scope.db, scope.dialect, [...byTrace.keys()]);
  const rows: Rows = { spans: [], locations: [], blocks: [], queue: [], replaced: [], recounted: [] };
  const work: TraceWork[] = [];
  const counts: ProjectCount[] = [];
  for (const [traceId, ofTrace] of byTrace) {
    const trace = stored.get(traceId);
    const projectId =
      trace?.projectId ?? (await scope.registry.projectId(scope.db, (ofTrace[0] as NormalizedSpan).projectName));
    const arrival = await sortOut(scope.db, scope.dialect, scope.registry, trace?.rowId, ofTrace);
    const { replacedCount: replaced, duplicateCount: duplicate } = arrival;
    counts.push({ projectId, stored: ofTrace.length - replaced - duplicate, replaced, duplicate });
    if (arrival.arriving.length === 0) continue;
    const traceRowId = trace?.rowId ?? scope.rowIds.take('traces');
    const change = gather(scope, rows, { traceRowId, projectId }, trace, arrival);
    work.push({ traceId, traceRowId, projectId, stored: trace, change });
  }
  await writeSpanRows(scope, rows);
  await writeTraces(scope, work);
  return counts;
}

function gather(
  scope: WriteScope,
  rows: Rows,
  place: { readonly traceRowId: number; readonly projectId: number },
  trace: StoredTrace | undefined,
  { arriving, neighbours }: Arrival,
): TraceChange {
  const facts = arriving.map(({ normalized, replaces }) =>
    toSpanFacts(normalized.span, replaces?.facts.rowId ?? scope.rowIds.take('spans')),
  );
  const replaced = arriving.flatMap(({ replaces }) => replaces ?? []);
  const change = changeTrace({ before: trace?.rollup, arriving: facts, replaced, neighbours });
  for (const [index, { normalized, otelResourceId, instrumentationScopeId }] of arriving.entries()) {
    const counted = change.counted[index] as TraceChange['counted'][number];
    rows.spans.push(
      toSpanValues(normalized.span, facts[index] as SpanFacts, counted, {
        ...place,
        otelResourceId,
        instrumentationScopeId,
      }),
    );
  }
  rows.replaced.push(...replaced.map((span) => span.facts.rowId));
  rows.recounted.push(...change.recounted);
  const placed = arriving.map((span, index) => ({ bytes: span.bytes, rowId: (facts[index] as SpanFacts).rowId }));
  gatherBlocks(scope, rows, place.traceRowId, placed);
  return change;
}

function gatherBlocks(
  scope: WriteScope,
  rows: Rows,
  traceRowId: number,
  spans: readonly (Pick<ArrivingSpan, 'bytes'> & { readonly rowId: number })[],
): void {
  for (const run of partitionIntoBlocks(spans)) {
    const { data, rawBytes } = encodeBlock(run.map((span) => span.bytes));
    const id = scope.rowIds.take('blocks');
    const span_count = run.length;
    rows.queue.push({ block_id: id, trace_row_id: traceRowId });
    rows.blocks.push({ id, trace_row_id: traceRowId, span_count, live_count: span_count, raw_bytes: rawBytes, data });
    for (const [ordinal, { rowId }] of run.entries()) {
      rows.locations.push({ span_row_id: rowId, block_id: id, ordinal });
    }
  }
}

async function writeSpanRows({ db, dialect, bulkInsert }: WriteScope, rows: Rows): Promise<void> {
  if (rows.replaced.length > 0) await forgetSpans(db, dialect, rows.replaced);
  await bulkInsert('spans', rows.spans);
  await bulkInsert('blocks', rows.blocks);
  await bulkInsert('compaction_queue', rows.queue);
  await bulkInsert('span_locations', rows.locations);
  for (const { facts, counted } of rows.recounted) {
    await db
      .updateTable('spans')
      .set({
        counted_prompt_tokens: counted.promptTokens,
        counted_completion_tokens: counted.completionTokens,
        counted_cost_nanousd: counted.costNanoUsd,
      })
      .where('id', '=', facts.rowId)
      .execute();
  }
}

async function writeTraces(scope: WriteScope, work: readonly TraceWork[]): Promise<void> {
  const sessions = new SessionBook(scope);
  const inserts: Row[] = [];
  for (const { traceId, traceRowId, projectId, stored, change } of work) {
    const after = await settle(scope.db, traceRowId, change);
    for (const [sessionId, delta] of changeSessions(stored?.rollup, after))
      await sessions.add(projectId, sessionId, delta);
    const sessionRowId = after.session === null ? null : await sessions.rowId(projectId, after.session.sessionId);
    const values = toTraceValues(after, sessionRowId);
    if (stored === undefined) inserts.push({ id: traceRowId, trace_id: traceId, project_id: projectId, ...values });
    else await updateTrace(scope, { id: traceRowId, ...values });
  }
  await scope.bulkInsert('traces', inserts);
  await sessions.flush();
}

const updateTrace = prepareQuery(({ db }, row: TraceValues & { readonly id: number }) =>
  db
    .updateTable('traces')
    .set({
      session_row_id: row.session_row_id,
      session_span_row_id: row.session_span_row_id,
      session_start_us: row.session_start_us,
      root_span_row_id: row.root_span_row_id,
      start_us: row.start_us,
      end_us: row.end_us,
      span_count: row.span_count,
      error_count: row.error_count,
      prompt_tokens: row.prompt_tokens,
      completion_tokens: row.completion_tokens,
      cost_nanousd: row.cost_nanousd,
    })
    .where('id', '=', row.id),
);

/** The change with its stale parts read again; the spans are written by now. */
async function settle(db: Kysely<Tables>, traceRowId: number, { after, stale }: TraceChange): Promise<TraceRollup> {
  let settled = after;
  if (stale.times) {
    const { startUs, endUs } = await readTraceTimes(db, traceRowId);
    settled = { ...settled, startUs, endUs };
  }
  if (stale.root) settled = { ...settled, root: await readTraceRoot(db, traceRowId) };
  if (stale.session) settled = { ...settled, session: await readTraceSession(db, traceRowId) };
  return settled;
}

type TraceValues = ReturnType<typeof toTraceValues>;

function toTraceValues(rollup: TraceRollup, sessionRowId: number | null) {
  return {
    session_row_id: sessionRowId,
    session_span_row_id: rollup.session?.rowId ?? null,
    session_start_us: rollup.session?.startUs ?? null,
    root_span_row_id: rollup.root?.rowId ?? null,
    start_us: rollup.startUs,
    end_us: rollup.endUs,
    span_count: rollup.spanCount,
    error_count: rollup.errorCount,
    prompt_tokens: rollup.usage.promptTokens,
    completion_tokens: rollup.usage.completionTokens,
    cost_nanousd: rollup.usage.costNanoUsd,
  };
}
