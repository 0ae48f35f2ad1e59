import fc from 'fast-check';

/** Any text without a byte order mark in front, which the oracle drops. */
const text = fc.string({ unit: 'binary', maxLength: 40 }).filter((value) => !value.startsWith('\uFEFF'));
const count = fc.nat({ max: 2 ** 32 - 1 });
const nanoseconds = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const bytes = fc.uint8Array({ maxLength: 20 });

/** Fields that no schema knows, as the oracle keeps them; also one in a group. */
const unknownFields = fc.array(
  fc.oneof(
    bytes.map((value) => ({ no: 1000, wireType: 2, data: Uint8Array.from([value.length, ...value]) })),
    fc.constant({ no: 1001, wireType: 0, data: Uint8Array.from([0xff, 0x01]) }),
    fc.constant({ no: 1002, wireType: 5, data: Uint8Array.from([1, 2, 3, 4]) }),
    fc.constant({ no: 1003, wireType: 3, data: Uint8Array.from([0x08, 0x01, 0xdc, 0x3e]) }),
  ),
  { maxLength: 2 },
);

/** Initial values of `AnyValue` and `KeyValue` messages. */
const { anyValue, keyValue } = fc.letrec<{ anyValue: object; keyValue: object }>((tie) => ({
  anyValue: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constant({}),
    text.map((value) => ({ value: { case: 'stringValue', value } })),
    fc.boolean().map((value) => ({ value: { case: 'boolValue', value } })),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((value) => ({ value: { case: 'intValue', value } })),
    fc.double().map((value) => ({ value: { case: 'doubleValue', value } })),
    bytes.map((value) => ({ value: { case: 'bytesValue', value } })),
    fc.array(tie('anyValue'), { maxLength: 4 }).map((values) => ({ value: { case: 'arrayValue', value: { values } } })),
    fc
      .array(tie('keyValue'), { maxLength: 4 })
      .map((values) => ({ value: { case: 'kvlistValue', value: { values } } })),
  ),
  keyValue: fc.record({ key: text, value: tie('anyValue') }, { requiredKeys: ['key'] }),
}));

const attributes = fc.array(keyValue, { maxLength: 4 });

/** Initial values of `Span` messages for the oracle. */
export const spanInits = fc.record({
  traceId: bytes,
  spanId: bytes,
  traceState: text,
  parentSpanId: bytes,
  flags: count,
  name: text,
  kind: fc.integer({ min: -1, max: 9 }),
  startTimeUnixNano: nanoseconds,
  endTimeUnixNano: nanoseconds,
  attributes,
  droppedAttributesCount: count,
  events: fc.array(fc.record({ timeUnixNano: nanoseconds, name: text, attributes, droppedAttributesCount: count }), {
    maxLength: 2,
  }),
  droppedEventsCount: count,
  links: fc.array(
    fc.record({
      traceId: bytes,
      spanId: bytes,
      traceState: text,
      attributes,
      droppedAttributesCount: count,
      flags: count,
    }),
    { maxLength: 2 },
  ),
  droppedLinksCount: count,
  status: fc.option(fc.record({ code: fc.integer({ min: -1, max: 5 }), message: text }), { nil: undefined }),
  $unknown: unknownFields,
});

/** Initial values of `LogRecord` messages for the oracle. */
const logRecordInits = fc.record({
  timeUnixNano: nanoseconds,
  observedTimeUnixNano: nanoseconds,
  severityNumber: fc.integer({ min: -1, max: 26 }),
  severityText: text,
  body: fc.option(anyValue, { nil: undefined }),
  attributes,
  droppedAttributesCount: count,
  flags: count,
  traceId: bytes,
  spanId: bytes,
  eventName: text,
  $unknown: unknownFields,
});

/** Initial values of `ScopeSpans` messages for the oracle. */
const scopeSpansInits = fc.record({
  scope: fc.option(fc.record({ name: text, version: text, attributes, $unknown: unknownFields }), { nil: undefined }),
  spans: fc.array(spanInits, { maxLength: 3 }),
  schemaUrl: text,
  $unknown: unknownFields,
});

/** Initial values of `ResourceSpans` messages for the oracle. */
export const resourceSpansInits = fc.record({
  resource: fc.option(fc.record({ attributes, droppedAttributesCount: count, $unknown: unknownFields }), {
    nil: undefined,
  }),
  scopeSpans: fc.array(scopeSpansInits, { maxLength: 2 }),
  schemaUrl: text,
  $unknown: unknownFields,
});

const resourceLogsInits = fc.record({
  resource: fc.option(fc.record({ attributes, droppedAttributesCount: count, $unknown: unknownFields }), {
    nil: undefined,
  }),
  scopeLogs: fc.array(
    fc.record({
      scope: fc.option(fc.record({ name: text, version: text, attributes, $unknown: unknownFields }), {
        nil: undefined,
      }),
      logRecords: fc.array(logRecordInits, { maxLength: 3 }),
      schemaUrl: text,
      $unknown: unknownFields,
    }),
    { maxLength: 2 },
  ),
  schemaUrl: text,
  $unknown: unknownFields,
});

/** Initial values of `ExportLogsServiceRequest` messages for the oracle. */
export const logsRequestInits = fc.record({ resourceLogs: fc.array(resourceLogsInits, { maxLength: 2 }) });

/** Initial values of `ExportTraceServiceRequest` messages for the oracle. */
export const requestInits = fc.record({ resourceSpans: fc.array(resourceSpansInits, { maxLength: 2 }) });
