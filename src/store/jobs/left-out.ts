/** What a job cannot work on for now, by number: each is left out for ten minutes, so that the job continues with the rest. */
export class LeftOut {
  readonly #untilMs = new Map<number, number>();

  add(item: number): void {
    this.#untilMs.set(item, performance.now() + LEFT_OUT_MS);
  }

  /** Those that are left out now. */
  get items(): readonly number[] {
    const nowMs = performance.now();
    for (const [item, untilMs] of this.#untilMs) if (untilMs <= nowMs) this.#untilMs.delete(item);
    return [...this.#untilMs.keys()];
  }
}

const LEFT_OUT_MS = 10 * 60_000;
