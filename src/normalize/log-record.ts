/** Log records as what they say about the spans that they belong to. */
import { type JsonObject, jsonObject } from '#base/json';
import type { KeyValue, OtlpLogRecord } from '#otlp/messages';
import { ATTR_EVENT_NAME } from '#semconv/otel';
import type { SpanRecord } from './dialects/dialect.ts';
import { toJsonValue } from './json-value.ts';
import { storableText } from './text.ts';

/** The record as dialects read it: one that is an event has its name, any other an empty one. Never throws. */
export function toSpanRecord(record: OtlpLogRecord): SpanRecord {
  return {
    name: eventNameOf(record),
    timeUnixNano: timeOf(record),
    attributes: readAttributes(record.attributes),
    body: record.body === null ? undefined : toJsonValue(record.body),
  };
}

/** What the event is called that the record is: by its own field, else by an attribute; empty for a plain log record. */
export function eventNameOf({ eventName, attributes }: OtlpLogRecord): string {
  if (eventName !== '') return storableText(eventName);
  const named = attributes.findLast(({ key }) => key === ATTR_EVENT_NAME)?.value;
  return typeof named === 'string' ? storableText(named) : '';
}

/** When it happened, else when it was seen, in nanoseconds since the Unix epoch; 0 where neither is known. */
export function timeOf({ timeUnixNano, observedTimeUnixNano }: OtlpLogRecord): bigint {
  return timeUnixNano || observedTimeUnixNano;
}

function readAttributes(attributes: readonly KeyValue[]): JsonObject {
  const flat = jsonObject();
  for (const { key, value } of attributes) if (value !== null) flat[storableText(key)] = toJsonValue(value);
  return flat;
}
