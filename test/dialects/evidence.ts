/** What the bytes of a scenario say, span by span, read by the oracle: so that a fact is asked only of spans that carry it. */
import { encodeJsonWithOracle, formatWithOracle } from '../oracle/otlp.ts';
import type { RecordedRequest, RecordedScenario } from './recording.ts';

/** An attribute's value in OTLP JSON. */
export interface WireValue {
  readonly stringValue?: string;
  readonly boolValue?: boolean;
  readonly intValue?: string;
  readonly doubleValue?: number | string;
  readonly bytesValue?: string;
  readonly arrayValue?: { readonly values?: readonly WireValue[] };
  readonly kvlistValue?: { readonly values?: readonly WireAttribute[] };
}

/** An attribute in OTLP JSON. */
export interface WireAttribute {
  readonly key: string;
  readonly value?: WireValue;
}

/** A span of a request in OTLP JSON. */
export interface WireSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name?: string;
  readonly startTimeUnixNano?: string;
  readonly endTimeUnixNano?: string;
  readonly attributes?: readonly WireAttribute[];
  readonly events?: readonly { readonly name?: string; readonly attributes?: readonly WireAttribute[] }[];
  readonly links?: readonly { readonly spanId: string; readonly attributes?: readonly WireAttribute[] }[];
  readonly status?: { readonly message?: string };
}

/** A log record of a request in OTLP JSON. */
export interface WireRecord {
  readonly traceId?: string;
  readonly spanId?: string;
  readonly timeUnixNano?: string;
  readonly observedTimeUnixNano?: string;
  readonly eventName?: string;
  readonly body?: WireValue;
  readonly attributes?: readonly WireAttribute[];
}

/** What stands around spans or records. */
export interface WireSource {
  readonly resource: readonly WireAttribute[];
  readonly scope: string;
}

/** All spans and log records of a scenario. */
export interface Wire {
  readonly spans: readonly (WireSource & { readonly span: WireSpan })[];
  readonly records: readonly (WireSource & { readonly record: WireRecord })[];
}

/** The protobuf message of a request, whatever it was sent as. */
export function protobufOf({ encoding, body, signal }: RecordedRequest): Uint8Array<ArrayBuffer> {
  return new Uint8Array(
    encoding === 'application/json' ? encodeJsonWithOracle(MESSAGES[signal], body.toString()) : body,
  );
}

/** The OTLP JSON of a request, whatever it was sent as. */
export function jsonOf(request: RecordedRequest): string {
  return formatWithOracle(MESSAGES[request.signal], protobufOf(request), { enumAsInteger: true });
}

/** Reads all requests of a scenario. */
export function readWire(requests: readonly RecordedRequest[]): Wire {
  const messages = requests.map((request) => JSON.parse(jsonOf(request)) as WireRequest);
  return {
    spans: messages
      .flatMap(({ resourceSpans = [] }) => resourceSpans)
      .flatMap(({ resource, scopeSpans = [] }) =>
        scopeSpans.flatMap(({ scope, spans = [] }) =>
          spans.map((span) => ({ span, resource: resource?.attributes ?? [], scope: scope?.name ?? '' })),
        ),
      ),
    records: messages
      .flatMap(({ resourceLogs = [] }) => resourceLogs)
      .flatMap(({ resource, scopeLogs = [] }) =>
        scopeLogs.flatMap(({ scope, logRecords = [] }) =>
          logRecords.map((record) => ({ record, resource: resource?.attributes ?? [], scope: scope?.name ?? '' })),
        ),
      ),
  };
}

/** Whether a text is in another: as it is, as JSON in it, and as JSON in JSON. */
export function tellsText(text: string, part: string): boolean {
  const escaped = JSON.stringify(part).slice(1, -1);
  const forms = new Set([part, escaped, JSON.stringify(escaped).slice(1, -1), toAscii(escaped)]);
  return [...forms].some((form) => text.includes(form));
}

/** What of the bytes may carry a fact. */
export class Evidence {
  readonly #values: readonly WireText[];
  readonly #texts: readonly string[];

  /** @param attributes of spans, of their events, and of log records */
  constructor(attributes: readonly WireAttribute[]) {
    this.#values = attributes.flatMap(({ key, value }) => listTexts(key, value));
    this.#texts = this.#values.map(({ text }) => text);
  }

  /** The values of attributes whose keys match. */
  valuesUnder(keys: RegExp): string[] {
    return this.#values.filter(({ key }) => keys.test(key)).map(({ text }) => text);
  }

  /** Whether a text is there, alone or inside another. */
  carries(text: string): boolean {
    return this.#texts.some((one) => tellsText(one, text));
  }

  /** Whether a name or a number is there, not as a part of a longer one. */
  carriesWord(word: string): boolean {
    return this.countWord(word) > 0;
  }

  /** How often it is there. */
  countWord(word: string): number {
    const pattern = new RegExp(`(?<![\\w.-])${escapePattern(word)}(?![\\w-]|\\.\\w)`, 'g');
    return this.#texts.reduce((sum, one) => sum + (one.match(pattern)?.length ?? 0), 0);
  }

  /** Whether a member of a map is there, by itself or in the JSON or Python of a text. */
  carriesMember(key: string, value: unknown): boolean {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    const pattern = new RegExp(`${escapePattern(key)}[\\\\"']*\\s*[:=]\\s*[\\\\"']*${escapePattern(text)}`);
    return this.#values.some((one) => (one.key === key && one.text === text) || pattern.test(one.text));
  }
}

/** The ids of a scenario's traces. */
export function listTraceIds({ requests }: RecordedScenario): ReadonlySet<string> {
  return new Set(readWire(requests).spans.map(({ span }) => span.traceId));
}

/** The evidence of each span, with the records that name it, and of all together. */
export class ScenarioEvidence {
  readonly whole: Evidence;
  readonly #spans: ReadonlyMap<string, Evidence>;

  constructor({ requests }: RecordedScenario) {
    const { spans, records } = readWire(requests);
    const bySpan = new Map<string, WireAttribute[]>();
    const add = (spanId: string, attributes: readonly WireAttribute[]): void => {
      bySpan.set(spanId, [...(bySpan.get(spanId) ?? []), ...attributes]);
    };
    for (const { span } of spans) add(span.spanId, attributesOfSpan(span));
    for (const { record } of records) {
      const called = findCall(spans, record.traceId, textOf(record.attributes, 'request_id'));
      for (const id of new Set([record.spanId ?? '', called?.spanId ?? ''])) add(id, attributesOfRecord(record));
    }
    const sources = [...spans, ...records].flatMap(({ resource }) => resource);
    this.whole = new Evidence([...[...bySpan.values()].flat(), ...sources]);
    this.#spans = new Map([...bySpan].map(([id, attributes]) => [id, new Evidence(attributes)]));
  }

  /** Of one span; nothing for an id that no span has. */
  of(spanId: string | undefined): Evidence {
    return (spanId === undefined ? undefined : this.#spans.get(spanId)) ?? NO_EVIDENCE;
  }
}

const NO_EVIDENCE = new Evidence([]);

/** The span of the call of the trace that the id of a request names. */
export function findCall(
  spans: Wire['spans'],
  traceId: string | undefined,
  requestId: string | undefined,
): WireSpan | undefined {
  if (requestId === undefined) return undefined;
  return spans
    .map(({ span }) => span)
    .find((span) => span.traceId === traceId && textOf(span.attributes, 'request_id') === requestId);
}

function textOf(attributes: readonly WireAttribute[] = [], wanted: string): string | undefined {
  return attributes.find(({ key }) => key === wanted)?.value?.stringValue;
}

const MESSAGES = { traces: 'ExportTraceServiceRequest', logs: 'ExportLogsServiceRequest' } as const;

interface WireRequest {
  readonly resourceSpans?: readonly {
    readonly resource?: { readonly attributes?: readonly WireAttribute[] };
    readonly scopeSpans?: readonly {
      readonly scope?: { readonly name?: string };
      readonly spans?: readonly WireSpan[];
    }[];
  }[];
  readonly resourceLogs?: readonly {
    readonly resource?: { readonly attributes?: readonly WireAttribute[] };
    readonly scopeLogs?: readonly {
      readonly scope?: { readonly name?: string };
      readonly logRecords?: readonly WireRecord[];
    }[];
  }[];
}

function attributesOfSpan({ attributes = [], events = [], status, name = '' }: WireSpan): WireAttribute[] {
  const said = [status?.message ?? '', name].map((text) => ({ key: '', value: { stringValue: text } }));
  return [...attributes, ...events.flatMap((event) => event.attributes ?? []), ...said];
}

function attributesOfRecord({ attributes = [], body }: WireRecord): WireAttribute[] {
  return [...attributes, ...(body === undefined ? [] : [{ key: '', value: body }])];
}

/** A scalar as text, with the last key around it. */
interface WireText {
  readonly key: string;
  readonly text: string;
}

function listTexts(key: string, value: WireValue | undefined): WireText[] {
  if (value === undefined) return [];
  if (value.arrayValue !== undefined) return (value.arrayValue.values ?? []).flatMap((item) => listTexts(key, item));
  if (value.kvlistValue !== undefined) {
    return (value.kvlistValue.values ?? []).flatMap((entry) => listTexts(entry.key, entry.value));
  }
  const [scalar] = Object.values(value) as unknown[];
  return [{ key, text: String(scalar) }];
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** As Python's `json.dumps` writes what is no ASCII. */
function toAscii(text: string): string {
  return text.replace(/[^\x20-\x7E]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** A value as JSON has it; a map is an object. */
export function toPlainJson(value: WireValue | undefined): unknown {
  if (value?.arrayValue !== undefined) return (value.arrayValue.values ?? []).map(toPlainJson);
  if (value?.kvlistValue !== undefined) {
    return Object.fromEntries((value.kvlistValue.values ?? []).map((entry) => [entry.key, toPlainJson(entry.value)]));
  }
  if (value?.intValue !== undefined) return Number(value.intValue);
  return value?.doubleValue ?? value?.stringValue ?? value?.boolValue ?? value?.bytesValue ?? null;
}
