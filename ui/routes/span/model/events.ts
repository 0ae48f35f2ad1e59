/** Events of a span, exceptions told apart. */
import type { JsonObject, JsonValue } from '#base/json';
import { readStructure, readText, restOf } from './read-json.ts';

/** An event as GraphQL gives it: its attributes are flat. */
export interface RecordedEvent {
  readonly name: string;
  readonly timestamp: string;
  readonly attributes: JsonObject;
}

/** An exception that was recorded. */
export interface RecordedException {
  readonly timestamp: string;
  readonly type: string | undefined;
  readonly message: string | undefined;
  readonly stackTrace: string | undefined;
  /** Whether it left the span. */
  readonly hasEscaped: boolean;
  /** What else it carries. */
  readonly rest: JsonObject | undefined;
}

/** See {@link splitEvents}. */
export interface SpanEvents {
  readonly exceptions: readonly RecordedException[];
  readonly others: readonly RecordedEvent[];
}

/** Exceptions and what else happened, each in its order; JSON text within attributes as what it is. */
export function splitEvents(events: readonly RecordedEvent[]): SpanEvents {
  return {
    exceptions: events.filter(isException).map(readException),
    others: events
      .filter((event) => !isException(event))
      .map((event) => ({
        ...event,
        attributes: mapFields(event.attributes, (value) => readStructure(value) ?? value),
      })),
  };
}

function isException({ name, attributes }: RecordedEvent): boolean {
  return (
    name === 'exception' || attributes['exception.type'] !== undefined || attributes['exception.message'] !== undefined
  );
}

function readException({ timestamp, attributes }: RecordedEvent): RecordedException {
  return {
    timestamp,
    type: readText(attributes['exception.type']),
    message: readText(attributes['exception.message']),
    stackTrace: readText(attributes['exception.stacktrace']),
    hasEscaped: readText(attributes['exception.escaped'])?.toLowerCase() === 'true',
    rest: restOf(attributes, EXCEPTION_FIELDS),
  };
}

function mapFields(object: JsonObject, change: (value: JsonValue) => JsonValue): JsonObject {
  const changed = Object.create(null) as JsonObject;
  for (const [key, value] of Object.entries(object)) changed[key] = change(value);
  return changed;
}

const EXCEPTION_FIELDS: ReadonlySet<string> = new Set([
  'exception.type',
  'exception.message',
  'exception.stacktrace',
  'exception.escaped',
]);
