/** What became of a request that was stored part by part. */
import { MAX_TOUCHED_TRACES, type TouchedProject } from '#store/writer-port';
import type { ExportResult } from './group-commit.ts';

type Rejection = ExportResult['rejected'][number];

/** Adds up what became of the parts. */
export class ExportTotal {
  readonly #counts = { stored: 0, replaced: 0, duplicate: 0, dropped: 0 };
  readonly #rejected: Rejection[] = [];
  /** Of each reason the first: no more is told, and a large request can have very many. */
  readonly #firstOfReason = new Map<Rejection['reason'], Rejection>();
  readonly #traceIds = new Map<number, ReadonlySet<string> | null>();

  /** The sums so far. */
  get result(): ExportResult {
    const touched = [...this.#traceIds].map(
      ([projectRowId, traceIds]): TouchedProject => ({ projectRowId, traceIds: traceIds && [...traceIds] }),
    );
    return { ...this.#counts, rejected: this.#rejected, touched, hint: '' };
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
    for (const { projectRowId, traceIds } of touched) {
      const before = this.#traceIds.get(projectRowId);
      const all = before === null || traceIds === null ? null : new Set([...(before ?? []), ...traceIds]);
      this.#traceIds.set(projectRowId, all === null || all.size > MAX_TOUCHED_TRACES ? null : all);
    }
  }
}
