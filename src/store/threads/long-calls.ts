/** Which calls of which callers keep a thread from all else for long, as far as they did so lately. */
import type { Asker } from '#base/asker';

/** The turn of a call that is long: others wait for the end of it. */
const LONG_MS = 500;

/** How long that is held against the caller, whatever is short meanwhile. */
const MEMORY_MS = 60_000;

/** Far more than there are callers at a time. */
const MAX_KINDS = 5000;

/** Remembers calls by caller and method. */
export class LongCalls {
  /** Until when each is thought to be long; the one that was long, or first heard of, longest ago first. */
  readonly #untilMs = new Map<string, number>();

  /** Whether such a call of the caller is long; `undefined` where none was answered. */
  isLong(asker: Asker, method: string): boolean | undefined {
    const untilMs = this.#untilMs.get(kindOf(asker, method));
    return untilMs === undefined ? undefined : performance.now() < untilMs;
  }

  note(asker: Asker, method: string, longestTurnMs: number): void {
    const kind = kindOf(asker, method);
    const beforeMs = this.#untilMs.get(kind);
    const isLong = longestTurnMs >= LONG_MS;
    // Nearly all calls are short, and are already noted as such.
    if (!isLong && beforeMs === 0) return;
    this.#untilMs.delete(kind);
    this.#untilMs.set(kind, isLong ? performance.now() + MEMORY_MS : (beforeMs ?? 0));
    if (this.#untilMs.size > MAX_KINDS)
      for (const [oldest] of this.#untilMs.entries().take(1)) this.#untilMs.delete(oldest);
  }
}

function kindOf({ shares: [caller = ''] }: Asker, method: string): string {
  return `${method}\n${caller}`;
}
