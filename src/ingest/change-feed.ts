/** Tells those who watch a project that it is another now, mostly that spans of it were stored. What is told is in the database already. */
import { AppError } from '#base/errors';
import { MAX_TOUCHED_TRACES, type TouchedProject } from '#store/writer-port';

/** What changed in a project since the event before. */
export interface ProjectChange {
  readonly projectRowId: number;
  /** Microseconds since the Unix epoch; later than that of the event before. */
  readonly changedAtUs: number;
  /** OpenTelemetry ids; `null` where there are too many to name, and in the first event. */
  readonly traceIds: readonly string[] | null;
}

/** Bounds of a {@link ChangeFeed}. */
export interface ChangeFeedOptions {
  /** Time between two events of one watcher, at least. */
  readonly intervalMs: number;
  readonly maxWatchers: number;
}

/** A page that shows more than four states a second shows none; a watcher is an open connection. */
const OPTIONS: ChangeFeedOptions = { intervalMs: 250, maxWatchers: 100 };

/** Where changes are told, and remembered since the server started. */
export class ChangeFeed {
  readonly #options: ChangeFeedOptions;
  readonly #watchers = new Set<Watcher>();
  readonly #lastChangesUs = new Map<number, number>();
  readonly #startedAtUs = Date.now() * 1000;
  #lastChangeUs = this.#startedAtUs;
  /** When any project may have changed last without being named. */
  #anyChangeUs: number | undefined;
  #isClosed = false;

  constructor(options: Partial<ChangeFeedOptions> = {}) {
    this.#options = { ...OPTIONS, ...options };
  }

  /** When the server started; everything before is known to be older. */
  get startedAtUs(): number {
    return this.#startedAtUs;
  }

  /** The last change of any project, the start of the server before there was one. */
  get lastChangeUs(): number {
    return this.#lastChangeUs;
  }

  /** The last change of the project since the server started. */
  lastChangeOfUs(projectRowId: number): number | undefined {
    return this.#lastChangesUs.get(projectRowId) ?? this.#anyChangeUs;
  }

  /** Notes a change of projects beside what is in them. */
  touch(): void {
    // Two changes within the resolution of the clock are two changes all the same.
    this.#lastChangeUs = Math.max(Date.now() * 1000, this.#lastChangeUs + 1);
  }

  /** Tells of stored spans, and of projects that were changed themselves. */
  publish(touched: readonly TouchedProject[]): void {
    for (const { projectRowId, traceIds } of touched) {
      this.touch();
      this.#lastChangesUs.set(projectRowId, this.#lastChangeUs);
      for (const watcher of this.#watchers) {
        if (watcher.projectRowId === projectRowId) watcher.add(this.#lastChangeUs, traceIds);
      }
    }
  }

  /** Tells that spans of any project may have been stored. */
  publishAnything(): void {
    this.touch();
    this.#anyChangeUs = this.#lastChangeUs;
    this.#lastChangesUs.clear();
    for (const watcher of this.#watchers) watcher.add(this.#lastChangeUs, null);
  }

  /**
   * The changes of a project from now on; the first event comes at once. End it by `return`.
   * @throws AppError `resource_exhausted` when too many watch already
   */
  watch(projectRowId: number): AsyncIterableIterator<ProjectChange> {
    if (this.#watchers.size >= this.#options.maxWatchers) {
      throw new AppError('resource_exhausted', 'Too many subscriptions are open already. Try again later.');
    }
    const watcher = new Watcher(projectRowId, this.#options.intervalMs, () => this.#watchers.delete(watcher));
    this.#watchers.add(watcher);
    watcher.add(this.lastChangeOfUs(projectRowId) ?? this.#startedAtUs, null);
    if (this.#isClosed) void watcher.return();
    return watcher;
  }

  /** Ends all watching. */
  close(): void {
    this.#isClosed = true;
    for (const watcher of this.#watchers) void watcher.return();
  }
}

const DONE = { done: true, value: undefined } as const;

/** One who watches: gathers what changes until the next event is due. */
class Watcher implements AsyncIterableIterator<ProjectChange, undefined> {
  readonly projectRowId: number;
  readonly #intervalMs: number;
  readonly #onEnd: () => void;
  #gathered: { changedAtUs: number; traceIds: Set<string> | null } | undefined;
  #resolve: ((result: IteratorResult<ProjectChange, undefined>) => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #nextAtMs = 0;
  #isEnded = false;

  constructor(projectRowId: number, intervalMs: number, onEnd: () => void) {
    this.projectRowId = projectRowId;
    this.#intervalMs = intervalMs;
    this.#onEnd = onEnd;
  }

  add(changedAtUs: number, traceIds: readonly string[] | null): void {
    const before = this.#gathered === undefined ? [] : this.#gathered.traceIds;
    const all = before === null || traceIds === null ? null : new Set([...before, ...traceIds]);
    this.#gathered = { changedAtUs, traceIds: all === null || all.size > MAX_TOUCHED_TRACES ? null : all };
    this.#deliver();
  }

  next(): Promise<IteratorResult<ProjectChange, undefined>> {
    if (this.#isEnded) return Promise.resolve(DONE);
    return new Promise((resolve) => {
      this.#resolve = resolve;
      this.#deliver();
    });
  }

  return(): Promise<IteratorResult<ProjectChange, undefined>> {
    this.#isEnded = true;
    clearTimeout(this.#timer);
    this.#onEnd();
    this.#resolve?.(DONE);
    return Promise.resolve(DONE);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #deliver(): void {
    if (this.#resolve === undefined || this.#gathered === undefined || this.#timer !== undefined) return;
    const waitMs = this.#nextAtMs - performance.now();
    if (waitMs > 0) {
      this.#timer = setTimeout(() => {
        this.#timer = undefined;
        this.#nextAtMs = 0;
        this.#deliver();
      }, waitMs);
      return;
    }
    const { changedAtUs, traceIds } = this.#gathered;
    const value = { projectRowId: this.projectRowId, changedAtUs, traceIds: traceIds === null ? null : [...traceIds] };
    this.#resolve({ done: false, value });
    this.#gathered = undefined;
    this.#resolve = undefined;
    this.#nextAtMs = performance.now() + this.#intervalMs;
  }
}
