/** Runs a bounded number of tasks at a time, in order of arrival. */
export class Semaphore {
  readonly #waiting: (() => void)[] = [];
  #freeCount: number;

  constructor(count: number) {
    this.#freeCount = count;
  }

  /** The task's result; the task starts when fewer than `count` others run. */
  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#freeCount > 0) this.#freeCount--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#freeCount++;
      else next();
    }
  }
}
