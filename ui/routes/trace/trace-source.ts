/** Reads one trace, page by page, and keeps it up to date. */
import type { Costs } from '#ui/lib/costs.ts';
import type { traceStatus } from '#ui/lib/trace-status.ts';
import { buildForest, type Forest } from './model/forest.ts';
import { addSpans, type TraceSpan } from './model/trace-span.ts';

/** What is known of a trace as a whole. */
export interface TraceSummary {
  /** Global id. */
  readonly id: string;
  readonly startTime: string;
  /** Null without an end, as long as every span is open. */
  readonly latencyMs: number | null;
  readonly spanCount: number;
  readonly errorCount: number;
  /** Log records that belong to none of its spans; a thousand stands for more. */
  readonly unattachedLogCount: number;
  readonly tokens: { readonly prompt: number; readonly completion: number; readonly total: number };
  readonly cost: Costs;
  readonly userId: string | null;
  /** The global id and the application's own. */
  readonly session: { readonly id: string; readonly sessionId: string } | null;
  readonly rootName: string | null;
  readonly status: ReturnType<typeof traceStatus>;
}

/** Spans of a trace, with the trace as it was then. */
export interface TracePage {
  readonly summary: TraceSummary;
  readonly spans: readonly TraceSpan[];
  /** Null at the end. */
  readonly nextCursor: string | null;
}

/** How pages and spans are read; both reject when the server cannot be asked. */
export interface TraceReader {
  /** Earliest start first. Null: there is no such trace. */
  readEarliest(request: PageRequest): Promise<TracePage | null>;
  /** The last that arrived first, few at a time. */
  readNewest(request: PageRequest): Promise<TracePage | null>;
  /** The spans of these global ids that exist. */
  readSpans(ids: readonly string[]): Promise<readonly TraceSpan[]>;
}

/** Which page. */
export interface PageRequest {
  /** Spans at most. */
  readonly limit: number;
  readonly after: string | null;
}

/** What the panel shows. */
export interface TraceState {
  readonly phase: 'opening' | 'loading' | 'complete' | 'missing' | 'failed';
  /** Also of a trace that is missing now, where it was there before. */
  readonly summary: TraceSummary | null;
  readonly forest: Forest;
  /** May be ahead of the forest, which grows in larger steps. */
  readonly loadedCount: number;
  /** Why it failed, or could not be brought up to date. */
  readonly error: Error | null;
}

/** Spans that are shown first: the first rows must not wait for the last. */
const PAGE_SIZE = 1000;
/** What follows comes in large steps, each of which blocks the page for a moment. */
const LARGE_PAGE_SIZE = 20_000;
/** What is new is usually little. */
const NEWS_SIZE = 200;
/** Open spans are read again when something changed; this many at a time. */
const SPANS_AT_ONCE = 100;
/** More open spans than this wait for all spans to be read again. */
const MAX_OPEN_READ = 500;

/** When all spans of a large trace are read again because something changed in it. */
export interface SweepPace {
  /** Changes come in bunches. */
  readonly leastRestMs: number;
  /** Times the last reading took: a trace that changes all the time is not read all the time. */
  readonly restFactor: number;
}

const PACE: SweepPace = { leastRestMs: 2000, restFactor: 5 };

/** A trace that is being read: `open` it, listen, and read `getState`. */
export class TraceSource {
  readonly #reader: TraceReader;
  readonly #spans = new Map<string, TraceSpan>();
  readonly #listeners = new Set<() => void>();
  #state: TraceState = { phase: 'opening', summary: null, forest: buildForest([]), loadedCount: 0, error: null };
  #cursor: string | null = null;
  /** The current work; work that finds that it was replaced ends. */
  #work: object | null = null;
  #isStale = false;
  /** The spans are not those of the tree any more. */
  #isTreeOld = false;
  readonly #pace: SweepPace;
  #restMs: number;
  #sweepTimer: ReturnType<typeof setTimeout> | undefined;
  #changeCount = 0;
  /** As many changes had come when all spans were last read. */
  #sweptCount = 0;

  constructor(reader: TraceReader, pace = PACE) {
    this.#reader = reader;
    this.#pace = pace;
    this.#restMs = pace.leastRestMs;
  }

  readonly getState = (): TraceState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Reads what has not been read yet, until what it returns is called. */
  open(): () => void {
    this.retry();
    return () => {
      this.#work = null;
      clearTimeout(this.#sweepTimer);
      this.#sweepTimer = undefined;
    };
  }

  /** Reads on where reading failed. */
  readonly retry = (): void => {
    if (this.#state.phase === 'complete') this.#catchUp();
    else this.#start(() => this.#load());
  };

  /**
   * Reads what came or changed since; while something is being read already, once more after it.
   * @param isOfTrace whether the change is known to be in this trace
   */
  readonly refresh = (isOfTrace = true): void => {
    // What may have changed somewhere while the trace is being opened is read by that.
    if (isOfTrace || this.#state.phase === 'complete') this.#changeCount++;
    this.#catchUp();
  };

  #catchUp(): void {
    if (this.#work !== null) this.#isStale = true;
    else if (this.#state.phase === 'complete') this.#start(() => this.#readNews());
    else this.#start(() => this.#load());
  }

  #start(run: () => Promise<void>): void {
    const work = {};
    this.#work = work;
    run()
      .catch((error: unknown) => {
        if (this.#work !== work) return;
        const phase = this.#state.phase === 'complete' ? 'complete' : 'failed';
        this.#publish({ phase, error: error instanceof Error ? error : new Error(String(error)) });
      })
      .finally(() => {
        if (this.#work !== work) return;
        this.#work = null;
        if (this.#isStale && this.#state.phase !== 'failed') {
          this.#isStale = false;
          this.#catchUp();
        } else if (this.#state.error === null) {
          this.#planSweep();
        }
      });
  }

  async #load(): Promise<void> {
    const work = this.#work;
    // The tree is rebuilt whenever the number of spans has doubled, so that all of it takes linear time.
    let nextBuild = 0;
    for (;;) {
      const limit = this.#cursor === null ? PAGE_SIZE : LARGE_PAGE_SIZE;
      const page = await this.#reader.readEarliest({ limit, after: this.#cursor });
      if (this.#work !== work) return;
      if (page === null) return this.#publish({ phase: 'missing', error: null });
      this.#add(page.spans);
      this.#cursor = page.nextCursor;
      const isEnd = page.nextCursor === null;
      const isDue = isEnd || this.#spans.size >= nextBuild;
      if (isDue) nextBuild = this.#spans.size * 2;
      this.#publish({
        phase: isEnd ? 'complete' : 'loading',
        summary: page.summary,
        forest: isDue ? this.#buildForest() : this.#state.forest,
        error: null,
      });
      if (isEnd) return;
    }
  }

  async #readNews(): Promise<void> {
    const work = this.#work;
    // All of a small trace fits into a page, which brings spans that were sent again too.
    const limit = this.#spans.size < PAGE_SIZE ? PAGE_SIZE : NEWS_SIZE;
    await this.#readOpenSpans();
    if (this.#work !== work) return;
    let { summary } = this.#state;
    let after: string | null = null;
    do {
      const page: TracePage | null = await this.#reader.readNewest({ limit, after });
      if (this.#work !== work) return;
      if (page === null) return this.#vanish();
      this.#add(page.spans);
      summary = page.summary;
      after = page.nextCursor;
      // Spans that came while pages were read by start may lie behind ones that are known: only the count tells.
    } while (after !== null && this.#spans.size < (summary?.spanCount ?? 0));
    this.#publish({ summary, forest: this.#buildForest(), error: null });
  }

  async #readOpenSpans(): Promise<void> {
    if (this.#spans.size < PAGE_SIZE) return;
    const work = this.#work;
    const open = [...this.#spans.values()].filter(({ endMs }) => endMs === null).slice(0, MAX_OPEN_READ);
    for (let at = 0; at < open.length; at += SPANS_AT_ONCE) {
      const spans = await this.#reader.readSpans(open.slice(at, at + SPANS_AT_ONCE).map(({ id }) => id));
      if (this.#work !== work) return;
      this.#add(spans);
    }
  }

  #planSweep(): void {
    if (this.#spans.size < PAGE_SIZE) this.#sweptCount = this.#changeCount;
    if (this.#sweptCount === this.#changeCount || this.#sweepTimer !== undefined) return;
    this.#sweepTimer = setTimeout(() => {
      this.#sweepTimer = undefined;
      // Work in progress plans it again at its end.
      if (this.#work === null) this.#start(() => this.#sweep());
    }, this.#restMs);
  }

  /** Reads all spans again: nothing else tells which of those that had ended were sent once more. */
  async #sweep(): Promise<void> {
    const work = this.#work;
    const beganAtMs = performance.now();
    const changeCount = this.#changeCount;
    let { summary } = this.#state;
    let after: string | null = null;
    do {
      const page: TracePage | null = await this.#reader.readEarliest({ limit: LARGE_PAGE_SIZE, after });
      if (this.#work !== work) return;
      if (page === null) return this.#vanish();
      this.#add(page.spans);
      summary = page.summary;
      after = page.nextCursor;
      if (!this.#isStale) continue;
      this.#isStale = false;
      await this.#readNews();
      if (this.#work !== work) return;
    } while (after !== null);
    this.#sweptCount = changeCount;
    this.#restMs = Math.max(this.#pace.leastRestMs, (performance.now() - beganAtMs) * this.#pace.restFactor);
    this.#publish({ summary, forest: this.#buildForest(), error: null });
  }

  /** The trace was there and is not any more: what was said of it as a whole tells the one from the other. */
  #vanish(): void {
    this.#spans.clear();
    this.#cursor = null;
    this.#isTreeOld = true;
    this.#sweptCount = this.#changeCount;
    this.#publish({ phase: 'missing', forest: this.#buildForest(), error: null });
  }

  #add(spans: readonly TraceSpan[]): void {
    if (addSpans(this.#spans, spans) > 0) this.#isTreeOld = true;
  }

  #buildForest(): Forest {
    if (!this.#isTreeOld) return this.#state.forest;
    this.#isTreeOld = false;
    return buildForest(this.#spans.values());
  }

  #publish(changes: Partial<TraceState>): void {
    this.#state = { ...this.#state, ...changes, loadedCount: this.#spans.size };
    for (const listener of this.#listeners) listener();
  }
}
