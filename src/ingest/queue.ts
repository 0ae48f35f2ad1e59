/** The main thread's end of ingestion: bounds what is in flight, moves bodies to the writer's thread, and counts. */
import { AppError } from '#base/errors';
import type { Signal } from '#otlp/signal';
import type { ExportResult, WriteOutcome } from '#store/writer/port';
import type { ByteBudget } from './budget.ts';
import { describeRejections } from './group-commit.ts';
import type { ArrivingBody, ExportOutcome, ReceivedExport, Reservation, ExportReceiver } from './receiver.ts';

/** What the queue hands requests to, and who counts them. */
export interface IngestQueueOptions {
  readonly budget: ByteBudget;
  /** Stores a request in the writer's thread; the body's buffer is moved there. */
  readonly store: (received: ReceivedExport) => Promise<ExportResult>;
  readonly onStored: (signal: Signal, outcome: WriteOutcome, seconds: number) => void;
}

/** Takes requests from the listeners until it is drained. */
export class IngestQueue implements ExportReceiver {
  readonly #options: IngestQueueOptions;
  readonly #inFlight = new Set<Promise<unknown>>();
  #isClosed = false;

  constructor(options: IngestQueueOptions) {
    this.#options = options;
  }

  reserve(bytes: number, body?: ArrivingBody): Promise<Reservation> {
    return this.#options.budget.reserve(bytes, body);
  }

  async export(received: ReceivedExport): Promise<ExportOutcome> {
    if (this.#isClosed) throw new AppError('unavailable', 'The server is stopping.', { retryAfterSeconds: 1 });
    const startedAt = performance.now();
    const { signal } = received;
    const work = this.#options.store(received);
    this.#inFlight.add(work);
    const outcome = await work.finally(() => this.#inFlight.delete(work));
    this.#options.onStored(signal, outcome, (performance.now() - startedAt) / 1000);
    return {
      rejectedCount: outcome.rejected.length,
      errorMessage: describeRejections(signal, outcome) || outcome.hint,
    };
  }

  /** Takes nothing more, and returns when everything that was taken is answered. */
  async drain(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#inFlight);
  }
}
