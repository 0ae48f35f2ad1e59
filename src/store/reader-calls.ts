/** What a reader's thread answers: everything that only reads, and the plans of background jobs. */
import { CompiledQuery } from 'kysely';
import { relationalAggregates } from './aggregates/aggregates.ts';
import { planBulkAction } from './bulk/choose-rows.ts';
import { buildSegment } from './columns/build-segment.ts';
import { findDueSegments } from './columns/due-segments.ts';
import { planDictionary } from './compaction/dictionaries.ts';
import { planCompaction, planSettling } from './compaction/plan.ts';
import { findQuietTraces, readLastBlockId } from './compaction/queue.ts';
import { type LeftOutOfRemoval, planRemoval } from './deletion/removal-plan.ts';
import type { Damage } from './engine/damage.ts';
import type { ReadEngine } from './engine/engine.ts';
import { findRunningJobs } from './jobs/job-rows.ts';
import { planPricing } from './reindex/plan-pricing.ts';
import type { PricingJob } from './reindex/pricing-job.ts';
import { planReindex } from './reindex/plan.ts';
import { isIndexDue } from './search/is-index-due.ts';
import type { StepBounds } from './search/index-step.ts';
import { planIndex } from './search/plan-index.ts';
import type { Tables } from './schema/tables.ts';
import { findDamagedTables as findDamagedAmong } from './renewal/renew-tables.ts';
import { relationalTextSearch } from './search/text-search.ts';
import { findDueRules, planRuleStep } from './retention/find-for-queues.ts';
import type { SetCatalogue } from './sets/define-set.ts';
import type { FrameMaker } from './spans/frame-maker.ts';
import type { SpanPresenters } from './spans/presenter.ts';
import { EnvelopeCache } from './spans/rows/envelope-cache.ts';
import { relationalSpanStore } from './spans/read/store.ts';
import type { SpanStore } from './spans/port.ts';
import { planVerification, readVerification } from './verification/plan-verification.ts';
import { recheckDamage } from './verification/recheck-damage.ts';
import { Moved } from './threads/rpc.ts';
import { TraceTrees } from './spans/rows/trace-trees.ts';

/**
 * The handlers on an engine, with what makes spans into the texts that clients get.
 * @param sets what filters can ask rows to be in, beside the sets of the store itself
 */
export function readerCalls(
  { db, dialect, findDamagedTables, checkTables }: ReadEngine,
  presenters: SpanPresenters,
  frames: FrameMaker,
  sets: SetCatalogue,
) {
  const envelopes = new EnvelopeCache();
  const scope = { db, dialect, envelopes, trees: new TraceTrees(), sets };
  const spans = relationalSpanStore(db, dialect, presenters, frames, sets);
  return {
    ...spans,
    ...movingBodies(spans),
    ...relationalTextSearch(scope),
    ...relationalAggregates(scope),
    findRunningJobs: () => findRunningJobs(db),
    isSearchIndexDue: () => isIndexDue(scope),
    findDamagedTables: async (among: readonly (keyof Tables)[]) => findDamagedAmong(findDamagedTables, among),
    planSearchIndex: (bounds: StepBounds) => planIndex(scope, bounds),
    lastBlockId: () => readLastBlockId(db),
    findQuietTraces: (lastQuietBlockId: number) => findQuietTraces(db, dialect, lastQuietBlockId),
    findDueSegments: (leftOut: readonly number[]) => findDueSegments(db, leftOut),
    buildSegment: (segment: number) => buildSegment(db, segment),
    planDictionary: (lastQuietBlockId: number) => planDictionary(db, dialect, lastQuietBlockId),
    planCompaction: (traceRowId: number) => planCompaction(db, dialect, traceRowId),
    planVerification: (nowUs: number) => planVerification({ db, dialect, envelopes, checkTables }, nowUs),
    recheckDamage: (damage: Damage) => recheckDamage({ db, dialect, envelopes, checkTables }, damage),
    readVerification: () => readVerification(db),
    planSettling: (traceRowId: number) => planSettling(db, traceRowId),
    planReindex: (fromRowId: number, endRowId: number) => planReindex({ db, dialect, envelopes }, fromRowId, endRowId),
    planBulkAction: (jobId: number) => planBulkAction(scope, jobId),
    findDueRules: () => findDueRules(scope),
    planRuleStep: (ruleRowId: number) => planRuleStep(scope, ruleRowId),
    planRemoval: (maxSpans: number, leftOut: LeftOutOfRemoval) => planRemoval(db, dialect, maxSpans, leftOut),
    planPricing: (job: PricingJob) => planPricing(db, job),
    query: (text: string, parameters: readonly unknown[]) => db.executeQuery(CompiledQuery.raw(text, [...parameters])),
  };
}

type WithBodies = Pick<SpanStore, 'presentSpans' | 'listOriginals' | 'readTraceOriginal' | 'readSpanOriginal'>;

/** Those whose answers are large, which are moved to the caller instead of copied. */
function movingBodies(spans: WithBodies): WithBodies {
  return {
    presentSpans: async (...of) => moveBody(await spans.presentSpans(...of)),
    listOriginals: async (...of) => moveBody(await spans.listOriginals(...of)),
    readTraceOriginal: async (...of) => moveBody(await spans.readTraceOriginal(...of)),
    readSpanOriginal: async (...of) => moveBody(await spans.readSpanOriginal(...of)),
  };
}

/** A body that shares its buffer with others is copied, because they still need it. */
function moveBody<Answer extends { readonly body: Uint8Array } | undefined>(answer: Answer): Answer {
  const buffer = answer?.body.buffer;
  if (!(buffer instanceof ArrayBuffer) || buffer.byteLength !== answer?.body.byteLength) return answer;
  // The thread that asked gets what is in it.
  return new Moved(answer, [buffer]) as unknown as Answer;
}

/** The reads, by name. */
export type ReadCalls = ReturnType<typeof readerCalls>;

/** What a reader's thread answers. */
export type ReaderCalls = ReadCalls & {
  /** How long a replica takes to have what there is now, in milliseconds; 0 on the primary. */
  readonly measureLag: () => Promise<number>;
  readonly close: () => Promise<void>;
};
