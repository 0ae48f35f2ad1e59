/** What the writer's thread answers. */
import { CompiledQuery } from 'kysely';
import type { Caller } from '#domain/caller';
import type { SegmentPlan } from './columns/build-segment.ts';
import { markSegmentsDue, openSegments, storeSegment } from './columns/store-segment.ts';
import type { CommandOutcome } from './commands/command-runner.ts';
import type { CompactionPlan } from './compaction/plan.ts';
import { deletionCalls } from './deletion/writer-calls.ts';
import type { WriteEngine } from './engine/engine.ts';
import type { JobBudget } from './jobs/job.ts';
import { cancelJob, pauseJob, resumeJob } from './jobs/job-rows.ts';
import {
  advancePricing,
  beginPricing,
  loadPricingJob,
  type PricingJob,
  type PricingScope,
} from './reindex/pricing-job.ts';
import { advanceReindex, beginReindex, loadReindexState, renewReindexJob, type ReindexJob } from './reindex/state.ts';
import type { IndexPlan } from './search/plan-index.ts';
import { readSearchProgress, startSearchRebuild } from './search/progress.ts';
import { storeIndex } from './search/store-index.ts';
import type { RelationalSpanWriter } from './writer/writer.ts';
import type { ExportResult, PackedExport } from './writer/port.ts';

/** The handlers that have the connection for themselves, one after the other. */
export function exclusiveCalls(engine: WriteEngine, writer: RelationalSpanWriter) {
  const { db } = engine;
  return {
    ...deletionCalls(writer, engine),
    storeSearchIndex: (plan: IndexPlan) => writer.change((scope) => storeIndex(scope, plan)),
    searchProgress: () => readSearchProgress(db),
    rebuildSearchIndex: () => writer.change((under) => startSearchRebuild(under.db)),
    compact: (plans: readonly CompactionPlan[]) => writer.compact(plans),
    openSegments: () => writer.change(openSegments),
    storeSegment: (plan: SegmentPlan) => writer.change((scope) => storeSegment(scope, plan)),
    markSegmentsDue: () => writer.change(markSegmentsDue),
    pauseJob: (id: number) => writer.change((under) => pauseJob(under.db, id)),
    resumeJob: (id: number, budget?: JobBudget) => writer.change((under) => resumeJob(under.db, id, budget)),
    cancelJob: (id: number) => writer.change((under) => cancelJob(under.db, id, Date.now() * 1000)),
    reindexState: () => loadReindexState(db),
    renewReindexJob: (interrupted: ReindexJob) => renewReindexJob(db, interrupted),
    beginReindex: () => writer.change((under) => beginReindex(under.db, Date.now() * 1000)),
    advanceReindex: (before: ReindexJob, job: ReindexJob) =>
      writer.change((under) => advanceReindex(under.db, before, job)),
    reindex: (spanRowIds: readonly number[]) => writer.reindex(spanRowIds),
    pricingJob: () => loadPricingJob(db),
    beginPricing: (scope: PricingScope) => writer.change((under) => beginPricing(under.db, scope, Date.now() * 1000)),
    advancePricing: (before: PricingJob, job: PricingJob) =>
      writer.change((under) => advancePricing(under.db, before, job)),
    reprice: (spanRowIds: readonly number[]) => writer.reprice(spanRowIds),
    query: (text: string, parameters: readonly unknown[]) => db.executeQuery(CompiledQuery.raw(text, [...parameters])),
  };
}

/** All handlers. */
export type WriterCalls = ReturnType<typeof exclusiveCalls> & {
  /** Makes the database ready, once. */
  readonly open: () => Promise<void>;
  /** Stores a request together with those that wait beside it; returns after the commit is synced. */
  readonly export: (packed: PackedExport) => Promise<ExportResult>;
  /** Runs the command of an operation; returns after its commit is synced. */
  readonly runCommand: (operation: string, caller: Caller, input: unknown) => Promise<CommandOutcome>;
  readonly close: () => Promise<void>;
};
