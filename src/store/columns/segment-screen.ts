/**
 * Screens: what is looked at of a segment first, so that the rest of it is read only where any of its rows may be wanted. What
 * a screen said of a segment is remembered, since a segment that was built never changes.
 */
import type { SegmentScreen, SpanBatch } from './batch.ts';
import type { SegmentHead } from './segments.ts';

/** What a screen said, by segment: twice the number of the build, and 1 where some row may be wanted. */
interface Said {
  readonly bySegment: Map<number, number>;
  /** Whether another question with the same screen will find it. */
  isKept: boolean;
}

/** A screen as one question uses it. */
export class ScreenInUse {
  readonly screen: SegmentScreen;
  readonly #said: Said;
  readonly #memory: ScreenMemory;
  #askedCount = 0;
  #passedCount = 0;

  constructor(screen: SegmentScreen, said: Said, memory: ScreenMemory) {
    this.screen = screen;
    this.#said = said;
    this.#memory = memory;
  }

  /** What was said of the segment; `undefined` where it is not known. */
  recall(head: SegmentHead): boolean | undefined {
    const said = this.known(head);
    return said === undefined ? undefined : this.#count(said);
  }

  /** The same of one that it is not the turn of yet. */
  known({ segment, build }: SegmentHead): boolean | undefined {
    const said = this.#said.bySegment.get(segment);
    return said === undefined || said >> 1 !== build ? undefined : (said & 1) === 1;
  }

  /** Whether looking at it first is likely to save anything. */
  get isWorthwhile(): boolean {
    return this.#askedCount < FIRST_TRIES || this.#passedCount < this.#askedCount * MAX_PASSED_SHARE;
  }

  /** Looks at a segment, of which the batch has all rows. */
  ask({ segment, build }: SegmentHead, batch: SpanBatch): boolean {
    const mayHold = this.#count(this.screen.mayHold(batch));
    if (build < MAX_BUILD) this.#memory.add(this.#said, segment, build * 2 + (mayHold ? 1 : 0));
    return mayHold;
  }

  #count(mayHold: boolean): boolean {
    this.#askedCount++;
    if (mayHold) this.#passedCount++;
    return mayHold;
  }
}

const FIRST_TRIES = 8;
const MAX_PASSED_SHARE = 3 / 4;

/** What is remembered is a small integer. */
const MAX_BUILD = 2 ** 29;

/** What screens said of segments, those that were asked last: at most some 6 MB. */
export class ScreenMemory {
  readonly #kept = new Map<string, Said>();
  #entryCount = 0;

  /** Makes a screen ready for a question. */
  open(screen: SegmentScreen): ScreenInUse {
    const said = this.#kept.get(screen.key) ?? { bySegment: new Map(), isKept: screen.key.length <= MAX_KEY_LENGTH };
    if (said.isKept) {
      this.#kept.delete(screen.key);
      this.#kept.set(screen.key, said);
      if (this.#kept.size > MAX_KEYS) this.#forgetOldest();
    }
    return new ScreenInUse(screen, said, this);
  }

  add(said: Said, segment: number, what: number): void {
    if (this.#entryCount >= MAX_ENTRIES) this.#forgetOldest();
    if (!said.isKept) return;
    if (!said.bySegment.has(segment)) this.#entryCount++;
    said.bySegment.set(segment, what);
  }

  #forgetOldest(): void {
    for (const [key, said] of this.#kept) {
      this.#entryCount -= said.bySegment.size;
      said.isKept = false;
      this.#kept.delete(key);
      return;
    }
  }
}

/** UTF-16 code units. */
const MAX_KEY_LENGTH = 2048;
const MAX_KEYS = 256;
const MAX_ENTRIES = 100_000;

/** The memory of whoever reads by that handle. */
export function screenMemoryOf(db: object): ScreenMemory {
  let memory = MEMORIES.get(db);
  if (memory === undefined) {
    memory = new ScreenMemory();
    MEMORIES.set(db, memory);
  }
  return memory;
}

const MEMORIES = new WeakMap<object, ScreenMemory>();
