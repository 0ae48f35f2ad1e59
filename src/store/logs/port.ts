/** The door to stored log records for everyone who reads. */
import type { KeysetPage, Position } from '#domain/page';
import type { OriginalFormat, TelemetryRef } from '../spans/port.ts';

/** A log record as pages show it. Texts of it cross threads cheaply. */
export interface LogRecordView {
  readonly rowId: number;
  /** Microseconds since the Unix epoch; `null` where it tells no time. */
  readonly timeUs: number | null;
  /** `null` for a plain log record. */
  readonly eventName: string | null;
  /** As the application calls it; empty where it says nothing. */
  readonly severity: string;
  /** The text itself, or JSON text of anything else; `null` where it has none. */
  readonly body: string | null;
  /** JSON text. */
  readonly attributes: string;
  /** The ids that it carries, whether or not they are stored. */
  readonly traceId: string | null;
  readonly spanId: string | null;
  readonly scope: { readonly name: string; readonly version: string };
  /** Why there is nothing of what it holds: it is damaged. `null` where it is whole. */
  readonly damage: string | null;
}

/** Which log records: of a span those that belong to it, of a trace or a project those that belong to no span. */
export type LogScope =
  | { readonly spanRowId: number }
  | { readonly traceRowId: number }
  | { readonly projectRowId: number };

/** So many rows after a position. */
export interface LogPageRequest {
  /** At least 1. */
  readonly limit: number;
  readonly after: Position | null;
}

/** As many as are counted; more are not told apart. */
export const MAX_COUNTED_LOG_RECORDS = 1000;

/** What arrived. */
export interface LogOriginal {
  /** An `ExportLogsServiceRequest` with the log records asked for. */
  readonly body: Uint8Array;
  readonly recordCount: number;
  /** Log records that are left out, because they are damaged, by row id. */
  readonly damagedRowIds: readonly number[];
}

/** A part of what arrived, and the row that the next one begins below; `null` at the end. */
export interface LogOriginalPage extends LogOriginal {
  readonly nextBelow: number | null;
}

/** Reads stored log records. */
export interface LogBrowser {
  /**
   * One page: of a span or trace by time, of a project the last that arrived first.
   * @throws AppError `resource_exhausted` where they are together more than one answer may hold
   */
  browseLogRecords(scope: LogScope, page: LogPageRequest): Promise<KeysetPage<LogRecordView>>;
  /** By row id; those that are gone are left out. */
  findLogRecords(rowIds: readonly number[]): Promise<ReadonlyMap<number, LogRecordView>>;
  /** By trace row id, how many belong to no span, up to {@link MAX_COUNTED_LOG_RECORDS}; traces without any are left out. */
  countUnattachedLogRecords(traceRowIds: readonly number[]): Promise<ReadonlyMap<number, number>>;
  /** All log records of a trace; `undefined` where there is no such trace. @throws AppError `too_large` */
  readTraceLogs(ref: TelemetryRef, format: OriginalFormat): Promise<LogOriginal | undefined>;
  /** The same of those that belong to a span. */
  readSpanLogs(ref: TelemetryRef, format: OriginalFormat): Promise<LogOriginal | undefined>;
  /** The same of those of a project that belong to no span, the last that arrived first, part by part. */
  readUnattachedLogs(
    projectRowId: number,
    page: { readonly limit: number; readonly below: number | null },
    format: OriginalFormat,
  ): Promise<LogOriginalPage>;
}
