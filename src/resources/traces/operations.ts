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

/** How many of a kind are found by the beginning of an id. */
export const MAX_FOUND_BY_PREFIX = 5;

/** The beginning of an id as stored: hexadecimal ids are in lower case. @throws AppError `invalid_argument` */
export function toIdPrefix(text: string, isHex: boolean): string {
  const trimmed = text.trim();
  if (trimmed.length < MIN_PREFIX || trimmed.length > MAX_PREFIX)
    throw new AppError('invalid_argument', `The beginning of an id has ${MIN_PREFIX} to ${MAX_PREFIX} characters.`);
  return isHex ? trimmed.toLowerCase() : trimmed;
}

/** Less would say nothing. */
const MIN_PREFIX = 4;
const MAX_PREFIX = 200;

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
