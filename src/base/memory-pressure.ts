/**
 * Whether the process has come close to the memory that it may take, whatever took it: accounts hold estimates, and neither the heaps of
 * threads nor what was dropped and is not collected yet.
 */
import { readFileSync } from 'node:fs';

/** When memory is short, and who hears of it. */
export interface MemoryPressureOptions {
  /** Short from so many bytes on. */
  readonly fromBytes: number;
  /** Reads the bytes that the process takes now. */
  readonly readBytes?: () => number;
  /** Called while memory is short, after two seconds, four and so on up to sixteen, and never from within {@link MemoryPressure.isHigh}. */
  readonly onHigh: () => void;
  /** Called once it is not any more. */
  readonly onRelief: () => void;
}

/** Looks several times a second, and when somebody asks. */
export class MemoryPressure implements Disposable {
  readonly #options: MemoryPressureOptions;
  readonly #readBytes: () => number;
  readonly #timer: NodeJS.Timeout;
  #isHigh = false;
  #wasHigh = false;
  #readAtMs = Number.NEGATIVE_INFINITY;
  #silentUntilMs = Number.NEGATIVE_INFINITY;
  #pauseMs = FIRST_PAUSE_MS;

  constructor(options: MemoryPressureOptions) {
    this.#options = options;
    this.#readBytes = options.readBytes ?? readOwnBytes;
    this.#timer = setInterval(() => this.#tell(), EVERY_MS).unref();
  }

  /** As it was 20 ms ago at most. */
  isHigh(): boolean {
    const nowMs = performance.now();
    if (nowMs - this.#readAtMs >= FRESH_MS) {
      this.#readAtMs = nowMs;
      this.#isHigh = this.#readBytes() >= this.#options.fromBytes;
    }
    return this.#isHigh;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #tell(): void {
    const isHigh = this.isHigh();
    const nowMs = performance.now();
    if (isHigh && nowMs >= this.#silentUntilMs) {
      this.#options.onHigh();
      this.#silentUntilMs = nowMs + this.#pauseMs;
      this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
    }
    if (this.#wasHigh && !isHigh) {
      this.#pauseMs = FIRST_PAUSE_MS;
      this.#options.onRelief();
    }
    this.#wasHigh = isHigh;
  }
}

/**
 * Resident memory that no file backs, where the system says so: it takes the rest back when it needs it.
 * @see https://man7.org/linux/man-pages/man5/proc_pid_status.5.html
 */
function readOwnBytes(): number {
  if (process.platform !== 'linux') return process.memoryUsage.rss();
  const [, kib] = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'latin1')) ?? [];
  return kib === undefined ? process.memoryUsage.rss() : Number(kib) * 1024;
}

const EVERY_MS = 100;
const FRESH_MS = 20;
const FIRST_PAUSE_MS = 2000;
const LONGEST_PAUSE_MS = 16_000;
