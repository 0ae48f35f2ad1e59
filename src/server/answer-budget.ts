/**
 * A bound on the bytes of all answers that are being made, or were made and not taken yet by whoever asked.
 *
 * Nobody knows before how large an answer becomes, so it takes room as it grows, and is given up where there is none.
 * Small answers have room of their own: pages go on working while large answers are refused. An answer that was sent a
 * while ago and is not taken yet gives way to those that need its room.
 */

/** The bounds of an {@link AnswerBudget}. */
export interface AnswerBudgetOptions {
  /** For all answers that are not small. One that is larger than that alone is admitted when no other is there. */
  readonly maxBytes: number;
  /** For all small answers. */
  readonly maxSmallBytes: number;
  /** An answer that was sent so long ago is cut off when another needs its room. */
  readonly patienceMs: number;
  /** How long an answer that was not begun waits while more than half of the room is taken. */
  readonly waitMs: number;
}

/** Where nothing is said of the memory; of a page of spans over REST the room holds sixteen, of the largest answers of GraphQL two. */
const OPTIONS: AnswerBudgetOptions = {
  maxBytes: 256 * 1024 * 1024,
  maxSmallBytes: 64 * 1024 * 1024,
  patienceMs: 60_000,
  waitMs: 1000,
};

/** What a page of a table needs, and more. */
const SMALL_BYTES = 64 * 1024;

/** Answers that only say that something is not so need no room, least of all that there is none. */
const FREE_BYTES = 1024;

/** Shares out a fixed number of bytes. */
export class AnswerBudget {
  readonly #options: AnswerBudgetOptions;
  /** Those that were sent, the oldest first. */
  readonly #sent = new Set<Share>();
  readonly #waiting = new Set<() => void>();
  #largeBytes = 0;
  #smallBytes = 0;

  constructor(options: Partial<AnswerBudgetOptions> = {}) {
    this.#options = { ...OPTIONS, ...options };
  }

  get maxBytes(): number {
    return this.#options.maxBytes + this.#options.maxSmallBytes;
  }

  /** The bytes that are taken now. */
  get takenBytes(): number {
    return this.#largeBytes + this.#smallBytes;
  }

  /** How many wait before they are made. */
  get waitingCount(): number {
    return this.#waiting.size;
  }

  /** Room for an answer, nothing of it yet. */
  open(): AnswerShare {
    return new Share(this);
  }

  /** Waits while more than half of the room for large answers is taken, a moment at most. */
  async settle(): Promise<void> {
    if (this.#isCalm()) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, this.#options.waitMs);
    this.#waiting.add(resolve);
    await promise;
    clearTimeout(timer);
    this.#waiting.delete(resolve);
  }

  /** @internal for {@link Share} */
  move(share: Share, bytes: number): boolean {
    const { maxBytes, maxSmallBytes } = this.#options;
    const [large, small] = this.#charge(bytes);
    const [largeBefore, smallBefore] = this.#charge(share.bytes);
    if (bytes > share.bytes) {
      if (small > 0 && this.#smallBytes + small - smallBefore > maxSmallBytes) return false;
      const excess = this.#largeBytes + large - largeBefore - maxBytes;
      if (large > 0 && excess > 0 && !this.#cutOff(share, excess)) return false;
    }
    this.#largeBytes += large - largeBefore;
    this.#smallBytes += small - smallBefore;
    if (large < largeBefore) this.#callIn();
    return true;
  }

  /** @internal for {@link Share} */
  note(share: Share, isSent: boolean): void {
    if (isSent) this.#sent.add(share);
    else this.#sent.delete(share);
  }

  /** What an answer of that many bytes takes of the room for large ones, and of that for small ones. */
  #charge(bytes: number): readonly [large: number, small: number] {
    if (bytes > SMALL_BYTES) return [Math.min(bytes, this.#options.maxBytes), 0];
    return [0, bytes > FREE_BYTES ? bytes : 0];
  }

  /** Makes room by cutting off answers that were sent long ago; tells whether that was enough. */
  #cutOff(forShare: Share, excess: number): boolean {
    const before = performance.now() - this.#options.patienceMs;
    let missing = excess;
    for (const share of this.#sent) {
      if (missing <= 0 || share.sentAtMs > before) break;
      const [large] = this.#charge(share.bytes);
      if (share === forShare || large === 0) continue;
      share.cut();
      missing -= large;
    }
    return missing <= 0;
  }

  #isCalm(): boolean {
    return this.#largeBytes <= this.#options.maxBytes / 2;
  }

  /** One that comes in may take what was given back, so that the others had better wait on. */
  #callIn(): void {
    for (const resolve of this.#isCalm() ? this.#waiting : []) {
      this.#waiting.delete(resolve);
      resolve();
      if (this.#largeBytes > 0) return;
    }
  }
}

/** The room of one answer. */
export interface AnswerShare {
  /** What it takes now. */
  readonly bytes: number;
  /** Takes room for so many more bytes. `false` where there is none; what was taken before stays. */
  grow(bytes: number): boolean;
  /** Makes it so many bytes in all. `false` where there is no room for them. */
  resize(bytes: number): boolean;
  /** Says that the answer is complete and on its way; `cut` ends its connection. */
  sent(cut: () => void): void;
  /** Gives everything back, for good. */
  release(): void;
}

class Share implements AnswerShare {
  readonly #budget: AnswerBudget;
  #cut: () => void = () => undefined;
  #isReleased = false;
  bytes = 0;
  sentAtMs = 0;

  constructor(budget: AnswerBudget) {
    this.#budget = budget;
  }

  grow(bytes: number): boolean {
    return this.resize(this.bytes + bytes);
  }

  resize(bytes: number): boolean {
    // Nobody waits for it any more: it goes as soon as it is made.
    if (this.#isReleased) return true;
    if (!this.#budget.move(this, bytes)) return false;
    this.bytes = bytes;
    return true;
  }

  sent(cut: () => void): void {
    if (this.#isReleased) return;
    this.#cut = cut;
    this.sentAtMs = performance.now();
    this.#budget.note(this, true);
  }

  release(): void {
    if (this.#isReleased) return;
    this.resize(0);
    this.#isReleased = true;
    this.#budget.note(this, false);
  }

  /** Ends the connection, whose bytes are free from now on. */
  cut(): void {
    this.#cut();
    this.release();
  }
}
