import { ProtobufWriter } from './protobuf/writer.ts';
import type { Signal } from './signal.ts';

/** The encodings of OTLP/HTTP; a response has that of its request. */
export type OtlpFormat = 'protobuf' | 'json';

/** What a successful export is answered with; nothing rejected and no message is full success. */
export interface ExportResult {
  /** Spans, log records or data points that were not stored. */
  readonly rejectedCount: number;
  readonly errorMessage: string;
}

/** A `google.rpc.Status`; the code is one of gRPC's, and a time to retry becomes its `RetryInfo`. */
export interface RpcStatus {
  readonly code: number;
  readonly message: string;
  readonly retryAfterSeconds?: number | undefined;
}

/** What the responses of the signals call the number of what was rejected; its field number is the same in all. */
const REJECTED_NAMES: Readonly<Record<Signal, string>> = {
  traces: 'rejectedSpans',
  logs: 'rejectedLogRecords',
  metrics: 'rejectedDataPoints',
};

/** Encodes the response to an export. Full success has no `partial_success`: no bytes in protobuf, `{}` in JSON. */
export function encodeExportResponse(
  signal: Signal,
  format: OtlpFormat,
  result: ExportResult,
): Uint8Array<ArrayBuffer> {
  const { rejectedCount, errorMessage } = result;
  const isPartial = rejectedCount > 0 || errorMessage !== '';
  switch (format) {
    case 'json': {
      const partialSuccess = {
        ...(rejectedCount > 0 && { [REJECTED_NAMES[signal]]: String(rejectedCount) }),
        ...(errorMessage !== '' && { errorMessage }),
      };
      return encodeJson(isPartial ? { partialSuccess } : {});
    }
    case 'protobuf': {
      const writer = new ProtobufWriter();
      if (isPartial) {
        writer.message(1, () => {
          if (errorMessage !== '') writer.text(2, errorMessage);
          if (rejectedCount > 0) writer.int64(1, BigInt(rejectedCount));
        });
      }
      return writer.finish();
    }
  }
}

/**
 * Encodes a `google.rpc.Status`: the body of an OTLP/HTTP error, and, in protobuf, gRPC's `grpc-status-details-bin`.
 * @see https://opentelemetry.io/docs/specs/otlp/#failures-1
 */
export function encodeRpcStatus(format: OtlpFormat, status: RpcStatus): Uint8Array<ArrayBuffer> {
  const { code, message, retryAfterSeconds } = status;
  switch (format) {
    case 'json': {
      const details = [{ '@type': RETRY_INFO_TYPE, retryDelay: `${retryAfterSeconds}s` }];
      return encodeJson({ code, message, ...(retryAfterSeconds !== undefined && { details }) });
    }
    case 'protobuf': {
      const writer = new ProtobufWriter();
      if (retryAfterSeconds !== undefined) {
        writer.message(3, () => {
          writer.bytes(2, encodeRetryInfo(retryAfterSeconds));
          writer.text(1, RETRY_INFO_TYPE);
        });
      }
      if (message !== '') writer.text(2, message);
      if (code !== 0) writer.int64(1, BigInt(code));
      return writer.finish();
    }
  }
}

const RETRY_INFO_TYPE = 'type.googleapis.com/google.rpc.RetryInfo';

function encodeRetryInfo(seconds: number): Uint8Array {
  const writer = new ProtobufWriter(32);
  const wholeSeconds = Math.floor(seconds);
  const nanos = Math.round((seconds - wholeSeconds) * 1e9);
  writer.message(1, () => {
    if (nanos > 0) writer.uint32(2, nanos);
    if (wholeSeconds > 0) writer.int64(1, BigInt(wholeSeconds));
  });
  return writer.finish();
}

function encodeJson(value: object): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(JSON.stringify(value), 'utf8'));
}
