/** Writes spans of the benchmark's traffic as OTLP. */
import { ProtobufWriter } from '#otlp/protobuf/writer';

/** Attributes of a span: a whole number is sent as an int, any other as a double. */
export type Attributes = Readonly<Record<string, string | number>>;

/** A span before encoding. */
export interface TrafficSpan {
  readonly traceId: Uint8Array;
  readonly spanId: Uint8Array;
  readonly parentSpanId: Uint8Array | undefined;
  readonly name: string;
  readonly startUnixNano: bigint;
  readonly endUnixNano: bigint;
  readonly attributes: Attributes;
  /** Whether it failed; else it went well. */
  readonly isError?: boolean;
}

/** An `ExportTraceServiceRequest` with one resource and one scope, as one process sends it. */
export function encodeRequest(resource: Attributes, spans: readonly TrafficSpan[]): Uint8Array<ArrayBuffer> {
  const writer = new ProtobufWriter(64 * 1024);
  writer.message(1, () => {
    writer.message(2, () => {
      for (const span of spans.toReversed()) writer.message(2, () => writeSpan(writer, span));
      writer.message(1, () => {
        writer.text(2, '0.1.43');
        writer.text(1, 'openinference.instrumentation.openai');
      });
    });
    writer.message(1, () => writeAttributes(writer, 1, resource));
  });
  return writer.finish();
}

/** Fields from the last to the first, as the writer wants them. */
function writeSpan(writer: ProtobufWriter, span: TrafficSpan): void {
  writer.message(15, () => writer.uint32(3, span.isError ? 2 : 1));
  writeAttributes(writer, 9, span.attributes);
  writer.fixed64(8, span.endUnixNano);
  writer.fixed64(7, span.startUnixNano);
  writer.uint32(6, 1);
  writer.text(5, span.name);
  if (span.parentSpanId !== undefined) writer.bytes(4, span.parentSpanId);
  writer.bytes(2, span.spanId);
  writer.bytes(1, span.traceId);
}

function writeAttributes(writer: ProtobufWriter, field: number, attributes: Attributes): void {
  for (const [key, value] of Object.entries(attributes).toReversed()) {
    writer.message(field, () => {
      writer.message(2, () => {
        if (typeof value === 'string') writer.text(1, value);
        else if (Number.isInteger(value)) writer.int64(3, BigInt(value));
        else writer.double(4, value);
      });
      writer.text(1, key);
    });
  }
}
