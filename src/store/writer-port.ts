/** What the ingest queue asks of storage, inside the writer's thread. */
import type { NormalizedRequest, Rejection } from '#normalize/normalized';

/** What became of the spans of one request; every span that was not rejected is counted once. */
export interface WriteOutcome {
  readonly stored: number;
  readonly replaced: number;
  readonly duplicate: number;
  /** Spans refused by normalisation or by storage. */
  readonly rejected: readonly Rejection[];
}

/** Writes spans. */
export interface SpanWriter {
  /**
   * Stores the requests in one transaction and returns after its commit is synced: one outcome a request, in their
   * order. A span that cannot be stored is rejected alone.
   * @throws AppError `unavailable` when nothing of the group is known to be stored
   */
  write(requests: readonly NormalizedRequest[]): Promise<readonly WriteOutcome[]>;
}
