import { readFileSync, statSync } from 'node:fs';
import { AppError, errorMessage } from '#base/errors';
import { findIdFault, SPAN_ID_BYTES } from '#normalize/otel-id';
import { decompress } from '#otlp/compression';
import { transcodeJsonRequest } from '#otlp/json/transcode';
import type { ExportLogsRequest, ExportTraceRequest } from '#otlp/messages';
import { decodeExportLogsRequest, decodeExportTraceRequest } from '#otlp/protobuf/request';

/** What a file holds: one of the two. */
export interface ExportFile {
  readonly traces?: ExportTraceRequest;
  readonly logs?: ExportLogsRequest;
}

/**
 * Reads an export request of traces or logs, protobuf or OTLP JSON, plain or compressed with gzip or zstd.
 * @throws AppError `invalid_argument` where it is none, `not_found` without a file
 */
export function readExportFile(path: string): ExportFile {
  try {
    const bytes = readBytes(path);
    const body = decompress(bytes, codingOf(bytes), MAX_BYTES);
    return isJson(body) ? readJson(body) : readProtobuf(body);
  } catch (error) {
    if (isNoSuchFile(error)) throw new AppError('not_found', `There is no file ${path}.`, { cause: error });
    const reason = errorMessage(error).replace(/\.$/, '');
    throw new AppError('invalid_argument', `${path} is not an export request: ${reason}. ${WHAT_TO_GIVE}`, {
      cause: error,
    });
  }
}

const WHAT_TO_GIVE = 'Give the body of an OTLP request (protobuf or JSON).';

function isNoSuchFile(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/** More than any exporter sends, and than people read. */
const MAX_BYTES = 256 * 1024 * 1024;

function readBytes(path: string): Uint8Array {
  if (statSync(path).size > MAX_BYTES) throw new AppError('too_large', `it is larger than ${MAX_BYTES} bytes.`);
  return readFileSync(path);
}

/** Files have no headers: what begins as a compressed file does is one. */
function codingOf(bytes: Uint8Array): string {
  if (startsWith(bytes, [0x1f, 0x8b])) return 'gzip';
  return startsWith(bytes, [0x28, 0xb5, 0x2f, 0xfd]) ? 'zstd' : '';
}

function startsWith(bytes: Uint8Array, start: readonly number[]): boolean {
  return start.every((byte, place) => bytes[place] === byte);
}

/**
 * No protobuf request begins with a brace. It begins with a line feed, as JSON may, but no brace follows it unless by chance, and none
 * ends it.
 */
function isJson(body: Uint8Array): boolean {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const start = text.toString('latin1', 0, EDGE_BYTES);
  const end = text.toString('latin1', Math.max(0, text.length - EDGE_BYTES));
  return start.startsWith('{') || (/^\s*\{/.test(start) && /\}\s*$/.test(end));
}

const EDGE_BYTES = 100;

function readJson(body: Uint8Array): ExportFile {
  if (Buffer.from(body.buffer, body.byteOffset, body.byteLength).includes('"resourceLogs"')) {
    return { logs: decodeExportLogsRequest(transcodeJsonRequest(body, 'ExportLogsServiceRequest')) };
  }
  return { traces: decodeExportTraceRequest(transcodeJsonRequest(body)) };
}

/** The two have the same fields around their items, and no log record reads as a span with an id. */
function readProtobuf(body: Uint8Array): ExportFile {
  const traces = decodeExportTraceRequest(body);
  if (traces.resourceSpans.length === 0)
    throw new AppError('invalid_argument', 'it holds no spans and no log records.');
  const spans = traces.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
  if (spans.some((span) => !('malformed' in span) && findIdFault(span.spanId, SPAN_ID_BYTES) === undefined)) {
    return { traces };
  }
  const logs = decodeExportLogsRequest(body);
  const records = logs.resourceLogs.flatMap(({ scopeLogs }) => scopeLogs.flatMap((scope) => scope.logRecords));
  return records.some((record) => !('malformed' in record)) ? { logs } : { traces };
}
