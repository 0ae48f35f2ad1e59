/** What queries of data frames name, and its value of a span. */
import { isJsonObject, jsonDouble, jsonObject, type JsonValue } from '#base/json';
import { attributeAt } from '#domain/attributes';
import { formatTimestamp, toMicroseconds } from '#domain/timestamp';
import type { Subtree } from '#store/spans/browse-port';
import { FRAME_FIELDS, type FrameField, type FrameSource } from '#store/spans/frame';
import type { StoredSpan } from '#store/spans/presenter';

/** A time as a value of its own: clients have a type for it. In microseconds since the Unix epoch. */
export class FrameTime {
  readonly timeUs: number;

  constructor(timeUs: number) {
    this.timeUs = timeUs;
  }
}

/** A value of a frame. */
export type Cell = JsonValue | FrameTime;

/** A name as columns are labelled by it: short forms of ids are long. */
export function unaliased(name: string): string {
  return ALIASES.get(name) ?? name;
}

const ALIASES: ReadonlyMap<string, FrameField> = new Map([
  ['span_id', 'context.span_id'],
  ['trace_id', 'context.trace_id'],
]);

/**
 * What a key names: a field, or an attribute by its dotted path (`llm.model_name`, with `attributes.` before it or
 * without) or by subscripts (`attributes['llm']['model_name']`, `metadata["topic"]`). `undefined` where it is no key.
 */
export function parseSource(key: string): FrameSource | undefined {
  const path = toPath(key.trim());
  if (path === undefined) return undefined;
  const name = FIELD_ALIASES.get(path) ?? unaliased(path);
  const field = FRAME_FIELDS.find((known) => known === name);
  if (field !== undefined) return { kind: 'field', field };
  return { kind: 'attribute', path: path.startsWith(PREFIX) ? path.slice(PREFIX.length) : path };
}

const PREFIX = 'attributes.';

const FIELD_ALIASES: ReadonlyMap<string, FrameField> = new Map([
  ['cumulative_llm_token_count_prompt', 'cumulative_token_count.prompt'],
  ['cumulative_llm_token_count_completion', 'cumulative_token_count.completion'],
  ['cumulative_llm_token_count_total', 'cumulative_token_count.total'],
]);

const SUBSCRIPTS = /\[\s*(?:'([^'\\]*)'|"([^"\\]*)"|(\d{1,9}))\s*\]/g;

function toPath(key: string): string | undefined {
  const dotted = key.replaceAll(SUBSCRIPTS, (_all, single?: string, double?: string, index?: string) => {
    const segment = single ?? double ?? index ?? '';
    return segment === '' ? '[]' : `.${segment}`;
  });
  return /^[^[\].'"\s][^[\]'"\n]*$/.test(dotted) && !/\.(?:\.|$)/.test(dotted) ? dotted : undefined;
}

/** The value; `null` where the span has none. */
export function readSource(
  source: FrameSource,
  { row, span }: Pick<StoredSpan, 'row' | 'span'>,
  subtree: Subtree | undefined,
): Cell {
  if (source.kind === 'attribute')
    return attributeAt(span.attributes, source.path) ?? attributeAt(span.reading, source.path) ?? null;
  switch (source.field) {
    case 'name':
      return span.name;
    case 'span_kind':
      return span.kind;
    case 'parent_id':
      return span.parentSpanId;
    case 'start_time':
      return new FrameTime(row.startTimeUs);
    case 'end_time':
      return new FrameTime(row.endTimeUs);
    case 'status_code':
      return span.statusCode;
    case 'status_message':
      return span.statusMessage;
    case 'events':
      return span.events.map(({ name, timeUnixNano, attributes }) =>
        Object.assign(jsonObject(), { name, timestamp: formatTimestamp(toMicroseconds(timeUnixNano)), attributes }),
      );
    case 'context.span_id':
      return span.spanId;
    case 'context.trace_id':
      return span.traceId;
    case 'latency_ms':
      return jsonDouble((row.endTimeUs - row.startTimeUs) / 1000);
    case 'cumulative_token_count.prompt':
      return subtree?.promptTokenCount ?? null;
    case 'cumulative_token_count.completion':
      return subtree?.completionTokenCount ?? null;
    case 'cumulative_token_count.total':
      return subtree === undefined ? null : subtree.promptTokenCount + subtree.completionTokenCount;
    case 'attributes':
      return span.attributes;
  }
}

/** The text of a value that is joined with others: a text stays itself. */
export function cellText(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Members of an object by their dotted keys; lists are values. */
export function flattenObject(object: JsonValue): readonly (readonly [string, JsonValue])[] {
  if (!isJsonObject(object)) return [];
  return Object.entries(object).flatMap(([key, value]) =>
    isJsonObject(value) && Object.keys(value).length > 0
      ? flattenObject(value).map(([inner, leaf]) => [`${key}.${inner}`, leaf] as const)
      : [[key, value] as const],
  );
}
