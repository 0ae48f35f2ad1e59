import { ProtobufWriter } from './writer.ts';

/** The spans of one resource, as they are stored. */
export interface StoredResourceSpans {
  /** {@link OtelResource.envelope}, see `messages.ts`. */
  readonly envelope: Uint8Array;
  readonly scopes: readonly StoredScopeSpans[];
}

/** The spans of one scope, as they are stored. */
export interface StoredScopeSpans {
  /** {@link InstrumentationScope.envelope}, see `messages.ts`. */
  readonly envelope: Uint8Array;
  /** `Span` messages, byte by byte as they were received. */
  readonly spans: readonly Uint8Array[];
}

/** Encodes an `ExportTraceServiceRequest` around stored span messages, which go into it byte by byte. */
export function encodeExportTraceRequest(groups: readonly StoredResourceSpans[]): Uint8Array<ArrayBuffer> {
  const writer = new ProtobufWriter();
  for (const group of groups.toReversed()) {
    writer.message(1, () => {
      for (const scope of group.scopes.toReversed()) {
        writer.message(2, () => {
          for (const span of scope.spans.toReversed()) writer.bytes(2, span);
          writer.raw(scope.envelope);
        });
      }
      writer.raw(group.envelope);
    });
  }
  return writer.finish();
}
