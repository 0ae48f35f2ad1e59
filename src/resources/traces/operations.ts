import { parseGlobalId } from '#base/global-id';
import { AppError } from '#base/errors';
import type { Original, OriginalFormat, SessionRef, SpanStore } from '#store/spans/port';

/** A session by its id or, where the text is none, by the text that the application gave it. */
export function toSessionRef(identifier: string): SessionRef {
  const rowId = parseGlobalId('ProjectSession', identifier);
  return rowId === undefined ? { sessionId: identifier } : { rowId };
}

/** A trace or span id as stored: hexadecimal digits in lower case. */
export function toOtelId(text: string): string {
  return text.trim().toLowerCase();
}

/** What arrived of a trace, by its id or OpenTelemetry id. @throws AppError `not_found` */
export async function getTraceOriginal(
  spans: SpanStore,
  identifier: string,
  format: OriginalFormat,
): Promise<Original> {
  const rowId = parseGlobalId('Trace', identifier);
  const original = await spans.readTraceOriginal(rowId === undefined ? { otelId: identifier } : { rowId }, format);
  if (original === undefined) throw new AppError('not_found', `There is no trace ${identifier}.`);
  return original;
}
