/** The encoding of an OTLP/HTTP request that its `Content-Type` names; `undefined` where it names none. */
export function parseOtlpMediaType(contentType: string | undefined): 'protobuf' | 'json' | undefined {
  const essence = contentType?.split(';', 1)[0]?.trim().toLowerCase();
  switch (essence) {
    case 'application/x-protobuf':
    case 'application/protobuf':
      return 'protobuf';
    case 'application/json':
      return 'json';
    default:
      return undefined;
  }
}
