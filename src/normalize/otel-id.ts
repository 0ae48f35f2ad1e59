/**
 * Ids as they are stored and shown: those of OpenTelemetry in lower-case hex, those that a REST caller made up as the text
 * that they are. A message carries such a text in UTF-8 behind zero bytes, one or, where it would have the length of an
 * OpenTelemetry id, two.
 */

/** How many bytes a trace id has. */
export const TRACE_ID_BYTES = 16;

/** How many bytes a span id has. */
export const SPAN_ID_BYTES = 8;

/** The longest text of an id that is not OpenTelemetry's, in UTF-16 code units. */
export const MAX_ID_TEXT = 256;

/** The id of a trace as it is shown. */
export function readTraceId(id: Uint8Array): string {
  return readId(id, TRACE_ID_BYTES);
}

/** The id of a span as it is shown. */
export function readSpanId(id: Uint8Array): string {
  return readId(id, SPAN_ID_BYTES);
}

/** The id of a parent, `null` where it is empty or all zeros; one of another length is kept, though it names no span. */
export function readParentId(id: Uint8Array): string | null {
  return isZero(id) ? null : readSpanId(id);
}

/** What is wrong with an id that should identify something, as a clause about it; `undefined` where it is right. */
export function findIdFault(id: Uint8Array, byteCount: number): string | undefined {
  if (id.length === 0) return 'is missing';
  if (id.length !== byteCount) {
    return readIdText(id, byteCount) === undefined ? describeWrongLength(id, byteCount) : undefined;
  }
  return isZero(id) ? 'is all zeros' : undefined;
}

/** The bytes by which a message carries the id; see {@link findIdTextFault} for those that none can. */
export function encodeId(text: string, byteCount: number): Uint8Array {
  if (isHexId(text, byteCount)) return Buffer.from(text, 'hex');
  const bytes = Buffer.from(text, 'utf8');
  return Buffer.concat([bytes.length + 1 === byteCount ? TWO_ZEROS : ONE_ZERO, bytes]);
}

/** The id as it is stored and shown: hex in lower case, any other text as it is. */
export function toIdText(text: string, byteCount: number): string {
  return isHexId(text, byteCount) ? text.toLowerCase() : text;
}

/** What is wrong with the text of an id, as a clause about it; `undefined` where it is right. */
export function findIdTextFault(text: string, byteCount: number): string | undefined {
  if (text === '') return 'is missing';
  if (text.length > MAX_ID_TEXT) return `has more than ${MAX_ID_TEXT} characters`;
  if (!isPrintable(text)) return 'has control characters';
  return isHexId(text, byteCount) && /^0+$/.test(text) ? 'is all zeros' : undefined;
}

function readId(id: Uint8Array, byteCount: number): string {
  return readIdText(id, byteCount) ?? Buffer.from(id.buffer, id.byteOffset, id.byteLength).toString('hex');
}

function readIdText(id: Uint8Array, byteCount: number): string | undefined {
  if (id.length === byteCount || id[0] !== 0) return undefined;
  const text = id.length > 2 + 4 * MAX_ID_TEXT ? undefined : decodeUtf8(id.subarray(id[1] === 0 ? 2 : 1));
  return text !== undefined && findIdTextFault(text, byteCount) === undefined ? text : undefined;
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return UTF8.decode(bytes);
  } catch {
    // Bytes that are no text are an id of a wrong length.
    return undefined;
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const ONE_ZERO = Buffer.from([0]);
const TWO_ZEROS = Buffer.from([0, 0]);

/** In JSON, an id is hexadecimal digits; any other text arrives as its bytes, and is quoted here. */
function describeWrongLength(id: Uint8Array, byteCount: number): string {
  const text = id.length > MAX_ID_TEXT ? '' : Buffer.from(id).toString('latin1');
  return /^[\x20-\x7e]+$/.test(text)
    ? `is ${JSON.stringify(text)}, not ${2 * byteCount} hexadecimal digits`
    : `has ${id.length} bytes instead of ${byteCount}`;
}

function isHexId(text: string, byteCount: number): boolean {
  return text.length === 2 * byteCount && /^[0-9a-f]+$/i.test(text);
}

function isPrintable(text: string): boolean {
  return text.isWellFormed() && !/\p{Cc}/u.test(text);
}

function isZero(id: Uint8Array): boolean {
  return id.every((byte) => byte === 0);
}
