/**
 * Keeps segments up to date, from the main thread: a reader builds, the writer stores. It gives way to whatever else there
 * is to do, unless so much waits that questions would become slow.
 */
import type { LedJob } from '../coordination/port.ts';
import type { SegmentPlan } from './build-segment.ts';
import type { DueSegments } from './due-segments.ts';

/** What building a segment came to. */
export interface BuiltSegment {
  readonly rowCount: number;
  readonly bytes: number;
  readonly cpuSeconds: number;
}

/** The threads that do the work, and who is told of it. */
export interface SegmentKeeperOptions {
  readonly findDue: () => Promise<DueSegments>;
  /** Says whether there may be more to open. */
  readonly open: () => Promise<boolean>;
  /** Urgent is what must not wait until nobody else wants the processor. */
  readonly build: (segment: number, isUrgent: boolean) => Promise<SegmentPlan | undefined>;
  /** Says whether it was stored. */
  readonly store: (plan: SegmentPlan) => Promise<boolean>;
  /** Whether the writer has something more urgent to do. */
  readonly isBusy: () => boolean;
  readonly onBuilt: (built: BuiltSegment) => void;
  /** Told with each look how many spans can only be read from their rows. */
  readonly onLag: (rowCount: number) => void;
  readonly onError: (error: unknown) => void;
  /** How often to look. */
  readonly everyMs: number;
}

/** Runs until it is stopped. */
export class SegmentKeeper implements LedJob {
  readonly #options: SegmentKeeperOptions;
  readonly #stopping = new AbortController();
  readonly #changing = new Map<number, Changing>();
  readonly #running: Promise<void>;

  constructor(options: SegmentKeeperOptions) {
    this.#options = options;
    this.#running = this.#run();
  }

  /** Begins nothing more, and returns when what was begun is done. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  /**
   * Builds what is due, and returns when nothing is left.
   * @throws whatever goes wrong
   */
  async catchUp(): Promise<void> {
    while (!this.#stopping.signal.aborted && (await this.#look()) > 0);
  }

  async #run(): Promise<void> {
    for (;;) {
      await this.#pause(this.#options.everyMs);
      if (this.#stopping.signal.aborted) return;
      try {
        while (!this.#stopping.signal.aborted && (await this.#look()) > 0);
      } catch (error) {
        if (!this.#stopping.signal.aborted) this.#options.onError(error);
      }
    }
  }

  /** How many segments it built. */
  async #look(): Promise<number> {
    const { findDue, open, onLag } = this.#options;
    let found = await findDue();
    if (found.isAnyUnopened) {
      while (await open());
      found = await findDue();
    }
    onLag(found.rowCount);
    const wanted = [...found.due, ...this.#findSettled(found)];
    let built = 0;
    for (const segment of wanted) {
      if (this.#stopping.signal.aborted) return 0;
      if (await this.#build(segment, wanted.length >= URGENT)) built++;
    }
    return built;
  }

  /** Changed segments in which nothing changed for a moment, or that waited long enough for that. */
  #findSettled({ changed }: DueSegments): readonly number[] {
    const nowMs = performance.now();
    const before = new Map(this.#changing);
    this.#changing.clear();
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

  async #build(segment: number, isUrgent: boolean): Promise<boolean> {
    const { build, store, isBusy, onBuilt } = this.#options;
    for (let waitedMs = 0; waitedMs < MAX_WAIT_MS && isBusy(); waitedMs += WAIT_MS) await this.#pause(WAIT_MS);
    const startedMs = performance.now();
    const plan = await build(segment, isUrgent);
    const isStored = plan !== undefined && (await store(plan));
    if (isStored) {
      const bytes = plan.chunks.reduce((sum, { data }) => sum + data.length, 0);
      onBuilt({ rowCount: plan.head.rowCount, bytes, cpuSeconds: plan.cpuSeconds });
    }
    // Half of the time at most is for this while others want it.
    if (isBusy()) await this.#pause(performance.now() - startedMs);
    return isStored;
  }

  /** Ends early when the keeper is stopped. */
  async #pause(ms: number): Promise<void> {
    const { signal } = this.#stopping;
    if (signal.aborted) return;
    await new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      timer.unref();
      signal.addEventListener('abort', end);
    });
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

/** A segment whose rows change all the time is built anew that often. */
const MAX_CHANGING_MS = 60_000;

/** How long to wait for a moment in which the writer has nothing to do. */
const WAIT_MS = 5;
const MAX_WAIT_MS = 250;

/** Segments that wait without questions becoming slow. */
const URGENT = 32;
