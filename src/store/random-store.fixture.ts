/**
 * A database whose writer, passes and background work are driven step by step: each step is one transaction, and
 * whatever was planned can be carried out after something else happened.
 */
import { ANONYMOUS } from '#domain/caller';
import { sql } from 'kysely';
import { transcodeJsonRequest } from '#otlp/json/transcode';
import { decodeExportTraceRequest } from '#otlp/protobuf/request';
import { normalizeRequest } from '#normalize/normalize-request';
import { type TestSpan, traceBody } from '../../test/harness/otlp-json.ts';
import { relationalAggregates } from './aggregates/aggregates.ts';
import { beginBulkAction } from './bulk/begin.ts';
import {
  type BulkAction,
  type BulkDeed,
  type BulkInput,
  type BulkProgress,
  type BulkRequest,
  toBulkAction,
} from './bulk/bulk-action.ts';
import { planBulkAction } from './bulk/choose-rows.ts';
import { cancelBulkAction } from './bulk/steps.ts';
import { bulkCalls } from './bulk/writer-calls.ts';
import { findJobs } from './jobs/job-rows.ts';
import type { Aggregates } from './aggregates/port.ts';
import { MAX_BATCH_ROWS } from './columns/batch.ts';
import { buildSegment } from './columns/build-segment.ts';
import { findDueSegments } from './columns/due-segments.ts';
import { openSegments, storeSegment } from './columns/store-segment.ts';
import { planCompaction } from './compaction/plan.ts';
import { findQuietTraces } from './compaction/queue.ts';
import type { TraceSelection } from './deletion/deletion.ts';
import type { SpanPlace } from './deletion/move-traces.ts';
import { planRemoval, type RemovalPlan } from './deletion/removal-plan.ts';
import { deletionCalls } from './deletion/writer-calls.ts';
import type { StoredRow } from './engine/test-engine.fixture.ts';
import { openTestWriter, type TestWriter, type TestWriterOptions } from './logs/write/open-writer.fixture.ts';
import { changePriceOf } from './prices/change-price.fixture.ts';
import { planPricing } from './reindex/plan-pricing.ts';
import type { RecordHooks } from './records/hooks.ts';
import { planReindex } from './reindex/plan.ts';
import { newPass } from './reindex/state.ts';
import { planIndex } from './search/plan-index.ts';
import { startSearchRebuild } from './texts/progress.ts';
import { storeIndex } from './search/store-index.ts';
import { relationalTextSearch } from './search/text-search.ts';
import { toIncoming } from './incoming/request.ts';
import { EnvelopeCache } from './spans/rows/envelope-cache.ts';
import type { ReadScope } from './spans/rows/read-scope.ts';
import { TraceTrees } from './spans/rows/trace-trees.ts';
import { RelationalSpanWriter } from './writer/writer.ts';
import { PINNED_SETS, Pins } from './sets/pins.fixture.ts';

/** Something that was planned, and is carried out when it is called. */
export type Planned = () => Promise<boolean>;

/** What is open. */
export class RandomStore {
  readonly scope: ReadScope;
  readonly search: ReturnType<typeof relationalTextSearch>;
  readonly aggregates: Aggregates;
  readonly pins: Pins;
  readonly #memory: TestWriter;
  readonly #hooks: readonly RecordHooks[];
  #writer: RelationalSpanWriter;
  /** How far the spans of moved traces have followed. */
  readonly #moved = new Map<number, SpanPlace>();
  #priceRowId: number | null = null;

  private constructor(memory: TestWriter, pins: Pins, hooks: readonly RecordHooks[]) {
    this.#memory = memory;
    this.pins = pins;
    this.#hooks = hooks;
    this.#writer = memory.writer;
    const { db, dialect } = memory;
    this.scope = { db, dialect, envelopes: new EnvelopeCache(), trees: new TraceTrees(), sets: PINNED_SETS };
    this.search = relationalTextSearch(this.scope);
    this.aggregates = relationalAggregates(this.scope);
  }

  static async open(options: TestWriterOptions = {}): Promise<RandomStore> {
    const memory = await openTestWriter(options);
    return new RandomStore(memory, await Pins.create(memory), options.hooks ?? []);
  }

  get memory(): TestWriter {
    return this.#memory;
  }

  rows(query: string): Promise<readonly StoredRow[]> {
    return this.#memory.rows(query);
  }

  projectRowId(name: string): Promise<number | undefined> {
    return this.#number(`SELECT id FROM projects WHERE name = '${name}'`);
  }

  async spanRowId(trace: string, span: string): Promise<number> {
    const found = await this.#number(`SELECT spans.id FROM spans JOIN traces ON traces.id = trace_row_id
      WHERE trace_id = '${trace}' AND span_id = '${span}'`);
    return found ?? fail(`span ${span} is not there`);
  }

  async traceRowId(trace: string): Promise<number> {
    const found = await this.#number(`SELECT id FROM traces WHERE trace_id = '${trace}'`);
    return found ?? fail(`trace ${trace} is not there`);
  }

  async send(spans: readonly TestSpan[], project: string): Promise<void> {
    const context = { receivedUnixNano: 1n, projectOverride: project, defaultProject: 'default' };
    const request = decodeExportTraceRequest(transcodeJsonRequest(traceBody(spans)));
    await this.#writer.write([toIncoming(normalizeRequest(request, context))]);
  }

  async deleteSpan(rowId: number): Promise<void> {
    while ((await this.#calls.deleteSpan(ANONYMOUS, rowId))?.state === 'begun');
  }

  async deleteTraces(projectRowId: number, selection: TraceSelection): Promise<void> {
    const begun = await this.#calls.beginDeletion(ANONYMOUS, {
      projectRowId,
      selection,
      reason: 'request',
      policyRowId: null,
    });
    let state = begun?.state;
    while (begun !== undefined && state === 'hiding') state = (await this.#calls.hideNext(begun.rowId))?.deletion.state;
  }

  async deleteProject(projectRowId: number): Promise<void> {
    await this.#calls.deleteProject(ANONYMOUS, projectRowId);
  }

  async moveTrace(traceRowId: number, projectRowId: number): Promise<void> {
    await this.#calls.moveTraces(ANONYMOUS, [traceRowId], projectRowId);
  }

  /** Deletes rows, or moves them to a project; says which action that is. */
  async beginBulkAction(request: BulkRequest, deed: BulkDeed): Promise<BulkAction> {
    const begun = await this.#writer.change((scope) => beginBulkAction(scope, request, deed, 1));
    return begun.action;
  }

  /** The next step of the oldest bulk action that is under way; `undefined` where none is. */
  async planBulkAction(most: number): Promise<Planned | undefined> {
    const rowId = await this.#number("SELECT min(id) AS id FROM jobs WHERE kind = 'bulk' AND finished_at_us IS NULL");
    const plan = rowId === undefined ? undefined : structuredClone(await planBulkAction(this.scope, rowId));
    if (plan === undefined) return undefined;
    const { job } = plan;
    const calls = bulkCalls(this.#writer, this.#memory);
    return async () => {
      const { outcome } = await (plan.next === 'note'
        ? calls.noteChosen(job.id, job.progress, plan.chosen)
        : calls.actOnNext(job.id, most));
      return outcome !== 'unchanged';
    };
  }

  /** How a bulk action stands. */
  async bulkAction(rowId: number): Promise<BulkAction | undefined> {
    const [job] = await findJobs<BulkInput, BulkProgress>(this.scope, 'bulk', [rowId]);
    return job && toBulkAction(job);
  }

  async cancelBulkAction(rowId: number): Promise<void> {
    await this.#writer.change((scope) => cancelBulkAction(scope, { rowId }, 1));
  }

  /** The next step of what is being deleted or moved; `undefined` where nothing is. */
  async planRemoval(): Promise<Planned | undefined> {
    const plan = structuredClone(await planRemoval(this.scope.db, this.scope.dialect, 3));
    return plan && (() => this.#remove(plan));
  }

  /** The next step of the search index; `undefined` where nothing is left. */
  async planIndex(spanCount: number): Promise<Planned | undefined> {
    const bounds = {
      arrivedCount: spanCount,
      changedCount: spanCount,
      milliseconds: 1000,
      characterCount: 256 * 1024,
      mayMerge: true,
    };
    const plan = structuredClone(await planIndex(this.scope, bounds));
    return plan && (() => this.#writer.change((change) => storeIndex(change, plan)));
  }

  async rebuildSearch(): Promise<void> {
    await startSearchRebuild(this.scope.db);
  }

  /** The segment that is built next: one that is due, or else one of which a row changed. */
  async planSegment(): Promise<Planned | undefined> {
    const scope = this.#memory;
    while (await openSegments(scope));
    const { due, changed } = await findDueSegments(this.scope.db);
    const segment = due[0] ?? changed[0]?.segment;
    const plan = segment === undefined ? undefined : structuredClone(await buildSegment(this.scope.db, segment));
    return plan && (() => storeSegment(scope, plan));
  }

  /** Lets the next span begin a segment, some row ids before its end or where it begins. */
  async skipRowIds(beforeEnd: number): Promise<void> {
    const [row] = await this.rows("SELECT next_id FROM row_ids WHERE table_name = 'spans'");
    const next = Number(row?.['next_id']);
    const end = Math.ceil((next + beforeEnd) / MAX_BATCH_ROWS) * MAX_BATCH_ROWS - beforeEnd;
    await this.#memory.exec(sql`UPDATE row_ids SET next_id = ${end} WHERE table_name = 'spans'`);
    this.restart();
  }

  /** As after the end of the process. */
  restart(): void {
    this.#moved.clear();
    this.#writer = new RelationalSpanWriter({
      ...this.#memory,
      hooks: this.#hooks,
      onError: (message, cause) => {
        throw new Error(message, { cause });
      },
    });
  }

  async planCompaction(traceRowId: number): Promise<Planned> {
    const plan = structuredClone(await planCompaction(this.scope.db, this.scope.dialect, traceRowId));
    return async () => (await this.#writer.compact([plan])).includes(true);
  }

  /** The next step of compaction; `undefined` where nothing waits. */
  async planWaiting(): Promise<Planned | undefined> {
    const [trace] = await findQuietTraces(this.scope.db, this.scope.dialect, Number.MAX_SAFE_INTEGER);
    return trace === undefined ? undefined : this.planCompaction(trace);
  }

  /** Says what a million tokens of prompts of the model cost. */
  async setPrice(model: string, input: number): Promise<void> {
    const prices = { rates: { input, output: 0 }, longPrompts: [] };
    const values = { name: model, provider: null, namePattern: `^${model}$`, startUs: null, prices };
    const rowId = this.#priceRowId;
    const price = await changePriceOf(
      this.#writer,
      rowId === null ? { kind: 'create', values } : { kind: 'update', rowId, values },
    );
    this.#priceRowId = price.rowId;
  }

  async reprice(): Promise<void> {
    let job = { namePattern: null, startUs: null, endUs: null, ...(await newPass(this.scope.db)) };
    while (job.nextRowId < job.endRowId) {
      const plan = await planPricing(this.scope.db, job);
      job = { ...job, nextRowId: plan.nextRowId };
      await this.#writer.reprice(plan.changedRowIds);
    }
  }

  /** Spans that would be read otherwise today. */
  async changedByReading(): Promise<readonly number[]> {
    const { changedRowIds, failedCount } = await planReindex(this.scope, 1, Number.MAX_SAFE_INTEGER);
    if (failedCount > 0) fail(`${failedCount} originals cannot be read`);
    return changedRowIds;
  }

  /** Does all that is left to be done in the background: every step changes something. */
  async settle(): Promise<void> {
    for (let steps = 0; ; steps++) {
      if (steps > 2000) fail('the background work does not come to an end');
      const planned =
        (await this.planIndex(64)) ??
        (await this.planBulkAction(3)) ??
        (await this.planRemoval()) ??
        (await this.planSegment()) ??
        (await this.planWaiting());
      if (planned === undefined) return;
      if (!(await planned())) fail('a step in the background changed nothing');
    }
  }

  get #calls() {
    return deletionCalls(this.#writer, this.#memory);
  }

  async #remove(plan: RemovalPlan): Promise<boolean> {
    if ('jobLeavingItems' in plan) return (await this.#calls.sweepItems(plan.jobLeavingItems)) > 0;
    if ('movedTraceRowIds' in plan) {
      const [trace] = plan.movedTraceRowIds;
      if ((await this.#calls.followTraces(plan.movedTraceRowIds, 4)) > 0) return true;
      const { after } = await this.#calls.moveNextSpans(trace, this.#moved.get(trace) ?? null, 2);
      if (after === null) this.#moved.delete(trace);
      else this.#moved.set(trace, after);
      return true;
    }
    const { deletion, part, isIndexed } = plan;
    const { state, rowId } = deletion;
    if (state === 'hiding') return (await this.#calls.hideNext(rowId)) !== undefined;
    if (state === 'shrinking') {
      const planned = isIndexed ? await this.planIndex(8) : undefined;
      return planned === undefined ? this.#calls.advanceDeletion(rowId, 'finished') : planned();
    }
    return part === null ? this.#calls.advanceDeletion(rowId, 'shrinking') : this.#calls.erase(deletion, part);
  }

  async #number(query: string): Promise<number | undefined> {
    const [row] = await this.rows(query);
    return row?.['id'] == null ? undefined : Number(row['id']);
  }
}

function fail(message: string): never {
  throw new Error(message);
}
