import { ProtobufWriter } from './writer.ts';

/** What one resource sent, as it is stored. */
export interface StoredResourceGroup {
  /** {@link OtelResource.envelope}, see `messages.ts`. */
  readonly envelope: Uint8Array;
  readonly scopes: readonly StoredScopeGroup[];
}

/** What one scope sent, as it is stored. */
export interface StoredScopeGroup {
  /** {@link InstrumentationScope.envelope}, see `messages.ts`. */
  readonly envelope: Uint8Array;
  /** `Span` or `LogRecord` messages, byte by byte as they were received. */
  readonly messages: readonly Uint8Array[];
}

/**
 * Encodes an export request around stored messages, which go into it byte by byte: an `ExportTraceServiceRequest` around
 * spans, an `ExportLogsServiceRequest` around log records, as the field numbers are the same.
 */
export function encodeExportRequest(groups: readonly StoredResourceGroup[]): Uint8Array<ArrayBuffer> {
  const writer = new ProtobufWriter();
  for (const group of groups.toReversed()) {
    writer.message(1, () => {
      for (const scope of group.scopes.toReversed()) {
        writer.message(2, () => {
          for (const message of scope.messages.toReversed()) writer.bytes(2, message);
          writer.raw(scope.envelope);
        });
      }
      writer.raw(group.envelope);
    });
  }
  return writer.finish();
}
