/**
 * How long a model took until it began to answer, as producers report it: no convention of OpenInference has a name for it. What only
 * events tell is an attribute already (`normalize/dialects/stream-events.ts`).
 */
import { JsonNumber } from '#base/json';
import {
  ATTR_AI_RESPONSE_MS_TO_FIRST_CHUNK,
  ATTR_AI_STREAM_MS_TO_FIRST_CHUNK,
  ATTR_GEN_AI_LATENCY_TIME_TO_FIRST_TOKEN,
  ATTR_GEN_AI_RESPONSE_TIME_TO_FIRST_CHUNK,
  ATTR_GEN_AI_RESPONSE_TIME_TO_FIRST_TOKEN,
  ATTR_GEN_AI_SERVER_TIME_TO_FIRST_TOKEN,
  ATTR_LANGFUSE_COMPLETION_START_TIME,
} from '#semconv/streams';

/** Attributes with their unit in milliseconds. */
const DURATIONS: readonly (readonly [key: string, unitMs: number])[] = [
  [ATTR_GEN_AI_RESPONSE_TIME_TO_FIRST_CHUNK, 1000],
  [ATTR_GEN_AI_RESPONSE_TIME_TO_FIRST_TOKEN, 1000],
  [ATTR_GEN_AI_SERVER_TIME_TO_FIRST_TOKEN, 1000],
  [ATTR_GEN_AI_LATENCY_TIME_TO_FIRST_TOKEN, 1000],
  [ATTR_AI_RESPONSE_MS_TO_FIRST_CHUNK, 1],
  [ATTR_AI_STREAM_MS_TO_FIRST_CHUNK, 1],
];

/** Of the name of each attribute that may tell it, one of these is a part: few are quickly looked for. */
const NAME_PARTS = ['_to_first', 'msToFirst', 'completion_start'];

/** Whether {@link timeToFirstTokenMs} may find something in the attributes. @param json they, as JSON or packed */
export function mayTellFirstToken(json: string): boolean {
  return NAME_PARTS.some((part) => json.includes(part));
}

/** Milliseconds; `null` where nothing tells. */
export function timeToFirstTokenMs(attributes: Readonly<Record<string, unknown>>, startUs: number): number | null {
  for (const [key, unitMs] of DURATIONS) {
    const sent = attributes[key];
    // A whole number may have been sent with its point: `2.0`.
    const value = sent instanceof JsonNumber ? Number(sent.text) : sent;
    if (typeof value === 'number' && value >= 0 && Number.isFinite(value * unitMs)) return value * unitMs;
  }
  const began = attributes[ATTR_LANGFUSE_COMPLETION_START_TIME];
  if (typeof began !== 'string') return null;
  // Its clients write the time as JSON.
  const ms = Date.parse(began.replaceAll('"', '')) - startUs / 1000;
  return ms >= 0 ? ms : null;
}
