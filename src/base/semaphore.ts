/** Runs a bounded number of tasks at a time, in order of arrival. */
export class Semaphore {
  /** Emptied where nothing waits any more: taking the first of a long list out moves all the others. */
  #waiting: (() => void)[] = [];
  #next = 0;
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
      this.#callNext();
    }
  }

  #callNext(): void {
    const next = this.#waiting[this.#next];
    if (next === undefined) {
      this.#waiting = [];
      this.#next = 0;
      this.#freeCount++;
      return;
    }
    this.#next++;
    next();
  }
}
