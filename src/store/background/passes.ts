/** The passes over all stored spans, with the threads that do their work. */
import { errorMessage } from '#base/errors';
import type { ForCaller } from '#domain/caller';
import { NORMALIZER_VERSION } from '#normalize/version';
import type { Coordination } from '../coordination/port.ts';
import type { PricingJob, PricingScope } from '../reindex/pricing-job.ts';
import { orUnavailable } from '../threads/or-unavailable.ts';
import type { StoreThreads } from '../store-threads.ts';
import type { ThreadOptions } from '../threads/thread.ts';
import type { TouchedProject } from '../engine/touched-project.ts';
import { type PassJob, passJob, type PassOptions as PassJobOptions, type PassState } from '../reindex/pass-job.ts';
import type { ReindexJob } from '../reindex/state.ts';

/** How fast passes go, who is told what they come to, and where they changed something. */
export interface PassOptions extends Pick<ThreadOptions, 'onLog'> {
  readonly reindexing: Pick<PassJobOptions<ReindexJob>, 'restRatio' | 'onStep'> & {
    readonly onTouched: (touched: readonly TouchedProject[]) => void;
  };
}

/** Who works. */
export type PassThreads = Pick<StoreThreads, 'writer' | 'background'>;

/** A pass as every server is asked for it, whichever does the work. */
export interface Pass<Job extends PassJob, Wish> {
  /** Begins a job, or joins the one that is under way. */
  start(wish: Wish): Promise<Job>;
  /** How things stand: the job under way, or the last one. */
  readState(): Promise<PassState<Job>>;
}

/** Reads stored spans again, by today's rules. */
export type NormalizePass = Pass<ReindexJob, void>;

/** Prices stored spans again, by the prices of now. */
export type PricingPass = Pass<PricingJob, PricingScope>;

/** The pass that reads spans again. */
export function coordinateNormalizing(
  options: PassOptions,
  threads: PassThreads,
  coordination: Pick<Coordination, 'serve' | 'announce'>,
): ForCaller<NormalizePass> {
  const { writer, background } = threads;
  const readState = () => writer.call('reindexState', []);
  coordination.serve('reindex', () =>
    passJob<ReindexJob>({
      ...commonOptions(options, threads, 'reindex'),
      what: 'read',
      onStep: options.reindexing.onStep,
      load: async () => (await readState()).job,
      // What was read by the rules of another version has to be read once more.
      renew: (interrupted) =>
        interrupted.version === NORMALIZER_VERSION ? interrupted : writer.call('renewReindexJob', [interrupted]),
      plan: ({ nextRowId, endRowId }) => background.call('planReindex', [nextRowId, endRowId]),
      advance: (before, after) => writer.call('advanceReindex', [before, after]),
    }),
  );
  return (caller) => ({
    start: async () => {
      const job = await writer.call('beginReindex', [caller]);
      coordination.announce('reindex');
      return job;
    },
    readState: () => orUnavailable(readState()),
  });
}

/** The pass that prices spans again. */
export function coordinatePricing(
  options: PassOptions,
  threads: PassThreads,
  coordination: Pick<Coordination, 'serve' | 'announce'>,
): ForCaller<PricingPass> {
  const { writer, background } = threads;
  const load = () => writer.call('pricingJob', []);
  coordination.serve('repricing', () =>
    passJob<PricingJob>({
      ...commonOptions(options, threads, 'reprice'),
      what: 'priced',
      onStep: () => undefined,
      load,
      renew: (interrupted) => interrupted,
      plan: (job) => background.call('planPricing', [job]),
      advance: (before, after) => writer.call('advancePricing', [before, after]),
    }),
  );
  return (caller) => ({
    start: async (scope) => {
      const job = await writer.call('beginPricing', [caller, scope]);
      coordination.announce('repricing');
      return job;
    },
    readState: async () => ({ isStale: false, job: await orUnavailable(load()) }),
  });
}

function commonOptions({ reindexing, onLog }: PassOptions, { writer }: PassThreads, method: 'reindex' | 'reprice') {
  return {
    apply: async (spanRowIds: readonly number[]) => {
      const touched = await writer.call(method, [spanRowIds]);
      if (touched.length > 0) reindexing.onTouched(touched);
    },
    isBusy: () => writer.pendingCount > 0,
    restRatio: reindexing.restRatio,
    onError: (message: string, error: unknown) => onLog({ level: 'error', message, stack: errorMessage(error) }),
  };
}
