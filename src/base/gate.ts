/** Runs tasks one after the other, in the order they come. */
export class Gate {
  #last: Promise<unknown> = Promise.resolve();

  /** The task's result; it starts when all earlier tasks have ended, however they ended. */
  run<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#last.then(task, task);
    // What failed is its caller's to hear; the next task only waits for the end.
    this.#last = result.catch(() => undefined);
    return result;
  }
}
