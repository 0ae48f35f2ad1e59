import { parseGlobalId } from '#base/global-id';
import { AppError } from '#base/errors';
import type { Caller, ForCaller } from '#domain/caller';
import type { Original, OriginalFormat, SessionRef, SpanStore } from '#store/spans/port';

/** A session by its id or, where the text is none, by the text that the application gave it. */
export function toSessionRef(identifier: string): SessionRef {
  const rowId = parseGlobalId('ProjectSession', identifier);
  return rowId === undefined ? { sessionId: identifier } : { rowId };
}

/** A trace or span id as stored: OpenTelemetry's as hexadecimal digits in lower case, any other as the text that it is. */
export function toOtelId(of: 'trace' | 'span', text: string): string {
  const trimmed = text.trim();
  return HEX_ID[of].test(trimmed) ? trimmed.toLowerCase() : text;
}

const HEX_ID = { trace: /^[0-9a-f]{32}$/i, span: /^[0-9a-f]{16}$/i } as const;

/** What arrived of a trace, by its id or OpenTelemetry id. @throws AppError `not_found` */
export async function getTraceOriginal(
  caller: Caller,
  spans: ForCaller<SpanStore>,
  identifier: string,
  format: OriginalFormat,
): Promise<Original> {
  const rowId = parseGlobalId('Trace', identifier);
  const original = await spans(caller).readTraceOriginal(
    rowId === undefined ? { otelId: toOtelId('trace', identifier) } : { rowId },
    format,
  );
  if (original === undefined) throw new AppError('not_found', `There is no trace ${identifier}.`);
  return original;
}
