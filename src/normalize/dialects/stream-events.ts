/** Streamed answers: instrumentations note in an event of the span when the first chunk comes, and most say it nowhere else. */
import type { SpanEvent } from '#domain/span';
import * as streams from '#semconv/streams';
import type { DialectDocs, SpanEvidence } from './dialect.ts';

export const name = 'stream-events';

/** One of the events; OpenLLMetry has one for each chunk. */
const EVENTS: ReadonlySet<string> = new Set([
  streams.EVENT_FIRST_TOKEN_STREAM,
  streams.EVENT_LLM_CONTENT_COMPLETION_CHUNK,
  streams.EVENT_GEN_AI_CONTENT_COMPLETION_CHUNK,
  streams.EVENT_AI_STREAM_FIRST_CHUNK,
]);

/** What says the same, mostly from a clock that does not jump. */
const TOLD_BY = [
  streams.ATTR_GEN_AI_RESPONSE_TIME_TO_FIRST_CHUNK,
  streams.ATTR_GEN_AI_RESPONSE_TIME_TO_FIRST_TOKEN,
  streams.ATTR_GEN_AI_SERVER_TIME_TO_FIRST_TOKEN,
  streams.ATTR_GEN_AI_LATENCY_TIME_TO_FIRST_TOKEN,
  streams.ATTR_AI_RESPONSE_MS_TO_FIRST_CHUNK,
  streams.ATTR_AI_STREAM_MS_TO_FIRST_CHUNK,
  streams.ATTR_LANGFUSE_COMPLETION_START_TIME,
];

export function speaks({ events }: SpanEvidence): boolean {
  return events.some(isChunk);
}

export function translate({ attributes, startTimeUnixNano, events }: SpanEvidence): void {
  if (startTimeUnixNano === 0n || TOLD_BY.some((key) => attributes.get(key) !== undefined)) return;
  let first: bigint | undefined;
  for (const event of events) {
    if (isChunk(event) && (first === undefined || event.timeUnixNano < first)) first = event.timeUnixNano;
  }
  if (first === undefined || first < startTimeUnixNano) return;
  attributes.isDeriving = true;
  attributes.fill(streams.ATTR_GEN_AI_RESPONSE_TIME_TO_FIRST_CHUNK, Number(first - startTimeUnixNano) / NANOS);
}

const NANOS = 1e9;

function isChunk(event: SpanEvent): boolean {
  return EVENTS.has(event.name);
}

export const docs: DialectDocs = {
  title: 'Events of streamed answers',
  checkedVersion:
    'recordings of openinference-instrumentation-openai; of OpenLLMetry and the Vercel AI SDK from their sources, without a recording',
  mappings: [
    {
      from: 'the time of the first event First Token Stream Event, gen_ai.content.completion.chunk, llm.content.completion.chunk or ai.stream.firstChunk',
      to: 'gen_ai.response.time_to_first_chunk',
      isDerived: true,
      note: 'Seconds since the start of the span, unless an attribute says when the answer began. OpenInference has no name for it.',
    },
  ],
  notCovered: ['The times of all further chunks are shown as events.'],
};
