import {
  type AnyValue,
  type ExportLogsRequest,
  type ExportTraceRequest,
  isKeyValueList,
  type KeyValue,
} from '#otlp/messages';

/** The decoded request in the words of the oracle's messages, so that the two can be compared; without raw bytes. */
export function toPlain(request: ExportTraceRequest): unknown {
  return {
    resourceSpans: request.resourceSpans.map(({ resource, scopeSpans }) => ({
      resource: { attributes: resource.attributes.map(plainKeyValue) },
      schemaUrl: resource.schemaUrl,
      scopeSpans: scopeSpans.map(({ scope, spans }) => ({
        scope: { name: scope.name, version: scope.version, attributes: scope.attributes.map(plainKeyValue) },
        schemaUrl: scope.schemaUrl,
        spans: spans.map((span) => {
          if ('malformed' in span) return { malformed: span.malformed };
          const { bytes: _, ...fields } = span;
          return {
            ...fields,
            attributes: span.attributes.map(plainKeyValue),
            events: span.events.map((event) => ({ ...event, attributes: event.attributes.map(plainKeyValue) })),
            links: span.links.map((link) => ({ ...link, attributes: link.attributes.map(plainKeyValue) })),
          };
        }),
      })),
    })),
  };
}

/** The same of a request of log records. */
export function logsToPlain(request: ExportLogsRequest): unknown {
  return {
    resourceLogs: request.resourceLogs.map(({ resource, scopeLogs }) => ({
      resource: { attributes: resource.attributes.map(plainKeyValue) },
      schemaUrl: resource.schemaUrl,
      scopeLogs: scopeLogs.map(({ scope, logRecords }) => ({
        scope: { name: scope.name, version: scope.version, attributes: scope.attributes.map(plainKeyValue) },
        schemaUrl: scope.schemaUrl,
        logRecords: logRecords.map((record) => {
          if ('malformed' in record) return { malformed: record.malformed };
          const { bytes: _, body, attributes, ...fields } = record;
          return { ...fields, body: plainValue(body), attributes: attributes.map(plainKeyValue) };
        }),
      })),
    })),
  };
}

/** A message of the oracle reduced to the fields that {@link toPlain} has, with the defaults of absent messages. */
export function oracleToPlain(message: unknown): unknown {
  return pick(message, REQUEST);
}

/** The same for {@link logsToPlain}. */
export function oracleLogsToPlain(message: unknown): unknown {
  return pick(message, LOGS_REQUEST);
}

function plainKeyValue({ key, value }: KeyValue): unknown {
  return { key, value: plainValue(value) };
}

function plainValue(value: AnyValue): unknown {
  if (Array.isArray(value)) return { array: value.map(plainValue) };
  if (isKeyValueList(value)) return { map: value.entries.map(plainKeyValue) };
  return value instanceof Uint8Array ? { bytes: Buffer.from(value).toString('hex') } : value;
}

type Shape = { readonly [field: string]: unknown };

const KEY_VALUES = [{ key: '', value: null }];
const SCOPE = { name: '', version: '', attributes: KEY_VALUES };
const EVENT = { timeUnixNano: 0n, name: '', attributes: KEY_VALUES, droppedAttributesCount: 0 };
const LINK = {
  traceId: new Uint8Array(0),
  spanId: new Uint8Array(0),
  traceState: '',
  attributes: KEY_VALUES,
  droppedAttributesCount: 0,
  flags: 0,
};
const SPAN = {
  traceId: new Uint8Array(0),
  spanId: new Uint8Array(0),
  traceState: '',
  parentSpanId: new Uint8Array(0),
  flags: 0,
  name: '',
  kind: 0,
  startTimeUnixNano: 0n,
  endTimeUnixNano: 0n,
  attributes: KEY_VALUES,
  droppedAttributesCount: 0,
  events: [EVENT],
  droppedEventsCount: 0,
  links: [LINK],
  droppedLinksCount: 0,
  status: { code: 0, message: '' },
};
const REQUEST = {
  resourceSpans: [
    {
      resource: { attributes: KEY_VALUES },
      schemaUrl: '',
      scopeSpans: [{ scope: SCOPE, schemaUrl: '', spans: [SPAN] }],
    },
  ],
};

const ANY_VALUE = Symbol('AnyValue');
const LOG_RECORD = {
  timeUnixNano: 0n,
  observedTimeUnixNano: 0n,
  severityNumber: 0,
  severityText: '',
  body: ANY_VALUE,
  attributes: KEY_VALUES,
  droppedAttributesCount: 0,
  flags: 0,
  traceId: new Uint8Array(0),
  spanId: new Uint8Array(0),
  eventName: '',
};
const LOGS_REQUEST = {
  resourceLogs: [
    {
      resource: { attributes: KEY_VALUES },
      schemaUrl: '',
      scopeLogs: [{ scope: SCOPE, schemaUrl: '', logRecords: [LOG_RECORD] }],
    },
  ],
};

/** Picks what the shape names: an array shape holds the shape of its elements, a leaf is the default of its field. */
function pick(value: unknown, shape: unknown): unknown {
  if (Array.isArray(shape)) return ((value ?? []) as unknown[]).map((element) => pick(element, shape[0]));
  if (shape === ANY_VALUE) return pickValue(value as OracleAnyValue | undefined);
  if (shape === KEY_VALUES[0]) {
    const { key, value: anyValue } = value as { key: string; value?: OracleAnyValue };
    return { key, value: pickValue(anyValue) };
  }
  if (typeof shape === 'object' && shape !== null && !(shape instanceof Uint8Array)) {
    return Object.fromEntries(
      Object.entries(shape as Shape).map(([name, inner]) => [name, pick((value as Shape | undefined)?.[name], inner)]),
    );
  }
  return value ?? shape;
}

interface OracleAnyValue {
  readonly value: { readonly case?: string; readonly value?: unknown };
}

function pickValue(anyValue: OracleAnyValue | undefined): unknown {
  const { case: name, value } = anyValue?.value ?? {};
  switch (name) {
    case undefined:
      return null;
    case 'arrayValue':
      return { array: (value as { values: OracleAnyValue[] }).values.map(pickValue) };
    case 'kvlistValue':
      return { map: (value as { values: unknown[] }).values.map((entry) => pick(entry, KEY_VALUES[0])) };
    case 'bytesValue':
      return { bytes: Buffer.from(value as Uint8Array).toString('hex') };
    default:
      return value;
  }
}
