/** Deletes what the audit log has kept for long enough, a bounded number of rows in each transaction. */
import { JobLoop } from '../jobs/job-loop.ts';

/** What it works with. */
export interface AuditPruningOptions {
  /** How long rows are kept; 0 for ever. */
  readonly days: number;
  /** Deletes the oldest rows from before that time, so many at most; gives how many there were. */
  readonly prune: (beforeUs: number, limit: number) => Promise<number>;
  /** Microseconds since the Unix epoch. */
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
}

/** Looks once an hour, until it is stopped. */
export function auditPruningJob({ days, prune, now, onError }: AuditPruningOptions): JobLoop<number> {
  return new JobLoop({
    plan: async () => (days === 0 ? undefined : now() - days * DAY_US),
    apply: async (beforeUs) => ((await prune(beforeUs, ROWS_A_STEP)) === ROWS_A_STEP ? 'changed' : 'caught up'),
    // A step takes the writer a few milliseconds.
    isBusy: () => false,
    patienceMs: 0,
    firstMs: 0,
    everyMs: () => HOUR_MS,
    restMs: (_stepMs, applyMs) => 4 * applyMs,
    retryMs: [60_000, HOUR_MS],
    onError,
  });
}

const ROWS_A_STEP = 1000;
const HOUR_MS = 3_600_000;
const DAY_US = 24 * HOUR_MS * 1000;
