/** What a span sends, taken apart so that it can be read again without some of it. */
import { type JsonValue, jsonObject } from '#base/json';
import type { InstrumentationScope, KeyValue, OtelResource, OtlpSpan, OtlpSpanEvent } from '#otlp/messages';
import type { SpanRecord } from '../dialects/dialect.ts';
import { MAX_READ_ATTRIBUTES } from '../flat-attributes.ts';
import { toJsonValue } from '../json-value.ts';
import { storableText } from '../text.ts';

/** Everything that dialects read. */
export interface SentParts {
  readonly name: string;
  readonly attributes: readonly KeyValue[];
  readonly startTimeUnixNano: bigint;
  readonly events: readonly OtlpSpanEvent[];
  readonly records: readonly SpanRecord[];
  readonly scope: InstrumentationScope;
  readonly resource: OtelResource;
}

/** A part that is taken away and put back as a whole. */
export interface SentSource {
  /** Unique within its span. */
  readonly id: string;
  /** For people; see `SourceReading.label`. */
  readonly label: string;
  /** The attribute's key; `undefined` for an indexed list, and for what is no attribute of the span itself. */
  readonly key: string | undefined;
  /** Whether it is part of every span, and worth a word only where something depends on it. */
  readonly isAlwaysThere: boolean;
  /** How many attributes or fields it is, at least 1. */
  readonly count: number;
  readonly values: readonly JsonValue[];
}

/** The parts of a span with the log records that belong to it. */
export function toSentParts(
  {
    name,
    attributes,
    events,
    startTimeUnixNano,
  }: Pick<OtlpSpan, 'name' | 'attributes' | 'events' | 'startTimeUnixNano'>,
  scope: InstrumentationScope,
  resource: OtelResource,
  records: readonly SpanRecord[],
): SentParts {
  return {
    name,
    attributes: attributes.slice(0, MAX_READ_ATTRIBUTES),
    startTimeUnixNano,
    events,
    records,
    scope,
    resource,
  };
}

/** All sources of a span, attributes first, each in the order sent. An indexed list is one. */
export function listSources({ name: spanName, attributes, events, records, scope }: SentParts): readonly SentSource[] {
  const sources = new Map<string, SentSource & { count: number; readonly values: JsonValue[] }>();
  const add = (id: string, label: string, key: string | undefined, value: JsonValue | undefined) => {
    const source = sources.get(id) ?? {
      id,
      label,
      key,
      isAlwaysThere: id === SCOPE_ID || id === NAME_ID,
      count: 0,
      values: [],
    };
    sources.set(id, source);
    source.count++;
    if (value !== undefined) source.values.push(value);
  };
  for (const { key, value } of attributes) {
    if (value === null) continue;
    const isList = listPrefix(key) !== undefined;
    add(attributeId(key), labelOf(key), isList ? undefined : storableText(key), toJsonValue(value));
  }
  for (const event of events) {
    const name = `event ${storableText(event.name)}`;
    if (event.attributes.length === 0) add(eventId(event.name, ''), name, undefined, undefined);
    for (const { key, value } of event.attributes) {
      if (value !== null) add(eventId(event.name, key), `${name}: ${labelOf(key)}`, undefined, toJsonValue(value));
    }
  }
  for (const { name, body, attributes: fields } of records) {
    const label = name === '' ? 'log record' : `log record ${name}`;
    if (body !== undefined) add(recordBodyId(name), `${label}: body`, undefined, body);
    for (const key of Object.keys(fields))
      add(recordId(name, key), `${label}: ${labelOf(key)}`, undefined, fields[key]);
  }
  if (scope.name !== '') add(SCOPE_ID, `scope ${storableText(scope.name)}`, undefined, scope.name);
  if (spanName !== '') add(NAME_ID, 'name of the span', undefined, spanName);
  return [...sources.values()];
}

/** The parts without some of the sources, or with these alone. */
export function selectParts(parts: SentParts, isKept: (sourceId: string) => boolean): SentParts {
  return {
    name: isKept(NAME_ID) ? parts.name : '',
    attributes: parts.attributes.filter(({ key }) => isKept(attributeId(key))),
    startTimeUnixNano: parts.startTimeUnixNano,
    events: parts.events
      .map((event) => ({
        ...event,
        attributes: event.attributes.filter(({ key }) => isKept(eventId(event.name, key))),
      }))
      .filter((event, place) =>
        parts.events[place]?.attributes.length === 0 ? isKept(eventId(event.name, '')) : event.attributes.length > 0,
      ),
    records: parts.records.flatMap((record) => {
      const kept = selectFields(record, isKept);
      return kept === undefined ? [] : [kept];
    }),
    scope: isKept(SCOPE_ID) ? parts.scope : { ...parts.scope, name: '' },
    resource: parts.resource,
  };
}

function selectFields(record: SpanRecord, isKept: (sourceId: string) => boolean): SpanRecord | undefined {
  const attributes = jsonObject();
  for (const key of Object.keys(record.attributes)) {
    if (isKept(recordId(record.name, key))) attributes[key] = record.attributes[key] as JsonValue;
  }
  const body = isKept(recordBodyId(record.name)) ? record.body : undefined;
  return body === undefined && Object.keys(attributes).length === 0 ? undefined : { ...record, attributes, body };
}

function labelOf(key: string): string {
  const list = listPrefix(key);
  return storableText(list === undefined ? key : `${list}*`);
}

const SCOPE_ID = 'scope';
const NAME_ID = 'name';

function attributeId(key: string): string {
  return `attribute ${listPrefix(key) ?? `${key}\0`}`;
}

function eventId(name: string, key: string): string {
  return `event ${name}\0${listPrefix(key) ?? `${key}\0`}`;
}

function recordId(name: string, key: string): string {
  return `record ${name}\0${listPrefix(key) ?? `${key}\0`}`;
}

function recordBodyId(name: string): string {
  return `body ${name}`;
}

/** Whether the key has an index in it, so that the attribute is part of a list. */
export function isIndexed(key: string): boolean {
  return listPrefix(key) !== undefined;
}

/** The part of a key before its first index, with the dot: `a.b.` of `a.b.0.c`; `undefined` without an index. */
function listPrefix(key: string): string | undefined {
  const index = /\.\d+(?:\.|$)/.exec(key)?.index;
  return index === undefined ? undefined : key.slice(0, index + 1);
}
