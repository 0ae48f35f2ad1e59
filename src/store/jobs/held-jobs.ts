/** The jobs that this server works on: begun when it comes to hold them, stopped when it no longer does. */
import type { JobId, JobKind, RunningJob } from './job.ts';

/** Begins to work on a job. */
export type BeginJob = (id: number) => RunningJob;

/** Follows what this server holds. */
export class HeldJobs {
  readonly #onError: (message: string, error: unknown) => void;
  readonly #kinds = new Map<JobKind, BeginJob>();
  readonly #running = new Map<number, { readonly kind: JobKind; readonly job: RunningJob }>();
  readonly #stopping = new Map<number, Promise<void>>();

  constructor(onError: (message: string, error: unknown) => void) {
    this.#onError = onError;
  }

  /** Says how jobs of a kind are worked on; of others none is begun. */
  serve(kind: JobKind, begin: BeginJob): void {
    this.#kinds.set(kind, begin);
  }

  get kinds(): readonly JobKind[] {
    return [...this.#kinds.keys()];
  }

  get ids(): readonly number[] {
    return [...this.#running.keys()];
  }

  /** Those that were stopped and have something under way. */
  get stoppingIds(): readonly number[] {
    return [...this.#stopping.keys()];
  }

  isRunning(kind: JobKind): boolean {
    return this.#running.values().some((running) => running.kind === kind);
  }

  /** Wakes jobs of the kind, or all of them; says whether there was any. */
  wake(kind?: JobKind): boolean {
    const woken = [...this.#running.values()].filter((running) => kind === undefined || running.kind === kind);
    for (const { job } of woken) job.wake();
    return woken.length > 0;
  }

  /** Works on these from now on, and on nothing else. What has not stopped is not begun again. */
  hold(held: readonly JobId[]): void {
    const ids = new Set(held.map(({ id }) => id));
    for (const id of this.ids) if (!ids.has(id)) this.#stop(id);
    for (const { id, kind } of held) {
      const begin = this.#kinds.get(kind);
      if (begin === undefined || this.#running.has(id) || this.#stopping.has(id)) continue;
      this.#running.set(id, { kind, job: begin(id) });
    }
  }

  /** Resolves when nothing is under way that was stopped before. */
  async stopped(): Promise<void> {
    await Promise.all(this.#stopping.values());
  }

  #stop(id: number): void {
    const running = this.#running.get(id);
    if (running === undefined) return;
    this.#running.delete(id);
    const stopping = running.job
      .stop()
      .catch((error: unknown) => this.#onError(`${running.kind} did not stop cleanly`, error))
      .finally(() => this.#stopping.delete(id));
    this.#stopping.set(id, stopping);
  }
}
