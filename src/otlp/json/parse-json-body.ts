import { AppError } from '#base/errors';
import { isJsonObject, type JsonObject, type JsonValue } from '#base/json';

/**
 * Parses the JSON object that a body holds. An integer of sixteen digits or more, which a JavaScript number may not
 * hold, is returned as its text. Bytes that are not UTF-8 become U+FFFD.
 * @throws AppError `invalid_argument` where it is no JSON object or nested too deep, `too_large` where it would take
 *   far more memory than its bytes
 */
export function parseJsonBody(body: Uint8Array): JsonObject {
  const source = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const positions = findLongIntegers(source);
  let value: JsonValue;
  try {
    value = JSON.parse(quoteIntegers(source, positions).toString('utf8')) as JsonValue;
  } catch (error) {
    // Quotes that were put in move what comes after them.
    const where = findPlace(positions.length === 0 ? error : syntaxErrorOf(source.toString('utf8')));
    throw new AppError('invalid_argument', `The body is not JSON${where}. Send an OTLP request as JSON text in UTF-8.`);
  }
  if (!isJsonObject(value)) throw new AppError('invalid_argument', 'The body is not a JSON object.');
  return value;
}

function syntaxErrorOf(text: string): unknown {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return error;
  }
}

/** Where JSON goes wrong, as far as the parser tells; the rest of its message may quote the body, so it is not passed on. */
function findPlace(error: unknown): string {
  const message = error instanceof SyntaxError ? error.message : '';
  const place = /\bat position (\d+) \(line (\d+) column (\d+)\)$/.exec(message);
  if (place !== null) return `: the error is at position ${place[1]} (line ${place[2]}, column ${place[3]})`;
  return message === 'Unexpected end of JSON input' ? ': it is incomplete' : '';
}

/**
 * Finds the integers that a JavaScript number may not hold: start and end of each, one after the other. On the way it
 * bounds how deep the value is and what the parser will allocate for it.
 */
function findLongIntegers(body: Buffer): readonly number[] {
  const positions: number[] = [];
  let depth = 0;
  let textStart = 0;
  let textEnd = 0;
  let valueCount = 0;
  let memberCount = 0;
  const names = new Set<string>();
  function countValue(): void {
    valueCount++;
    if (valueCount <= MAX_VALUES) return;
    throw new AppError(
      'too_large',
      'The request contains too many spans, records, attributes or values. Send smaller batches.',
    );
  }
  function assertFewNames(start: number, end: number): void {
    names.add(body.toString('latin1', start, end));
    if (names.size <= MAX_NAMES) return;
    throw new AppError('invalid_argument', `The body is JSON with more than ${MAX_NAMES} member names.`);
  }
  for (let at = 0; at < body.length; at++) {
    const byte = body[at] ?? 0;
    if (byte === QUOTE) {
      textStart = at + 1;
      for (at++; at < body.length && body[at] !== QUOTE; at++) if (body[at] === BACKSLASH) at++;
      textEnd = at;
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      depth++;
      countValue();
      if (depth > MAX_DEPTH) {
        throw new AppError('invalid_argument', `The body is JSON nested deeper than ${MAX_DEPTH} levels.`);
      }
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      depth--;
    } else if (byte === COMMA) {
      countValue();
    } else if (byte === COLON) {
      memberCount++;
      if (memberCount > MAX_UNCHECKED_MEMBERS) assertFewNames(textStart, textEnd);
    } else if (byte === MINUS || isDigit(byte)) {
      const start = at;
      while (isDigit(body[at + 1] ?? 0)) at++;
      const isInteger = !isFractionOrExponent(body[at + 1] ?? 0);
      if (isInteger && at + 1 - start >= MIN_LONG_DIGITS) positions.push(start, at + 1);
      while (isDigit(body[at + 1] ?? 0) || isFractionOrExponent(body[at + 1] ?? 0)) at++;
    }
  }
  return positions;
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

/** Whether the byte may continue a number that is not an integer: `.`, `e`, `E`, `+`, `-`. */
function isFractionOrExponent(byte: number): boolean {
  return byte === 0x2e || byte === 0x65 || byte === 0x45 || byte === 0x2b || byte === MINUS;
}

/** Puts quotes around the integers at these positions. */
function quoteIntegers(source: Buffer, positions: readonly number[]): Buffer {
  if (positions.length === 0) return source;
  const target = Buffer.allocUnsafe(source.length + positions.length);
  let from = 0;
  let to = 0;
  for (const position of positions) {
    to += source.copy(target, to, from, position);
    target[to++] = QUOTE;
    from = position;
  }
  source.copy(target, to, from);
  return target;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const MINUS = 0x2d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/** Every shorter integer is below 2^53. */
const MIN_LONG_DIGITS = 16;
/** Three for each of the 64 levels of a value, and plenty above: deeper values are replaced when they are decoded. */
const MAX_DEPTH = 1000;
/** OTLP has sixty; the parser takes half a minute for millions, and no time for as many as can be before they are counted. */
const MAX_NAMES = 1000;
const MAX_UNCHECKED_MEMBERS = 50_000;
/** Containers and commas, four for each attribute: what 64 MiB of attributes hold that take 64 bytes each. */
const MAX_VALUES = 4_000_000;
