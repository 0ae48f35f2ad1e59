/** Where spans go that REST callers send. */
import type { IncomingMessage } from 'node:http';
import type { Caller } from '#domain/caller';
import type { ExportOutcome } from '#ingest/receiver';
import type { SpanListPreparation } from '#ingest/span-list/prepare';

/** Takes lists of spans, as many at once as there is room for. */
export interface SpanIntake {
  /**
   * Reads a list; nothing of it is stored yet.
   * @throws AppError `unavailable` where there is no room, `too_large`, `unsupported` for its encoding
   */
  open(caller: Caller, body: SpanListBody): Promise<OpenSpanList>;
}

/** The body of a request. */
export interface SpanListBody {
  readonly stream: IncomingMessage;
  /** As sent; empty for none. */
  readonly contentEncoding: string;
}

/** A list that was read, and holds its room until it is disposed of. */
export interface OpenSpanList extends Disposable {
  readonly prepared: SpanListPreparation;
  /**
   * Stores all spans, once; returns after the commit that holds them is synced.
   * @throws AppError `unavailable`, `insufficient_storage`
   */
  store(projectName: string): Promise<ExportOutcome>;
}
