/** What the ingest queue asks of storage. */
import type { Rejection } from '#normalize/normalized';
import type { TouchedProject } from '../engine/touched-project.ts';
import type { IncomingRequest } from '../incoming/request.ts';

/** What became of the spans, log records or data points of one request; each is counted once. */
export interface WriteOutcome {
  readonly stored: number;
  readonly replaced: number;
  readonly duplicate: number;
  /** Not stored, as nobody would look for it. */
  readonly dropped: number;
  /** Refused by normalisation or by storage. */
  readonly rejected: readonly Rejection[];
  /** Where something changed; each project once. */
  readonly touched: readonly TouchedProject[];
}

/** A prepared export request in bytes, on its way between threads. Both own their buffers. */
export interface PackedExport {
  readonly head: Uint8Array<ArrayBuffer>;
  readonly body: Uint8Array<ArrayBuffer>;
}

/** What became of what a request held, and what its sender should know beside that; empty for nothing. */
export interface ExportResult extends WriteOutcome {
  readonly hint: string;
}

/** Writes spans and log records. */
export interface SpanWriter {
  /**
   * Stores the requests in one transaction and returns after its commit is synced: one outcome a request, in their
   * order. A span or log record that cannot be stored is rejected alone.
   * @throws AppError `unavailable` when nothing of the group is known to be stored
   */
  write(requests: readonly IncomingRequest[]): Promise<readonly WriteOutcome[]>;
}
