import type { ExportReceiver, Reservation } from '#ingest/receiver';

/** Room for a body: none before its first bytes have come, and none any more where it ends while it waits for that. */
export class GrowingRoom implements Disposable {
  readonly #receiver: Pick<ExportReceiver, 'reserve'>;
  readonly #held = new DisposableStack();
  readonly #taken = new AbortController();
  #reservation: Reservation | undefined;

  constructor(receiver: Pick<ExportReceiver, 'reserve'>) {
    this.#receiver = receiver;
  }

  /** Aborted, with why, when the room goes to others because the body arrives slowly. */
  get taken(): AbortSignal {
    return this.#taken.signal;
  }

  /**
   * @param expectedBytes what the body will have, where its sender said that
   * @throws what `reserve` throws
   */
  async grow(bytes: number, expectedBytes?: number): Promise<void> {
    if (this.#reservation !== undefined) return this.#reservation.grow(bytes);
    const reservation = await this.#receiver.reserve(bytes, { expectedBytes });
    if (this.#held.disposed) return reservation[Symbol.dispose]();
    reservation.arriving((error) => this.#taken.abort(error));
    this.#reservation = this.#held.use(reservation);
  }

  /** Keeps the room, because the body has come whole. */
  arrived(): void {
    this.#reservation?.arrived();
  }

  [Symbol.dispose](): void {
    this.#held.dispose();
  }
}
