/** From spans as REST takes them to the OTLP message that they mean. */
import { JsonNumber, type JsonValue } from '#base/json';
import { encodeId, findIdTextFault, MAX_ID_TEXT, SPAN_ID_BYTES, TRACE_ID_BYTES } from '#normalize/otel-id';
import { MAX_TIME_UNIX_NANO } from '#normalize/normalize-request';
import { ProtobufWriter } from '#otlp/protobuf/writer';
import { ATTR_SPAN_KIND } from '#semconv/openinference';
import { STATUS_CODE_ERROR, STATUS_CODE_OK } from '#semconv/otel';
import type { SentEvent, SentSpan } from './form.ts';

/** Why no message can carry the span, in a sentence; `undefined` where one can. */
export function findSpanFault(span: SentSpan): string | undefined {
  const { traceId, spanId, parentId, startUnixNano, endUnixNano, events } = span;
  const traceFault = findIdTextFault(traceId, TRACE_ID_BYTES);
  if (traceFault !== undefined) return `The trace id ${traceFault}.`;
  const spanFault = findIdTextFault(spanId, SPAN_ID_BYTES);
  if (spanFault !== undefined) return `The span id ${spanFault}.`;
  const parentFault = parentId === null || isNoParent(parentId) ? undefined : findIdTextFault(parentId, SPAN_ID_BYTES);
  if (parentFault !== undefined) return `The parent id ${parentFault}.`;
  const times = [startUnixNano, endUnixNano, ...events.map(({ unixNano }) => unixNano)];
  return times.every((time) => time > 0n && time < MAX_TIME_UNIX_NANO) ? undefined : OUT_OF_RANGE;
}

/** OTLP has no time before 1970, and its zero is none at all. */
const OUT_OF_RANGE = 'A time is before the year 1970 or after 2254.';

/** An `ExportTraceServiceRequest` with the spans, all of which must be without a fault. No value of theirs is lost. */
export function encodeSpanList(spans: readonly SentSpan[], capacityBytes: number): Uint8Array<ArrayBuffer> {
  const writer = new ProtobufWriter(capacityBytes);
  writer.message(1, () => {
    writer.message(2, () => {
      for (const span of spans.toReversed()) writer.message(2, () => writeSpan(writer, span));
    });
  });
  return writer.finish();
}

/** Field by field from the last to the first, as the writer wants it. */
function writeSpan(writer: ProtobufWriter, span: SentSpan): void {
  writer.message(15, () => {
    const code = STATUS_CODES[span.statusCode.toUpperCase()];
    if (code !== undefined) writer.uint32(3, code);
    if (span.statusMessage !== '') writer.text(2, span.statusMessage);
  });
  for (const event of span.events.toReversed()) writer.message(11, () => writeEvent(writer, event));
  const attributes = Object.entries(span.attributes).filter(([key]) => key !== ATTR_SPAN_KIND);
  writeEntries(writer, 9, [[ATTR_SPAN_KIND, span.spanKind], ...attributes]);
  writer.fixed64(8, span.endUnixNano);
  writer.fixed64(7, span.startUnixNano);
  writer.text(5, span.name);
  if (span.parentId !== null && !isNoParent(span.parentId)) writer.bytes(4, encodeId(span.parentId, SPAN_ID_BYTES));
  writer.bytes(2, encodeId(span.spanId, SPAN_ID_BYTES));
  writer.bytes(1, encodeId(span.traceId, TRACE_ID_BYTES));
}

const STATUS_CODES: Readonly<Record<string, number>> = { OK: STATUS_CODE_OK, ERROR: STATUS_CODE_ERROR };

function isNoParent(parentId: string): boolean {
  return parentId.length <= MAX_ID_TEXT && /^0*$/.test(parentId);
}

function writeEvent(writer: ProtobufWriter, { name, unixNano, attributes }: SentEvent): void {
  writeEntries(writer, 3, Object.entries(attributes));
  writer.text(2, name);
  writer.fixed64(1, unixNano);
}

/** Repeated `KeyValue` messages. */
function writeEntries(
  writer: ProtobufWriter,
  field: number,
  entries: readonly (readonly [key: string, value: JsonValue])[],
): void {
  for (const [key, value] of entries.toReversed()) {
    writer.message(field, () => {
      writer.message(2, () => writeValue(writer, value));
      writer.text(1, key);
    });
  }
}

/** The fields of an `AnyValue`; none for `null`. */
function writeValue(writer: ProtobufWriter, value: JsonValue): void {
  if (value === null) return;
  if (typeof value === 'string') writer.text(1, value);
  else if (typeof value === 'boolean') writer.uint32(2, value ? 1 : 0);
  else if (typeof value === 'number' || value instanceof JsonNumber) writeNumber(writer, value);
  else if (Array.isArray(value)) {
    writer.message(5, () => {
      for (const item of value.toReversed()) writer.message(1, () => writeValue(writer, item));
    });
  } else writer.message(6, () => writeEntries(writer, 1, Object.entries(value)));
}

/** A number beyond what OTLP has keeps its digits as a text. */
function writeNumber(writer: ProtobufWriter, value: number | JsonNumber): void {
  const text = value instanceof JsonNumber ? value.text : String(value);
  if (!/^-?\d+$/.test(text)) {
    if (Number.isFinite(Number(text))) writer.double(4, Number(text));
    else writer.text(1, text);
    return;
  }
  const integer = text.length <= MAX_INT64_CHARACTERS ? BigInt(text) : undefined;
  if (integer !== undefined && BigInt.asIntN(64, integer) === integer) writer.int64(3, integer);
  else writer.text(1, text);
}

const MAX_INT64_CHARACTERS = '-9223372036854775808'.length;
