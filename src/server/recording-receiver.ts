import { ByteBudget } from '#ingest/budget';
import type { ArrivingBody, ExportOutcome, ReceivedExport, Reservation, ExportReceiver } from '#ingest/receiver';

const EVERYTHING_STORED: ExportOutcome = { rejectedCount: 0, errorMessage: '' };

/** A receiver for tests of the listeners: it keeps what it is given and answers what the test says. */
export class RecordingReceiver implements ExportReceiver {
  readonly received: ReceivedExport[] = [];
  readonly budget: ByteBudget;
  /** How the next exports are answered. */
  answer: (received: ReceivedExport) => ExportOutcome | Promise<ExportOutcome> = () => EVERYTHING_STORED;

  constructor({ budgetBytes = 64 * 1024 * 1024, waitMs = 5_000 } = {}) {
    this.budget = new ByteBudget({ maxBytes: budgetBytes, waitMs, maxWaiting: 100 });
  }

  reserve(bytes: number, body?: ArrivingBody): Promise<Reservation> {
    return this.budget.reserve(bytes, body);
  }

  async export(received: ReceivedExport): Promise<ExportOutcome> {
    this.received.push(received);
    return this.answer(received);
  }
}
