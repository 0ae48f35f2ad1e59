/** What happens to a list of spans before it is an export like any other, in the preparer's thread. */
import { AppError } from '#base/errors';
import { type JsonValue, parseJson } from '#base/json';
import { MAX_ID_TEXT, SPAN_ID_BYTES, TRACE_ID_BYTES, toIdText } from '#normalize/otel-id';
import { decompress } from '#otlp/compression';
import { type FormProblem, readSpanList, type SentSpan } from './form.ts';
import { assertJsonBounds } from './json-bounds.ts';
import { encodeSpanList, findSpanFault } from './transcode.ts';

/** The ids of a span as they are stored. */
export interface SpanIds {
  readonly traceId: string;
  readonly spanId: string;
}

/** A span that no message can carry. */
export interface InvalidSpan extends SpanIds {
  readonly error: string;
}

/** A list whose spans have the right form. */
export interface PreparedSpanList {
  /** Of all spans, in their order. */
  readonly ids: readonly SpanIds[];
  readonly invalid: readonly InvalidSpan[];
  /** An `ExportTraceServiceRequest` with the spans; empty where one is invalid, as then none is stored. */
  readonly body: Uint8Array<ArrayBuffer>;
}

/** Largest body, as sent and after decompression, where memory allows it: objects take several times the bytes of their JSON. */
export const MAX_SPAN_LIST_BYTES = 32 * 1024 * 1024;

/** Largest list that others wait for, as sent and after decompression: JSON takes ten times as long to read as an export. */
export const MAX_SMALL_LIST_BYTES = 256 * 1024;

/** What a body is made: a list, or what is wrong with its form. */
export type SpanListPreparation = PreparedSpanList | { readonly problems: readonly FormProblem[] };

/**
 * Decompresses, reads and transcodes a body.
 * @throws AppError `unsupported` for its encoding, `too_large`
 */
export function prepareSpanList(
  sent: Uint8Array,
  contentEncoding: string,
  maxBytes = MAX_SPAN_LIST_BYTES,
): SpanListPreparation {
  try {
    return prepare(decompress(sent, contentEncoding, maxBytes));
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'invalid_argument')) throw error;
    return { problems: [{ type: 'value_error', loc: ['body'], msg: error.message, input: null }] };
  }
}

/** As {@link prepareSpanList}; `null` for a body that is more than small once it is decompressed. */
export function prepareSmallList(sent: Uint8Array, contentEncoding: string): SpanListPreparation | null {
  try {
    return prepareSpanList(sent, contentEncoding, MAX_SMALL_LIST_BYTES);
  } catch (error) {
    if (error instanceof AppError && error.code === 'too_large') return null;
    throw error;
  }
}

function prepare(plain: Uint8Array): SpanListPreparation {
  assertJsonBounds(plain, BOUNDS);
  const json = parseBody(plain);
  if (json === undefined) return { problems: [NO_JSON] };
  const list = readSpanList(json);
  if ('problems' in list) return list;
  const { spans } = list;
  if (spans.length > MAX_SPANS) {
    throw new AppError(
      'too_large',
      `The body contains ${spans.length} spans; the limit is ${MAX_SPANS}. Send them in parts.`,
    );
  }
  const invalid = spans.flatMap((span) => {
    const error = findSpanFault(span);
    return error === undefined ? [] : [{ ...shortIdsOf(span), error }];
  });
  const body = invalid.length === 0 ? encodeSpanList(spans, plain.length) : new Uint8Array(0);
  return { ids: spans.map(idsOf), invalid, body };
}

/** A span with long texts has a few dozen levels and some hundred values. */
const BOUNDS = { maxDepth: 200, maxValues: 1_000_000, maxNames: 50_000 };

/** Each is looked for before any is stored. */
const MAX_SPANS = 10_000;

const NO_JSON: FormProblem = { type: 'json_invalid', loc: ['body'], msg: 'The body is not valid JSON.', input: null };

function parseBody(plain: Uint8Array): JsonValue | undefined {
  try {
    return parseJson(Buffer.from(plain.buffer, plain.byteOffset, plain.byteLength).toString('utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function shortIdsOf({ traceId, spanId }: SentSpan): SpanIds {
  return { traceId: traceId.slice(0, MAX_ID_TEXT), spanId: spanId.slice(0, MAX_ID_TEXT) };
}

function idsOf({ traceId, spanId }: SentSpan): SpanIds {
  return { traceId: toIdText(traceId, TRACE_ID_BYTES), spanId: toIdText(spanId, SPAN_ID_BYTES) };
}
