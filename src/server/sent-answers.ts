/** Answers that are on their way, by connection, and how long their client has taken nothing. */

/** The connection by which answers go out. */
export interface AnswerPath {
  /** Whether it has bytes that the other end did not take. */
  isWaiting(): boolean;
  /** How many the other end took so far. */
  takenBytes(): number;
  /** Ends it. */
  cut(): void;
}

/** What goes out by a connection. */
export interface OnPath<Answer> {
  readonly path: AnswerPath;
  /** The oldest first. */
  readonly answers: readonly Answer[];
  /** How long nothing of them was taken. */
  readonly stalledMs: number;
}

interface Progress<Answer> {
  readonly answers: Set<Answer>;
  takenBytes: number;
  movedAtMs: number;
}

/** Keeps answers from when they were sent until they are over. */
export class SentAnswers<Answer extends { readonly path: AnswerPath }> {
  readonly #lookEveryMs: number;
  readonly #byPath = new Map<AnswerPath, Progress<Answer>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(lookEveryMs: number) {
    this.#lookEveryMs = lookEveryMs;
  }

  add(answer: Answer): void {
    const { path } = answer;
    let progress = this.#byPath.get(path);
    if (progress === undefined) {
      progress = { answers: new Set(), takenBytes: path.takenBytes(), movedAtMs: performance.now() };
      this.#byPath.set(path, progress);
    }
    // What is sent once more, smaller, is the newest.
    progress.answers.delete(answer);
    progress.answers.add(answer);
    this.#timer ??= setInterval(() => this.#look(), this.#lookEveryMs).unref();
  }

  delete(answer: Answer): void {
    const answers = this.#byPath.get(answer.path)?.answers;
    if (answers?.delete(answer) === true && answers.size === 0) this.#byPath.delete(answer.path);
  }

  *byPath(): Generator<OnPath<Answer>> {
    const nowMs = performance.now();
    for (const [path, progress] of this.#byPath) {
      note(path, progress, nowMs);
      yield { path, answers: [...progress.answers], stalledMs: nowMs - progress.movedAtMs };
    }
  }

  #look(): void {
    const nowMs = performance.now();
    for (const [path, progress] of this.#byPath) note(path, progress, nowMs);
    if (this.#byPath.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

/** A connection that has nothing to give keeps nobody waiting. */
function note<Answer>(path: AnswerPath, progress: Progress<Answer>, nowMs: number): void {
  const takenBytes = path.takenBytes();
  if (takenBytes === progress.takenBytes && path.isWaiting()) return;
  progress.takenBytes = takenBytes;
  progress.movedAtMs = nowMs;
}
