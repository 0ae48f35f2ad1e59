/** How domain values are kept in columns. */
import { SPAN_KINDS, SPAN_STATUS_CODES, type SpanKind, type SpanStatusCode } from '#domain/span';

/** Kinds and status codes are stored as their place in the list, so those lists only ever grow at their end. */
export function toKindColumn(kind: SpanKind): number {
  return SPAN_KINDS.indexOf(kind);
}

/** The kind that a column holds. */
export function fromKindColumn(column: number): SpanKind {
  return SPAN_KINDS[column] ?? 'UNKNOWN';
}

/** See {@link toKindColumn}. */
export function toStatusColumn(code: SpanStatusCode): number {
  return SPAN_STATUS_CODES.indexOf(code);
}

/** The status code that a column holds. */
export function fromStatusColumn(column: number): SpanStatusCode {
  return SPAN_STATUS_CODES[column] ?? 'UNSET';
}
