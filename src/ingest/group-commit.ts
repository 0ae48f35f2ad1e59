/**
 * Groups export requests into commits, in the writer's thread. Whatever arrives while a commit runs shares the next one:
 * a sync costs the same for one request as for a hundred. A request that cannot be prepared is answered without touching
 * storage.
 */
import type { Signal } from '#otlp/signal';
import type { ExportResult, SpanWriter, WriteOutcome } from '#store/writer/port';
import type { PreparedExport } from './prepare-export.ts';

/** What groups are made of, and who stores them. */
export interface GroupCommitOptions<Input> {
  readonly writer: SpanWriter;
  /** Makes a request ready to be stored. @throws AppError what its sender is told */
  readonly prepare: (input: Input) => PreparedExport;
}

interface WaitingExport<Input> {
  readonly input: Input;
  resolve(result: ExportResult): void;
  reject(error: unknown): void;
}

interface TakenExport<Input> {
  readonly prepared: PreparedExport;
  readonly waiting: WaitingExport<Input>;
}

/** Turns requests into outcomes. */
export class GroupCommit<Input> {
  readonly #options: GroupCommitOptions<Input>;
  #waiting: WaitingExport<Input>[] = [];
  #running: Promise<void> | undefined;

  constructor(options: GroupCommitOptions<Input>) {
    this.#options = options;
  }

  /**
   * Returns after the commit that holds the spans is synced.
   * @throws AppError whatever preparing throws; `unavailable` when nothing is stored
   */
  export(input: Input): Promise<ExportResult> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ input, resolve, reject });
      this.#running ??= this.#run();
    });
  }

  /** Returns when everything that was handed over is answered. */
  async drain(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      // Bodies that arrived during the last commit are delivered before the next group is made.
      await new Promise((resolve) => setImmediate(resolve));
      await this.#commit(this.#takeGroup());
    }
    this.#running = undefined;
  }

  #takeGroup(): TakenExport<Input>[] {
    const group: TakenExport<Input>[] = [];
    const deadline = performance.now() + MAX_GROUP_MS;
    let bytes = 0;
    let items = 0;
    let taken = 0;
    for (const waiting of this.#waiting) {
      if (bytes >= MAX_GROUP_BYTES || items >= MAX_GROUP_ITEMS || performance.now() > deadline) break;
      taken++;
      try {
        const prepared = this.#options.prepare(waiting.input);
        bytes += prepared.body.length;
        items += prepared.request.spans.length + prepared.request.records.length * SPANS_A_RECORD;
        group.push({ prepared, waiting });
      } catch (error) {
        waiting.reject(error);
      }
    }
    this.#waiting = this.#waiting.slice(taken);
    return group;
  }

  async #commit(group: readonly TakenExport<Input>[]): Promise<void> {
    if (group.length === 0) return;
    try {
      const outcomes = await this.#options.writer.write(group.map(({ prepared }) => prepared.request));
      for (const [index, { waiting, prepared }] of group.entries()) {
        const outcome = outcomes[index];
        if (outcome === undefined) waiting.reject(new Error('the writer reported on fewer requests than it received'));
        else waiting.resolve({ ...outcome, hint: prepared.hint });
      }
    } catch (error) {
      for (const { waiting } of group) waiting.reject(error);
    }
  }
}

/** Why some of what a request held was rejected, in one sentence; empty when nothing was. */
export function describeRejections(signal: Signal, outcome: WriteOutcome): string {
  const [first] = outcome.rejected;
  if (first === undefined) return '';
  const total = outcome.stored + outcome.replaced + outcome.duplicate + outcome.dropped + outcome.rejected.length;
  const reasons = Map.groupBy(outcome.rejected, (rejection) => rejection.reason);
  const counts = [...reasons].map(([reason, rejections]) => `${rejections.length} ${reason}`).join(', ');
  return `${outcome.rejected.length} of ${total} ${NOUNS[signal]} were not stored (${counts}). The first: ${first.message}`;
}

const NOUNS: Readonly<Record<Signal, string>> = { traces: 'spans', logs: 'log records', metrics: 'data points' };

/** Bounds of one group: what a commit holds in memory, and how long the first request waits for the last. */
const MAX_GROUP_BYTES = 8 * 1024 * 1024;
const MAX_GROUP_ITEMS = 2000;

/** Spans that take as long to store as a log record whose span is read again. */
const SPANS_A_RECORD = 4;
const MAX_GROUP_MS = 100;
