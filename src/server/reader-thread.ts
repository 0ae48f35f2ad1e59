/** A reader: its own read-only connection, where lists, decompression and decoding happen. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { CompiledQuery } from 'kysely';
import { presentOtlpSpan, presentSpan } from '#resources/spans/present';
import { FRAME_MAKER } from '#resources/spans/present/frames/frame-maker';
import { relationalAggregates } from '#store/aggregates/aggregates';
import { buildSegment } from '#store/columns/build-segment';
import { findDueSegments } from '#store/columns/due-segments';
import { planCompaction } from '#store/compaction/plan';
import { findQuietTraces, readLastBlockId } from '#store/compaction/queue';
import { planRemoval } from '#store/deletion/removal-plan';
import type { ReplicaEngine } from '#store/engine/engine';
import type { EngineConfig } from '#store/engine/engine-config';
import { openReadEngine, openReplicaEngine } from '#store/open/open-engine';
import type { PostgresAddress } from '#store/engine/postgres-address';
import { planPricing } from '#store/reindex/plan-pricing';
import type { PricingJob } from '#store/reindex/pricing-job';
import { planReindex } from '#store/reindex/plan';
import { planIndex, type StepBounds } from '#store/search/plan-index';
import { relationalTextSearch } from '#store/search/text-search';
import { EnvelopeCache } from '#store/spans/rows/envelope-cache';
import { relationalSpanStore } from '#store/spans/read/store';
import { TraceTrees } from '#store/spans/rows/trace-trees';
import { yieldToOthers } from '#base/thread-priority';
import { type CallHandlers, serveCalls } from '#store/threads/rpc';

/** What a reader is started with. */
export interface ReaderThreadData {
  readonly engine: EngineConfig;
  /** Where it reads in place of the primary. */
  readonly replica: PostgresAddress | null;
  /** Whether everybody else goes first. */
  readonly isBackground: boolean;
}

const { engine: config, replica: replicaAddress, isBackground } = workerData as ReaderThreadData;
if (isBackground) yieldToOthers();
const replica = replicaAddress === null ? undefined : await openReplicaEngine(config, replicaAddress);
const engine = replica ?? (await openReadEngine(config));
const { db, dialect } = engine;
const envelopes = new EnvelopeCache();
const scope = { db, dialect, envelopes, trees: new TraceTrees() };

const reads: CallHandlers = {
  ...relationalSpanStore(db, dialect, { span: presentSpan, otlp: presentOtlpSpan }, FRAME_MAKER),
  ...relationalTextSearch(scope),
  ...relationalAggregates(scope),
  planSearchIndex: (bounds: StepBounds) => planIndex(scope, bounds),
  lastBlockId: () => readLastBlockId(db),
  findQuietTraces: (lastQuietBlockId: number) => findQuietTraces(db, lastQuietBlockId),
  findDueSegments: () => findDueSegments(db),
  buildSegment: (segment: number) => buildSegment(db, segment),
  planCompaction: (traceRowId: number) => planCompaction(db, dialect, traceRowId),
  planReindex: (fromRowId: number, endRowId: number) => planReindex({ db, dialect, envelopes }, fromRowId, endRowId),
  planRemoval: (maxSpans: number) => planRemoval(db, dialect, maxSpans),
  planPricing: (job: PricingJob) => planPricing(db, job),
  query: (text: string, parameters: readonly unknown[]) => db.executeQuery(CompiledQuery.raw(text, [...parameters])),
};

serveCalls(parentPort as MessagePort, {
  ...(replica === undefined ? reads : { ...asOfNow(replica), measureLag: () => replica.measureLag() }),
  close: () => engine.close(),
});

/** Each sees all that was acknowledged before it was called. */
function asOfNow(of: ReplicaEngine): CallHandlers {
  return Object.fromEntries(
    Object.entries(reads).map(([name, read]) => [
      name,
      (...parameters: never[]) => of.asOfNow(async () => read(...parameters)),
    ]),
  );
}
