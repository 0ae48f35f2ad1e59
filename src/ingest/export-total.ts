/** What became of a request that was stored part by part. */
import { joinTouched } from '#store/spans/write/touched-projects';
import type { ExportResult } from '#store/writer/port';
import type { TouchedProject } from '#store/engine/touched-project';

type Rejection = ExportResult['rejected'][number];

/** Adds up what became of the parts. */
export class ExportTotal {
  readonly #counts = { stored: 0, replaced: 0, duplicate: 0, dropped: 0 };
  readonly #rejected: Rejection[] = [];
  /** Of each reason the first: no more is told, and a large request can have very many. */
  readonly #firstOfReason = new Map<Rejection['reason'], Rejection>();
  #touched: readonly TouchedProject[] = [];

  /** The sums so far. */
  get result(): ExportResult {
    return { ...this.#counts, rejected: this.#rejected, touched: this.#touched, hint: '' };
  }

  add({ stored, replaced, duplicate, dropped, rejected, touched }: ExportResult): void {
    this.#counts.stored += stored;
    this.#counts.replaced += replaced;
    this.#counts.duplicate += duplicate;
    this.#counts.dropped += dropped;
    for (const rejection of rejected) {
      const first = this.#firstOfReason.get(rejection.reason) ?? rejection;
      this.#firstOfReason.set(rejection.reason, first);
      this.#rejected.push(first);
    }
    this.#touched = joinTouched([this.#touched, touched]);
  }
}
