/** The form of a list of spans as REST takes it: who sends something else is told every path, up to a bound. */
import { isJsonObject, JsonNumber, type JsonObject, type JsonValue } from '#base/json';
import { parseUnixNano } from '#domain/timestamp';

/** One problem. `loc` is where it lies: `body`, then names and list indexes. */
export interface FormProblem {
  readonly type: string;
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  /** What was sent; `null` for an object or a list. */
  readonly input: string | number | boolean | null;
}

/** A span as it was sent; fields that may be left out have their defaults. Times in nanoseconds since the Unix epoch. */
export interface SentSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly spanKind: string;
  /** `null` for a root. */
  readonly parentId: string | null;
  readonly startUnixNano: bigint;
  readonly endUnixNano: bigint;
  readonly statusCode: string;
  readonly statusMessage: string;
  readonly attributes: JsonObject;
  readonly events: readonly SentEvent[];
}

/** An event of a {@link SentSpan}. */
export interface SentEvent {
  readonly name: string;
  readonly unixNano: bigint;
  readonly attributes: JsonObject;
}

/** What a body holds: its spans, or what is wrong with it. */
export type SpanList = { readonly spans: readonly SentSpan[] } | { readonly problems: readonly FormProblem[] };

/** Reads `{"data": [span, …]}`; members that it does not know are ignored. */
export function readSpanList(body: JsonValue): SpanList {
  const form = new FormReader();
  const data = form.list(form.object(body, ['body'])?.['data'], ['body', 'data']);
  const spans = form.objects(data, ['body', 'data']).map(([span, path]) => readSpan(form, span, path));
  return form.problems.length === 0 ? { spans } : { problems: form.problems };
}

type JsonPath = readonly (string | number)[];

function readSpan(form: FormReader, span: JsonObject, path: JsonPath): SentSpan {
  const member = (name: string): [JsonValue | undefined, JsonPath] => [span[name], [...path, name]];
  const context = form.object(...member('context')) ?? {};
  const inContext = (name: string) => form.text(context[name], [...path, 'context', name]);
  const hasContext = isJsonObject(span['context']);
  const events = span['events'] === undefined ? [] : form.list(...member('events'));
  return {
    name: form.text(...member('name')),
    traceId: hasContext ? inContext('trace_id') : '',
    spanId: hasContext ? inContext('span_id') : '',
    spanKind: form.text(...member('span_kind')),
    parentId: (span['parent_id'] ?? null) === null ? null : form.text(...member('parent_id')),
    startUnixNano: form.time(span['start_time'], path, 'start_time'),
    endUnixNano: form.time(span['end_time'], path, 'end_time'),
    statusCode: form.text(...member('status_code')),
    statusMessage: span['status_message'] === undefined ? '' : form.text(...member('status_message')),
    attributes: span['attributes'] === undefined ? {} : (form.object(...member('attributes')) ?? {}),
    events: form.objects(events, [...path, 'events']).map(([event, at]) => readEvent(form, event, at)),
  };
}

function readEvent(form: FormReader, event: JsonObject, path: JsonPath): SentEvent {
  const attributes = event['attributes'];
  return {
    name: form.text(event['name'], [...path, 'name']),
    unixNano: form.time(event['timestamp'], path, 'timestamp'),
    attributes: attributes === undefined ? {} : (form.object(attributes, [...path, 'attributes']) ?? {}),
  };
}

/** Reads values of a type, and notes those of another. */
class FormReader {
  readonly problems: FormProblem[] = [];

  object(value: JsonValue | undefined, path: JsonPath): JsonObject | undefined {
    if (isJsonObject(value)) return value;
    this.#note(value, path, 'dict_type', 'Input should be a valid dictionary');
    return undefined;
  }

  list(value: JsonValue | undefined, path: JsonPath): readonly JsonValue[] {
    if (Array.isArray(value)) return value;
    this.#note(value, path, 'list_type', 'Input should be a valid list');
    return [];
  }

  /** The items that are objects, with their places. */
  objects(items: readonly JsonValue[], path: JsonPath): readonly (readonly [JsonObject, JsonPath])[] {
    return items.flatMap((item, index) => {
      const at = [...path, index];
      const object = this.object(item, at);
      return object === undefined ? [] : [[object, at] as const];
    });
  }

  text(value: JsonValue | undefined, path: JsonPath): string {
    if (typeof value === 'string') return value;
    this.#note(value, path, 'string_type', 'Input should be a valid string');
    return '';
  }

  /** A member of the object at the path, which itself is what is wrong where the time names no offset. */
  time(value: JsonValue | undefined, path: JsonPath, name: string): bigint {
    const text = value instanceof JsonNumber ? value.text : typeof value === 'number' ? String(value) : value;
    const time = typeof text === 'string' ? parseUnixNano(text) : undefined;
    if (time === undefined) {
      this.#note(value, [...path, name], 'datetime_parsing', 'Input should be a valid datetime');
      return 0n;
    }
    if (time.isNaive) {
      const message = `${name}: a timezone-naive time is not allowed; add an offset to every time, such as Z or +02:00`;
      this.#note({}, path, 'value_error', message);
    }
    return time.unixNano;
  }

  #note(value: JsonValue | undefined, loc: JsonPath, type: string, msg: string): void {
    if (this.problems.length >= MAX_PROBLEMS) return;
    if (value === undefined) this.problems.push({ type: 'missing', loc, msg: 'Field required', input: null });
    else this.problems.push({ type, loc, msg, input: echo(value) });
  }
}

function echo(value: JsonValue): FormProblem['input'] {
  if (typeof value === 'string') return value.slice(0, MAX_ECHO_CHARACTERS);
  if (value instanceof JsonNumber) return value.text.slice(0, MAX_ECHO_CHARACTERS);
  return typeof value === 'object' ? null : value;
}

const MAX_PROBLEMS = 100;
const MAX_ECHO_CHARACTERS = 1000;
