/** When keys were used last: to the minute, and written in the background. What a crash loses of it does no harm. */
import type { Logger } from '#base/log';
import type { KeyUse } from '#resources/api-keys/commands';

/** Who writes it down, and hears that this did not work. */
export interface KeyUsesOptions {
  readonly write: (uses: readonly KeyUse[]) => Promise<void>;
  readonly log: Pick<Logger, 'warn'>;
}

/** Notes uses of keys, each key at most once a minute, and writes those of some seconds together. */
export class KeyUses {
  readonly #options: KeyUsesOptions;
  /** The minute of {@link #seen}, since the Unix epoch. */
  #minute = 0;
  readonly #seen = new Set<number>();
  readonly #due = new Map<number, number>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(options: KeyUsesOptions) {
    this.#options = options;
  }

  /** Called with each request that shows a key. */
  readonly note = (keyRowId: number): void => {
    const minute = Math.floor(Date.now() / MS_PER_MINUTE);
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#seen.clear();
    }
    if (this.#seen.has(keyRowId)) return;
    this.#seen.add(keyRowId);
    this.#due.set(keyRowId, minute * MS_PER_MINUTE * 1000);
    // Nothing waits for it, least of all the end of the process.
    this.#timer ??= setTimeout(() => this.#flush(), WRITE_AFTER_MS).unref();
  };

  /** Writes what was noted, and waits for that. */
  async close(): Promise<void> {
    this.#flush();
    await this.#writing;
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const uses = [...this.#due].map(([rowId, atUs]) => ({ rowId, atUs }));
    this.#due.clear();
    if (uses.length > 0) this.#writing = this.#writing.then(() => this.#write(uses));
  }

  async #write(uses: readonly KeyUse[]): Promise<void> {
    try {
      await this.#options.write(uses);
    } catch (error) {
      this.#options.log.warn('When keys were used last could not be stored.', { error });
    }
  }
}

const MS_PER_MINUTE = 60_000;

/** So long the uses of several keys are gathered for one command. */
const WRITE_AFTER_MS = 5000;
