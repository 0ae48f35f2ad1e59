/** What spans read and wrote, fetched for those that come into sight. */
import type { RecordedException } from '#ui/routes/span/model/events.ts';

/** What a span read, wrote and met. Texts are as long as they are. */
export interface LogContent {
  readonly input: string | null;
  readonly output: string | null;
  readonly statusMessage: string;
  readonly exceptions: readonly RecordedException[];
}

/** Fetches contents by global id; leaves out what does not exist. */
export type ReadContents = (ids: readonly string[]) => Promise<ReadonlyMap<string, LogContent>>;

/** Spans fetched in one request. */
const BATCH_SIZE = 20;
/** Somebody who scrolls past wants nothing. */
const SETTLE_MS = 120;

/** The contents of a trace's spans, as far as somebody looked at them. */
export class LogContents {
  readonly #read: ReadContents;
  readonly #listeners = new Set<() => void>();
  #loaded: ReadonlyMap<string, LogContent> = new Map();
  readonly #asked = new Set<string>();
  #wanted: readonly string[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(read: ReadContents) {
    this.#read = read;
  }

  readonly getLoaded = (): ReadonlyMap<string, LogContent> => this.#loaded;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Fetches these soon, unless others are wanted before; each is asked for once until it fails. */
  want(ids: readonly string[]): void {
    this.#wanted = ids;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#fetchWanted(), SETTLE_MS);
  }

  /** Fetches these now, one request after the other; rejects when one fails. */
  async fetchAll(ids: readonly string[], signal: AbortSignal): Promise<void> {
    const missing = ids.filter((id) => !this.#asked.has(id));
    for (let at = 0; at < missing.length && !signal.aborted; at += BATCH_SIZE) {
      await this.#fetch(missing.slice(at, at + BATCH_SIZE));
    }
  }

  async #fetchWanted(): Promise<void> {
    const missing = this.#wanted.filter((id) => !this.#asked.has(id));
    const batches = Array.from({ length: Math.ceil(missing.length / BATCH_SIZE) }, (_, batch) =>
      this.#fetch(missing.slice(batch * BATCH_SIZE, (batch + 1) * BATCH_SIZE)),
    );
    // What failed is asked for again when it comes into sight again.
    await Promise.allSettled(batches);
  }

  async #fetch(ids: readonly string[]): Promise<void> {
    for (const id of ids) this.#asked.add(id);
    try {
      const contents = await this.#read(ids);
      this.#loaded = new Map([...this.#loaded, ...contents]);
      for (const listener of this.#listeners) listener();
    } catch (error) {
      for (const id of ids) this.#asked.delete(id);
      throw error;
    }
  }
}
