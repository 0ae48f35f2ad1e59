/**
 * Whether the process has come close to the memory that it may take, whatever took it: accounts hold estimates, and neither the heaps of
 * threads nor what was dropped and is not collected yet.
 */
import { closeSync, openSync, readSync } from 'node:fs';

/** When memory is short, and who hears of it. */
export interface MemoryPressureOptions {
  /** Short from so many bytes on. */
  readonly fromBytes: number;
  /** Reads the bytes that the process takes now; `undefined` where that cannot be known, which is no shortage. */
  readonly readBytes?: () => number | undefined;
  /** Called while memory is short, after two seconds, four and so on up to sixteen, and never from within {@link MemoryPressure.isHigh}. */
  readonly onHigh: () => void;
  /** Called once it is not any more. */
  readonly onRelief: () => void;
}

/** Looks several times a second once it is started, and when somebody asks. */
export class MemoryPressure implements Disposable {
  readonly #options: MemoryPressureOptions;
  readonly #readBytes: () => number | undefined;
  #status: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isHigh = false;
  #owesRelief = false;
  #readAtMs = Number.NEGATIVE_INFINITY;
  #silentUntilMs = Number.NEGATIVE_INFINITY;
  #pauseMs = FIRST_PAUSE_MS;

  constructor(options: MemoryPressureOptions) {
    this.#options = options;
    this.#readBytes = options.readBytes ?? (() => readOwnBytes(this.#status));
  }

  /** Begins to look, until it is disposed of. What it says does not change before and afterwards. */
  start(): void {
    this.#status = openStatus();
    this.#timer = setInterval(() => this.#tell(), EVERY_MS).unref();
  }

  /** As it was 20 ms ago at most. */
  isHigh(): boolean {
    const nowMs = performance.now();
    if (this.#timer !== undefined && nowMs - this.#readAtMs >= FRESH_MS) {
      this.#readAtMs = nowMs;
      this.#isHigh = (this.#readBytes() ?? 0) >= this.#options.fromBytes;
      // Who was refused in a moment between two looks of the timer hears of the relief, too.
      this.#owesRelief ||= this.#isHigh;
    }
    return this.#isHigh;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    const status = this.#status;
    // A second end must not close what has the number by then.
    this.#status = undefined;
    if (status !== undefined) closeSync(status);
  }

  #tell(): void {
    const isHigh = this.isHigh();
    const nowMs = performance.now();
    if (isHigh && nowMs >= this.#silentUntilMs) {
      this.#options.onHigh();
      this.#silentUntilMs = nowMs + this.#pauseMs;
      this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
    }
    if (this.#owesRelief && !isHigh) {
      this.#owesRelief = false;
      this.#pauseMs = FIRST_PAUSE_MS;
      this.#options.onRelief();
    }
  }
}

/** Opened once: a process that has no file descriptors left would fail to open it, again and again. */
function openStatus(): number | undefined {
  try {
    return openSync('/proc/self/status', 'r');
  } catch {
    // Other systems have no such file.
    return undefined;
  }
}

/**
 * Resident memory that no file backs, where the system says so: it takes the rest back when it needs it.
 * @see https://man7.org/linux/man-pages/man5/proc_pid_status.5.html
 */
function readOwnBytes(status: number | undefined): number | undefined {
  try {
    if (status === undefined) return process.memoryUsage.rss();
    const length = readSync(status, STATUS, 0, STATUS.length, 0);
    const [, kib] = /^RssAnon:\s+(\d+) kB$/m.exec(STATUS.toString('latin1', 0, length)) ?? [];
    return kib === undefined ? undefined : Number(kib) * 1024;
  } catch {
    return undefined;
  }
}

/** Several times what the file has. */
const STATUS = Buffer.alloc(8192);

const EVERY_MS = 100;
const FRESH_MS = 20;
const FIRST_PAUSE_MS = 2000;
const LONGEST_PAUSE_MS = 16_000;
