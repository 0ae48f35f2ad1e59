import { AppError } from '#base/errors';
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '#base/json';

/**
 * Parses the JSON object that a body holds, integers beyond 2^53 exactly. Bytes that are not UTF-8 become U+FFFD.
 * @throws AppError `invalid_argument` where it is no JSON object or nested too deep, `too_large` where it would take
 *   far more memory than its bytes
 */
export function parseJsonBody(body: Uint8Array): JsonObject {
  checkNesting(body);
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
  let value: JsonValue;
  try {
    // The exact parser is eight times slower, and few bodies need it: exporters send 64-bit integers as text.
    value = LONG_NUMBER.test(text) ? parseJson(text) : (JSON.parse(text) as JsonValue);
  } catch {
    // The parser's message quotes the body, so it is not passed on.
    throw new AppError('invalid_argument', 'The body is not JSON. Send an OTLP trace request as JSON text in UTF-8.');
  }
  if (!isJsonObject(value)) throw new AppError('invalid_argument', 'The body is not a JSON object.');
  return value;
}

/** A number of sixteen digits or more, which a double may not hold; it may also stand inside a string. */
const LONG_NUMBER = /[[:,]\s*-?\d{16}/;

/** Bounds what the parser will allocate and how deep its result is, before it starts. */
function checkNesting(body: Uint8Array): void {
  let depth = 0;
  let containerCount = 0;
  for (let at = 0; at < body.length; at++) {
    switch (body[at]) {
      case QUOTE:
        for (at++; at < body.length && body[at] !== QUOTE; at++) if (body[at] === BACKSLASH) at++;
        break;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        depth++;
        containerCount++;
        if (depth > MAX_DEPTH) {
          throw new AppError('invalid_argument', `The body is JSON nested deeper than ${MAX_DEPTH} levels.`);
        }
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        depth--;
    }
  }
  if (containerCount > MAX_CONTAINERS) {
    throw new AppError('too_large', 'The request holds too many spans, attributes or values. Send smaller batches.');
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/** Three for each of the 64 levels of a value, and plenty above: deeper values are replaced when they are decoded. */
const MAX_DEPTH = 1000;
/** Twice as many as 64 MiB of ordinary attributes hold. */
const MAX_CONTAINERS = 4_000_000;
