/**
 * Tells an export request from bytes that protobuf reads as one with unknown fields alone, which would be acknowledged although
 * nothing of them is kept. A request without telemetry is a success.
 * @see https://opentelemetry.io/docs/specs/otlp/#full-success
 */
import { AppError } from '#base/errors';
import { ProtobufReader } from './reader.ts';

/** Throws if nothing in the body is known; all signals have the same fields around what they carry. @throws AppError `invalid_argument` */
export function assertExportRequest(body: Uint8Array, name: string): void {
  if (body.length === 0) return;
  if (body[0] === BRACE) fail(name, 'it begins as JSON does, which needs the content type application/json');
  const reader = new ProtobufReader(body);
  while (reader.position < reader.end) {
    const tag = reader.readTag();
    if (tag === RESOURCE_GROUP) {
      const outerEnd = reader.enter();
      if (hasKnownField(reader)) return;
      reader.leave(outerEnd);
    } else reader.skip(tag);
  }
  fail(name, 'none of its fields is known');
}

/** An empty message has defaults for all of them. */
function hasKnownField(reader: ProtobufReader): boolean {
  if (reader.position === reader.end) return true;
  while (reader.position < reader.end) {
    const tag = reader.readTag();
    if (KNOWN_FIELDS.has(tag)) return true;
    reader.skip(tag);
  }
  return false;
}

function fail(name: string, why: string): never {
  throw new AppError('invalid_argument', `The body is not an ${name}: ${why}.`);
}

/** Of `{`, which would begin a group of a field that no request has. */
const BRACE = 0x7b;
/** `resource_spans`, `resource_logs`, `resource_metrics`. */
const RESOURCE_GROUP = 0x0a;
/** `resource`, what the scopes sent, `schema_url`. */
const KNOWN_FIELDS: ReadonlySet<number> = new Set([0x0a, 0x12, 0x1a]);
