/** What the writer's thread answers. */
import { CompiledQuery } from 'kysely';
import { errorMessage } from '#base/errors';
import type { Caller } from '#domain/caller';
import { bulkCalls } from './bulk/writer-calls.ts';
import type { SegmentPlan } from './columns/build-segment.ts';
import { markSegmentDue, markSegmentsDue, openSegments, storeSegment } from './columns/store-segment.ts';
import type { CommandOutcome } from './commands/command-runner.ts';
import { addDictionary, type NewDictionary } from './compaction/dictionaries.ts';
import type { CompactionPlan } from './compaction/plan.ts';
import type { deletionCalls } from './deletion/writer-calls.ts';
import type { Damage, SummedStretch } from './engine/damage.ts';
import type { WriteEngine } from './engine/engine.ts';
import type { JobBudget, JobId } from './jobs/job.ts';
import { cancelJob, pauseJob, resumeJob } from './jobs/job-rows.ts';
import { sumStretchAgain } from './projects/sum-again.ts';
import { auditJobChange, auditPassEnd, auditPassStart, auditRebuild } from './reindex/audit-jobs.ts';
import { findDamagedTables, renewTables } from './renewal/renew-tables.ts';
import type { Tables } from './schema/tables.ts';
import {
  advancePricing,
  beginPricing,
  loadPricingJob,
  type PricingJob,
  type PricingScope,
} from './reindex/pricing-job.ts';
import { advanceReindex, beginReindex, loadReindexState, renewReindexJob, type ReindexJob } from './reindex/state.ts';
import type { IndexPlan } from './search/plan-index.ts';
import { readSearchProgress, startSearchRebuild, suspectPart } from './texts/progress.ts';
import { mendEnvelope } from './spans/write/mend-envelope.ts';
import { advanceVerification, forgetDiffering, type VerificationPlan } from './verification/plan-verification.ts';
import { storeIndex } from './search/store-index.ts';
import type { RelationalSpanWriter } from './writer/writer.ts';
import type { ExportResult, PackedExport } from './writer/port.ts';

/** The handlers that have the connection for themselves, one after the other. */
export function exclusiveCalls(engine: WriteEngine, writer: RelationalSpanWriter) {
  const { db } = engine;
  return {
    ...bulkCalls(writer, engine),
    searchProgress: () => readSearchProgress(db),
    rebuildSearchIndex: (caller: Caller) =>
      writer.change(async (under) => {
        await startSearchRebuild(under.db);
        await auditRebuild(under, caller, 'search');
      }),
    findDamagedTables: async (among: readonly (keyof Tables)[]) => findDamagedTables(engine.findDamagedTables, among),
    /** Not as the writer's other changes, which begin with reading what may be damaged. */
    renewTables: async (damaged: readonly string[]) => {
      const outcome = await renewTables(engine, damaged);
      writer.forget();
      return outcome;
    },
    suspectSearchPart: (part: number) => writer.change(({ db: under }) => suspectPart(under, part)),
    openSegments: () => writer.change(openSegments),
    markSegmentDue: (segment: number) => writer.change((scope) => markSegmentDue(scope, segment)),
    markSegmentsDue: (caller: Caller) =>
      writer.change(async (under) => {
        await markSegmentsDue(under);
        await auditRebuild(under, caller, 'columns');
      }),
    pauseJob: (caller: Caller, job: JobId) =>
      writer.change(async (under) =>
        auditJobChange(under, caller, 'jobs.pause', job, await pauseJob(under.db, job.id)),
      ),
    resumeJob: (caller: Caller, job: JobId, budget?: JobBudget) =>
      writer.change(async (under) =>
        auditJobChange(under, caller, 'jobs.resume', job, await resumeJob(under.db, job.id, budget)),
      ),
    cancelJob: (caller: Caller, job: JobId) =>
      writer.change(async (under) =>
        auditJobChange(under, caller, 'jobs.cancel', job, await cancelJob(under.db, job.id, Date.now() * 1000)),
      ),
    reindexState: () => loadReindexState(db),
    renewReindexJob: (interrupted: ReindexJob) => renewReindexJob(db, interrupted),
    beginReindex: (caller: Caller) =>
      writer.change(async (under) => {
        const nowUs = Date.now() * 1000;
        const job = await beginReindex(under.db, nowUs);
        await auditPassStart(under, caller, 'reindex', job, nowUs);
        return job;
      }),
    advanceReindex: (before: ReindexJob, job: ReindexJob) =>
      writer.change(async (under) => {
        const isAdvanced = await advanceReindex(under.db, before, job);
        if (isAdvanced) await auditPassEnd(under, 'reindex', job);
        if (isAdvanced && job.finishedAtUs !== null) await forgetDiffering(under.db);
        return isAdvanced;
      }),
    reindex: (spanRowIds: readonly number[]) => writer.reindex(spanRowIds),
    pricingJob: () => loadPricingJob(db),
    beginPricing: (caller: Caller, scope: PricingScope) =>
      writer.change(async (under) => {
        const nowUs = Date.now() * 1000;
        const job = await beginPricing(under.db, scope, nowUs);
        await auditPassStart(under, caller, 'repricing', job, nowUs);
        return job;
      }),
    advancePricing: (before: PricingJob, job: PricingJob) =>
      writer.change(async (under) => {
        const isAdvanced = await advancePricing(under.db, before, job);
        if (isAdvanced) await auditPassEnd(under, 'repricing', job);
        return isAdvanced;
      }),
    advanceVerification: (plan: VerificationPlan) => writer.change(({ db }) => advanceVerification(db, plan)),
    /** Not as the writer's other changes, which begin with reading what may be damaged. */
    rebuildIndex: async (name: string) => engine.rebuildIndexes?.(name),
    sumStretchAgain: (stretch: SummedStretch) => writer.change(({ db: under }) => sumStretchAgain(under, stretch)),
    mendEnvelope: (envelope: NonNullable<Damage['envelope']>) =>
      writer.change((scope) => mendEnvelope({ ...scope, rebuildIndexes: engine.rebuildIndexes }, envelope)),
    reprice: (spanRowIds: readonly number[]) => writer.reprice(spanRowIds),
    /** Why nothing can be stored now; `null` where it can. */
    findStoringProblem: async (): Promise<string | null> => {
      try {
        await engine.assertRoom();
        return null;
      } catch (error) {
        return errorMessage(error);
      }
    },
    query: (text: string, parameters: readonly unknown[]) => db.executeQuery(CompiledQuery.raw(text, [...parameters])),
  };
}

/** Those that take room by themselves, for what is stored already. */
export function growingCalls(writer: RelationalSpanWriter) {
  return {
    storeSearchIndex: (plan: IndexPlan) => writer.change((scope) => storeIndex(scope, plan)),
    storeSegment: (plan: SegmentPlan) => writer.change((scope) => storeSegment(scope, plan)),
    addDictionary: (dictionary: NewDictionary) => writer.change((scope) => addDictionary(scope.db, dictionary)),
    compact: (plans: readonly CompactionPlan[]) => writer.compact(plans),
  };
}

/** All handlers. */
export type WriterCalls = ReturnType<typeof exclusiveCalls> &
  ReturnType<typeof deletionCalls> &
  ReturnType<typeof growingCalls> & {
    /** Makes the database ready, once. */
    readonly open: () => Promise<void>;
    /** Stores a request together with those that wait beside it; returns after the commit is synced. */
    readonly export: (packed: PackedExport) => Promise<ExportResult>;
    /** Runs the command of an operation; returns after its commit is synced. */
    readonly runCommand: (operation: string, caller: Caller, input: unknown) => Promise<CommandOutcome>;
    readonly close: () => Promise<void>;
  };
