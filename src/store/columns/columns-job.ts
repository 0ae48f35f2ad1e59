/**
 * Keeps segments up to date: a reader builds, the writer stores. It gives way to whatever else there is to do, unless so much waits
 * that questions would become slow.
 */
import { AppError } from '#base/errors';
import { isDamage, isStorageFailure } from '../engine/storage-error.ts';
import { JobLoop, type StepOutcome } from '../jobs/job-loop.ts';
import { LeftOut } from '../jobs/left-out.ts';
import type { SegmentPlan } from './build-segment.ts';
import type { DueSegments } from './due-segments.ts';

/** What building a segment came to. */
export interface BuiltSegment {
  readonly rowCount: number;
  readonly bytes: number;
  readonly cpuSeconds: number;
}

/** The threads that do the work, and who is told of it. */
export interface ColumnsOptions {
  /** What there is to do, without the segments that are left out for now. */
  readonly findDue: (leftOut: readonly number[]) => Promise<DueSegments>;
  /** Says whether there may be more to open. */
  readonly open: () => Promise<boolean>;
  /** Urgent is what must not wait until nobody else wants the processor. */
  readonly build: (segment: number, isUrgent: boolean) => Promise<SegmentPlan | undefined>;
  /** Says whether it was stored. */
  readonly store: (plan: SegmentPlan) => Promise<boolean>;
  /** Whether the writer has something more urgent to do. */
  readonly isBusy: () => boolean;
  readonly onBuilt: (built: BuiltSegment) => void;
  /** Told with each look how many spans wait for columns; 0 once it has stopped. */
  readonly onLag: (rowCount: number) => void;
  readonly onError: (error: unknown) => void;
  /** How often to look. */
  readonly everyMs: number;
}

/** Runs until it is stopped. */
export function columnsJob(options: ColumnsOptions): JobLoop<number> {
  const { isBusy, onLag, onError, everyMs } = options;
  const keeper = new Keeper(options);
  const retryMs = Math.min(everyMs, FIRST_RETRY_MS);
  return new JobLoop({
    plan: () => keeper.next(),
    apply: (segment) => keeper.buildFrom(segment),
    isBusy,
    patienceMs: 250,
    everyMs: () => everyMs,
    // Half of the time at most is for this while others want it.
    restMs: (_stepMs, applyMs) => (isBusy() ? applyMs : 0),
    retryMs: [retryMs, MAX_RETRY_MS],
    onError,
    // The next server says how many there are.
    onStopped: () => onLag(0),
  });
}

const FIRST_RETRY_MS = 2000;
const MAX_RETRY_MS = 60_000;

/** Knows what is due, and since when rows change. */
class Keeper {
  readonly #options: ColumnsOptions;
  #wanted: number[] = [];
  #isUrgent = false;
  #changing = new Map<number, Changing>();
  /** Segments that could not be built. */
  readonly #leftOut = new LeftOut();

  constructor(options: ColumnsOptions) {
    this.#options = options;
  }

  /** The next segment to build. */
  async next(): Promise<number | undefined> {
    if (this.#wanted.length === 0) await this.#look();
    return this.#wanted.shift();
  }

  /** Builds it, or the first one after it that can be stored. */
  async buildFrom(segment: number): Promise<StepOutcome> {
    for (let next: number | undefined = segment; next !== undefined; next = this.#wanted.shift()) {
      if (await this.#build(next)) return 'changed';
    }
    return 'unchanged';
  }

  async #look(): Promise<void> {
    const { findDue, open, onLag } = this.#options;
    const leftOut = this.#leftOut.items;
    let found = await findDue(leftOut);
    if (found.isAnyUnopened) {
      while (await open());
      found = await findDue(leftOut);
    }
    onLag(found.rowCount);
    this.#wanted = [...found.due, ...this.#findSettled(found)];
    this.#isUrgent = this.#wanted.length >= URGENT;
  }

  /** Changed segments in which nothing changed for a moment, or that waited long enough for that. */
  #findSettled({ changed }: DueSegments): readonly number[] {
    const nowMs = performance.now();
    const before = this.#changing;
    this.#changing = new Map();
    const settled: number[] = [];
    for (const { segment, state } of changed) {
      const known = before.get(segment);
      const sinceMs = known?.sinceMs ?? nowMs;
      const sameSinceMs = known?.state === state ? known.sameSinceMs : nowMs;
      if (nowMs - sameSinceMs >= QUIET_MS || nowMs - sinceMs >= MAX_CHANGING_MS) settled.push(segment);
      else this.#changing.set(segment, { state, sinceMs, sameSinceMs });
    }
    return settled;
  }

  async #build(segment: number): Promise<boolean> {
    const { build, store, onBuilt, onError } = this.#options;
    try {
      const plan = await build(segment, this.#isUrgent);
      if (plan === undefined || !(await store(plan))) return false;
      const bytes = plan.chunks.reduce((sum, { data }) => sum + data.length, 0);
      onBuilt({ rowCount: plan.head.rowCount, bytes, cpuSeconds: plan.cpuSeconds });
      return true;
    } catch (error) {
      if (!isDamage(error) && (error instanceof AppError || isStorageFailure(error))) throw error;
      // One that cannot be built must not keep the others from being built.
      onError(error);
      this.#leftOut.add(segment);
      return false;
    }
  }
}

/** Since when rows of a segment change, and since when no other did. */
interface Changing {
  readonly state: string;
  readonly sinceMs: number;
  readonly sameSinceMs: number;
}

/** What is sent for a trace after its first spans mostly comes within seconds. */
const QUIET_MS = 5000;

/** A segment whose rows change all the time is built again that often. */
const MAX_CHANGING_MS = 60_000;

/** Segments that wait without questions becoming slow. */
const URGENT = 32;
