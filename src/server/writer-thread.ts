/** The writer: the one connection that writes. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { CompiledQuery } from 'kysely';
import { Gate } from '#base/gate';
import type { MigrationConfig } from '#config/config';
import { GroupCommit } from '#ingest/group-commit';
import { type PackedExport, unpackExport } from '#ingest/packed-export';
import type { SegmentPlan } from '#store/columns/build-segment';
import { markSegmentsDue, openSegments, storeSegment } from '#store/columns/store-segment';
import type { CompactionPlan } from '#store/compaction/plan';
import { deletionCalls } from '#store/deletion/writer-calls';
import type { EngineConfig } from '#store/engine/engine-config';
import { openWriteEngine } from '#store/engine/open-engine';
import type { PriceChange } from '#store/prices/port';
import {
  advancePricing,
  beginPricing,
  loadPricingJob,
  type PricingJob,
  type PricingScope,
} from '#store/prices/pricing-job';
import {
  advanceReindex,
  beginReindex,
  loadReindexState,
  newReindexJob,
  noteRules,
  type ReindexJob,
} from '#store/reindex/state';
import type { IndexPlan } from '#store/search/plan-index';
import { noteTokenizer, readSearchProgress, startSearchRebuild } from '#store/search/progress';
import { storeIndex } from '#store/search/store-index';
import { RelationalSpanWriter } from '#store/spans/relational/writer';
import { type CallHandlers, logFromThread, serveCalls } from '#store/threads/rpc';
import { RECORD_HOOKS } from './record-hooks.ts';

/** What the writer is started with. */
export interface WriterThreadData {
  readonly engine: EngineConfig;
  readonly migrations: MigrationConfig;
}

const port = parentPort as MessagePort;
const { engine: config, migrations } = workerData as WriterThreadData;
const engine = await openWriteEngine(config, (message) => logFromThread(port, 'error', message), {
  ...migrations,
  log: (message) => {
    if (migrations.isLogged) logFromThread(port, 'info', message);
  },
});
const { db } = engine;
const gate = new Gate();
const writer = new RelationalSpanWriter({
  ...engine,
  hooks: RECORD_HOOKS,
  onError: (message, cause) => logFromThread(port, 'error', message, cause),
});
const commits = new GroupCommit({
  writer: {
    write: (requests) =>
      alone(async () => {
        await engine.assertRoom();
        const outcomes = await writer.write(requests);
        engine.assertKept();
        return outcomes;
      }),
  },
  prepare: unpackExport,
});

let ready: Promise<void> | undefined;

/** Makes the database ready once; what failed is tried again by whoever calls next. */
function prepare(): Promise<void> {
  ready ??= (async () => {
    await engine.prepare();
    await noteRules(db);
    await noteTokenizer(db);
  })().catch((error: unknown) => {
    ready = undefined;
    throw error;
  });
  return ready;
}

/** Runs with the connection for itself. */
async function alone<T>(run: () => Promise<T>): Promise<T> {
  await prepare();
  return gate.run(async () => {
    const result = await run();
    engine.tidy();
    return result;
  });
}

serveCalls(port, {
  open: prepare,
  export: async (packed: PackedExport) => {
    await prepare();
    return commits.export(packed);
  },
  close: async () => {
    await commits.drain();
    await gate.run(() => engine.close());
  },
  ...oneByOne({
    ...deletionCalls(writer, engine),
    storeSearchIndex: (plan: IndexPlan) => writer.change((scope) => storeIndex(scope, plan)),
    searchProgress: () => readSearchProgress(db),
    rebuildSearchIndex: () => writer.change((under) => startSearchRebuild(under.db)),
    compact: (plans: readonly CompactionPlan[]) => writer.compact(plans),
    openSegments: () => writer.change(openSegments),
    storeSegment: (plan: SegmentPlan) => writer.change((scope) => storeSegment(scope, plan)),
    markSegmentsDue: () => writer.change(markSegmentsDue),
    reindexState: () => loadReindexState(db),
    newReindexJob: () => newReindexJob(db, Date.now() * 1000),
    beginReindex: () => writer.change((under) => beginReindex(under.db, Date.now() * 1000)),
    advanceReindex: (before: ReindexJob, job: ReindexJob) =>
      writer.change((under) => advanceReindex(under.db, before, job)),
    reindex: (spanRowIds: readonly number[]) => writer.reindex(spanRowIds),
    pricingJob: () => loadPricingJob(db),
    beginPricing: (scope: PricingScope) => writer.change((under) => beginPricing(under.db, scope, Date.now() * 1000)),
    advancePricing: (before: PricingJob, job: PricingJob) =>
      writer.change((under) => advancePricing(under.db, before, job)),
    reprice: (spanRowIds: readonly number[]) => writer.reprice(spanRowIds),
    changePrice: (change: PriceChange) => writer.changePrice(change),
    query: (text: string, parameters: readonly unknown[]) => db.executeQuery(CompiledQuery.raw(text, [...parameters])),
    // In its turn, as all that changes something: whoever sees the turn sees that.
    change: (text: string, parameters: readonly unknown[]) =>
      writer.change((under) => under.db.executeQuery(CompiledQuery.raw(text, [...parameters]))),
  }),
});

/** The handlers, each of which has the connection for itself. */
function oneByOne(handlers: Readonly<Record<string, (...parameters: never[]) => Promise<unknown>>>): CallHandlers {
  return Object.fromEntries(
    Object.entries(handlers).map(([name, handler]) => [
      name,
      (...parameters: never[]) => alone(() => handler(...parameters)),
    ]),
  );
}
