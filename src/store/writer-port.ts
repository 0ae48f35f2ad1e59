/** What the ingest queue asks of storage, inside the writer's thread. */
import type { NormalizedRequest } from '#normalize/normalized';

/** What became of the spans of one request. */
export interface WriteOutcome {
  readonly stored: number;
  readonly replaced: number;
  readonly duplicate: number;
}

/** Writes spans. Requests given together share one synced commit, each in a savepoint of its own. */
export interface SpanWriter {
  /**
   * Stores the requests and returns after the commit is synced, one result a request, in their order. A request that
   * cannot be stored is an error of its own; an error of the commit, or one after which the transaction is gone, fails
   * them all.
   * @throws AppError `unavailable` when nothing of the group is known to be stored
   */
  write(requests: readonly NormalizedRequest[]): Promise<(WriteOutcome | Error)[]>;
}
