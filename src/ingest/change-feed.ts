/** Tells those who watch a project that it is another now, mostly that spans of it were stored. What is told is in the database already. */
import { AppError } from '#base/errors';
import { MAX_TOUCHED_TRACES, type TouchedProject } from '#store/engine/touched-project';

/** What changed in a project since the event before. */
export interface ProjectChange {
  readonly projectRowId: number;
  /** Microseconds since the Unix epoch; not earlier than that of the event before. */
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

/** Where changes are told, and remembered since the server started, or last missed what others did. */
export class ChangeFeed {
  readonly #options: ChangeFeedOptions;
  readonly #watchers = new Set<Watcher>();
  readonly #lastChangesUs = new Map<number, number>();
  #sinceUs = 0;
  #lastChangeUs = 0;
  #isClosed = false;

  constructor(options: Partial<ChangeFeedOptions> = {}) {
    this.#options = { ...OPTIONS, ...options };
  }

  /** Of what was before nothing is known. */
  get sinceUs(): number {
    return this.#sinceUs;
  }

  /** The last change of any project; before there was one, {@link sinceUs}. */
  get lastChangeUs(): number {
    return this.#lastChangeUs;
  }

  /** The last change of the project after {@link sinceUs}. */
  lastChangeOfUs(projectRowId: number): number | undefined {
    return this.#lastChangesUs.get(projectRowId);
  }

  /** Tells of stored spans, and of projects that were changed themselves. What servers tell each other may come in any order. */
  publish(touched: readonly TouchedProject[]): void {
    for (const { projectRowId, traceIds, changedAtUs } of touched) {
      // What was under way when anything may have changed comes after that, and has the earlier moment.
      const markUs = Math.max(this.#lastChangesUs.get(projectRowId) ?? this.#sinceUs + 1, changedAtUs);
      this.#lastChangesUs.set(projectRowId, markUs);
      this.#lastChangeUs = Math.max(this.#lastChangeUs, markUs);
      for (const watcher of this.#watchers) {
        if (watcher.projectRowId === projectRowId) watcher.add(changedAtUs, traceIds);
      }
    }
  }

  /** Tells that any project may have changed until then. */
  publishAnything(untilUs: number): void {
    this.#lastChangeUs = Math.max(this.#lastChangeUs, untilUs);
    this.#sinceUs = Math.max(this.#sinceUs, untilUs);
    for (const [projectRowId, markUs] of this.#lastChangesUs) {
      if (markUs <= this.#sinceUs) this.#lastChangesUs.delete(projectRowId);
    }
    for (const watcher of this.#watchers) watcher.add(untilUs, null);
  }

  /**
   * The changes of a project from now on; the first event comes at once. End it by `return`.
   * @param holder of whose share it is one
   * @throws AppError `resource_exhausted` when too many watch already
   */
  watch(projectRowId: number, holder: string): AsyncIterableIterator<ProjectChange> {
    if (this.#watchers.size >= this.#options.maxWatchers) this.#displaceFor(holder);
    const watcher = new Watcher(projectRowId, holder, this.#options.intervalMs, () => this.#watchers.delete(watcher));
    this.#watchers.add(watcher);
    watcher.add(this.lastChangeOfUs(projectRowId) ?? this.#sinceUs, null);
    if (this.#isClosed) void watcher.return();
    return watcher;
  }

  /** Ends the oldest watcher of the holder that has most, if the newcomer would have fewer. @throws AppError `resource_exhausted` otherwise */
  #displaceFor(holder: string): void {
    const shares = Map.groupBy(this.#watchers, (watcher) => watcher.holder);
    let [largest, size]: [readonly Watcher[], number] = [[], (shares.get(holder)?.length ?? 0) + 1];
    for (const share of shares.values()) if (share.length > size) [largest, size] = [share, share.length];
    const [oldest] = largest;
    if (oldest === undefined) {
      throw new AppError('resource_exhausted', 'Too many subscriptions are already open. Try again later.');
    }
    void oldest.return();
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
  readonly holder: string;
  readonly #intervalMs: number;
  readonly #onEnd: () => void;
  #changedAtUs = 0;
  #gathered: { readonly traceIds: Set<string> | null } | undefined;
  #resolve: ((result: IteratorResult<ProjectChange, undefined>) => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #nextAtMs = 0;
  #isEnded = false;

  constructor(projectRowId: number, holder: string, intervalMs: number, onEnd: () => void) {
    this.projectRowId = projectRowId;
    this.holder = holder;
    this.#intervalMs = intervalMs;
    this.#onEnd = onEnd;
  }

  add(changedAtUs: number, traceIds: readonly string[] | null): void {
    const before = this.#gathered === undefined ? [] : this.#gathered.traceIds;
    const all = before === null || traceIds === null ? null : new Set([...before, ...traceIds]);
    this.#changedAtUs = Math.max(this.#changedAtUs, changedAtUs);
    this.#gathered = { traceIds: all === null || all.size > MAX_TOUCHED_TRACES ? null : all };
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
    const { traceIds } = this.#gathered;
    const value = {
      projectRowId: this.projectRowId,
      changedAtUs: this.#changedAtUs,
      traceIds: traceIds && [...traceIds],
    };
    this.#resolve({ done: false, value });
    this.#gathered = undefined;
    this.#resolve = undefined;
    this.#nextAtMs = performance.now() + this.#intervalMs;
  }
}
