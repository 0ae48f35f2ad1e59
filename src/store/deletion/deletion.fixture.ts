/** A database that things are deleted from, and everything that it says, by names that do not depend on row ids. */
import { type RawBuilder, sql } from 'kysely';
import { Gate } from '#base/gate';
import { transcodeJsonRequest } from '#otlp/json/transcode';
import { decodeExportTraceRequest } from '#otlp/protobuf/request';
import { normalizeRequest } from '#normalize/normalize-request';
import { otlpSpan, type TestSpan } from '../../../test/harness/otlp-json.ts';
import type { ReadEngine } from '../engine/engine.ts';
import type { StoredRow, TestEngine } from '../engine/test-engine.fixture.ts';
import { openTestWriter, type TestWriter } from '../logs/write/open-writer.fixture.ts';
import { NO_FRAMES } from '../spans/no-frames.fixture.ts';
import { toIncoming } from '../incoming/request.ts';
import { readOriginals } from '../spans/rows/originals.ts';
import { relationalSpanStore } from '../spans/read/store.ts';
import type { WriteOutcome } from '../writer/port.ts';
import type { TouchedProject } from '../engine/touched-project.ts';
import type { Deletion } from './deletion.ts';
import { removalJob } from './removal-job.ts';
import { planRemoval } from './removal-plan.ts';
import { Remover } from './remover.ts';
import { deletionCalls } from './writer-calls.ts';

/** A span, and the instrumentation that describes it. */
export type ScopedSpan = TestSpan & { readonly scope?: string };

/** A remover with what erases for it. */
export type TestRemover = Remover & { resume(): void; finished(): Promise<void>; stop(): Promise<void> };

/** A store with what deletes from it. */
export interface DeletionStore extends TestWriter {
  readonly remover: TestRemover;
  readonly store: ReturnType<typeof relationalSpanStore>;
  readonly touched: TouchedProject[];
  readonly finished: Deletion[];
  /** Stores spans in one commit. */
  send(spans: readonly ScopedSpan[], project?: string): Promise<WriteOutcome>;
  /** A remover on the same data, as after a start; `onCall` may fail each of its calls. */
  restart(onCall?: (call: string) => void): TestRemover;
  projectRowId(name: string): Promise<number>;
  traceRowId(traceId: string): Promise<number>;
  spanRowId(spanId: string): Promise<number>;
  sessionRowId(sessionId: string): Promise<number>;
}

/**
 * Opens it.
 * @param maxSpans how many spans one transaction erases at most
 * @param engine what it is in, where that is not the engine of the run
 */
export async function openDeletionStore(maxSpans = 3, engine?: TestEngine): Promise<DeletionStore> {
  const memory = await openTestWriter(engine && { engine });
  const { db, dialect, writer } = memory;
  // As in the writer's thread: what changes something runs alone.
  const gate = new Gate();
  const touched: TouchedProject[] = [];
  const finished: Deletion[] = [];
  const rowId = async (query: RawBuilder<unknown>) => {
    const [row] = await memory.rows(query);
    if (row === undefined) throw new Error('there is none');
    return row['id'] as number;
  };
  const restart = (onCall: (call: string) => void = () => undefined) => {
    const calls = new Proxy(deletionCalls(writer, memory), {
      get(target, name) {
        const call = Reflect.get(target, name) as (...given: never[]) => Promise<unknown>;
        return async (...given: never[]) => {
          onCall(`before ${String(name)}`);
          // As between threads.
          const result = structuredClone(await gate.run(() => call(...structuredClone(given))));
          onCall(`after ${String(name)}`);
          return result;
        };
      },
    });
    const onTouched = (projects: readonly TouchedProject[]) => void touched.push(...projects);
    const remover = new Remover({ writer: calls, onTouched, wakeEraser: () => job.wake() });
    const job = removalJob({
      writer: Object.assign(Object.create(calls) as typeof calls, {
        followTraces: (traces: readonly number[], spans: number) =>
          calls.followTraces(traces, Math.min(spans, maxSpans)),
      }),
      async plan(spans, leftOut) {
        // Nobody keeps a search index here that would have to forget anything.
        return gate.run(async () => {
          await memory.exec('DELETE FROM search_queue');
          return structuredClone(await planRemoval(db, dialect, Math.min(spans, maxSpans), leftOut));
        });
      },
      isBusy: () => false,
      restRatio: 0,
      onTouched,
      onErased: () => undefined,
      onAllErased: (deletionRowId) => remover.noteErased(deletionRowId),
      onFinished: (deletion) => void finished.push(deletion),
      onError: () => undefined,
    });
    return Object.assign(remover, {
      resume: () => job.wake(),
      finished: () => job.idle(),
      stop: () => job.stop(),
    });
  };
  return {
    ...memory,
    touched,
    finished,
    restart,
    remover: restart(),
    store: relationalSpanStore(db, dialect, { span: () => '', otlp: () => '' }, NO_FRAMES),
    async send(spans, project = 'default') {
      const context = { receivedUnixNano: 1n, projectOverride: project, defaultProject: 'default' };
      const request = decodeExportTraceRequest(transcodeJsonRequest(toBody(spans)));
      const [outcome] = await gate.run(() => writer.write([toIncoming(normalizeRequest(request, context))]));
      return outcome as WriteOutcome;
    },
    projectRowId: (name) => rowId(sql`SELECT id FROM projects WHERE name = ${name}`),
    traceRowId: (traceId) => rowId(sql`SELECT id FROM traces WHERE trace_id = ${traceId}`),
    spanRowId: (spanId) => rowId(sql`SELECT id FROM spans WHERE span_id = ${spanId}`),
    sessionRowId: (sessionId) => rowId(sql`SELECT id FROM sessions WHERE session_id = ${sessionId}`),
  };
}

function toBody(spans: readonly ScopedSpan[]): Uint8Array<ArrayBuffer> {
  const byScope = Map.groupBy(spans, ({ scope = 'test' }) => scope);
  const scopeSpans = [...byScope].map(([name, ofScope]) => ({ scope: { name }, spans: ofScope.map(otlpSpan) }));
  return new TextEncoder().encode(JSON.stringify({ resourceSpans: [{ resource: {}, scopeSpans }] }));
}

/** Where rows are found. */
export interface ReadableRows {
  readonly rows: (query: string) => Promise<readonly StoredRow[]> | readonly StoredRow[];
}

/** Everything that is stored, row ids replaced by what they mean. Throws where rows contradict each other. */
export async function readEverything(memory: Pick<ReadEngine, 'db' | 'dialect'> & ReadableRows) {
  const { db, dialect, rows } = memory;
  const originals = await readOriginals(
    db,
    dialect,
    (await rows('SELECT id FROM spans')).map((row) => row['id'] as number),
  );
  const spans = await rows(`SELECT spans.*, projects.name AS project, traces.trace_id FROM spans
    JOIN traces ON traces.id = spans.trace_row_id LEFT JOIN projects ON projects.id = spans.project_id
    ORDER BY traces.trace_id, span_id`);
  return {
    spans: spans.map(
      ({ id, project_id: _project, trace_row_id: _trace, instrumentation_scope_id: _scope, ...span }) => ({
        ...span,
        original: Buffer.from(originals.get(id as number) ?? []).toString('hex'),
      }),
    ),
    traces: await rows(`SELECT traces.trace_id, projects.name AS project, sessions.session_id, root.span_id AS root,
        decider.span_id AS decider, session_start_us, traces.start_us, traces.end_us, traces.span_count, traces.error_count,
        traces.prompt_tokens, traces.completion_tokens, traces.cost_nanousd FROM traces
      LEFT JOIN projects ON projects.id = traces.project_id LEFT JOIN sessions ON sessions.id = traces.session_row_id
      LEFT JOIN spans AS root ON root.id = root_span_row_id LEFT JOIN spans AS decider ON decider.id = session_span_row_id
      ORDER BY traces.trace_id`),
    sessions: (
      await rows(`SELECT sessions.*, projects.name AS project FROM sessions
        LEFT JOIN projects ON projects.id = sessions.project_id ORDER BY session_id, project`)
    ).map(({ id: _id, project_id: _project, ...session }) => session),
    links: await rows(`SELECT linked_trace_id, linked_span_id, span_id, trace_id FROM span_links
      JOIN spans ON spans.id = span_row_id JOIN traces ON traces.id = span_links.trace_row_id
      ORDER BY 1, 2, 3, 4`),
    records:
      await rows(`SELECT log_records.trace_id, log_records.span_id, spans.span_id AS attached_to, event_name, projects.name AS project
      FROM log_records LEFT JOIN spans ON spans.id = span_row_id LEFT JOIN projects ON projects.id = log_records.project_id
      ORDER BY digest`),
  };
}

/** What must never be, in words; empty where all is well. */
export async function findLeftovers({ rows }: ReadableRows): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [what, query] of Object.entries(LEFTOVERS)) {
    if ((await rows(`${query} LIMIT 1`)).length > 0) found.push(what);
  }
  return found;
}

const LEFTOVERS: Readonly<Record<string, string>> = {
  'a span without a trace': 'SELECT 1 FROM spans WHERE trace_row_id NOT IN (SELECT id FROM traces)',
  'a span of another project than its trace':
    'SELECT 1 FROM spans JOIN traces ON traces.id = trace_row_id WHERE spans.project_id <> traces.project_id',
  'a trace without a span': 'SELECT 1 FROM traces WHERE id NOT IN (SELECT trace_row_id FROM spans)',
  'a trace of no project': 'SELECT 1 FROM traces WHERE project_id NOT IN (SELECT id FROM projects)',
  'a session of no project': 'SELECT 1 FROM sessions WHERE project_id NOT IN (SELECT id FROM projects)',
  'a session without a trace':
    'SELECT 1 FROM sessions WHERE id NOT IN (SELECT session_row_id FROM traces WHERE session_row_id IS NOT NULL)',
  'a location without a span': 'SELECT 1 FROM span_locations WHERE span_row_id NOT IN (SELECT id FROM spans)',
  'a location without a block': 'SELECT 1 FROM span_locations WHERE block_id NOT IN (SELECT id FROM blocks)',
  'a block that counts wrongly':
    'SELECT 1 FROM blocks WHERE live_count <> (SELECT count(*) FROM span_locations WHERE block_id = blocks.id)',
  'a piece without a block': 'SELECT 1 FROM block_pieces WHERE block_id NOT IN (SELECT id FROM blocks)',
  'an empty block': 'SELECT 1 FROM blocks WHERE live_count <= 0',
  'a link without a span': 'SELECT 1 FROM span_links WHERE span_row_id NOT IN (SELECT id FROM spans)',
  'a queued block that is gone': `SELECT 1 FROM compaction_queue WHERE block_id NOT IN (SELECT id FROM blocks)
      AND block_id NOT IN (SELECT id FROM log_record_blocks)`,
  'a log record of no project': 'SELECT 1 FROM log_records WHERE project_id NOT IN (SELECT id FROM projects)',
  'a log record of a span that is gone':
    'SELECT 1 FROM log_records WHERE span_row_id IS NOT NULL AND span_row_id NOT IN (SELECT id FROM spans)',
  'a block of log records that counts wrongly':
    'SELECT 1 FROM log_record_blocks WHERE live_count <> (SELECT count(*) FROM log_records WHERE block_id = log_record_blocks.id)',
  'an unlisted trace': 'SELECT 1 FROM unlisted_traces',
  'an unfinished deletion': "SELECT 1 FROM deletions WHERE state <> 'finished'",
};
