/** What the tests of telemetry over GraphQL send: a trace with each kind of span, and one of a single call. */
import { keyValues, requestOf, spanId, TEST_START_US, type TestValue, traceId } from '../harness/otlp-json.ts';

/** Resource attributes of all spans. */
export const PROJECT = { 'openinference.project.name': 'graphql', 'service.name': 'shop' };
/** Microseconds. */
export const MS = 1000;
/** Longer than a preview, of characters outside of the first plane. */
export const LONG = 'long question 😀 '.repeat(100);

interface Sent {
  readonly number: number;
  readonly parent?: number;
  readonly trace?: number;
  readonly startMs?: number;
  readonly endMs?: number | null;
  readonly error?: string;
  readonly attributes?: Record<string, TestValue>;
  readonly more?: object;
}

function message({ number, parent, trace = 1, startMs = 0, endMs = startMs + 1, error, attributes = {}, more }: Sent) {
  return {
    traceId: traceId(trace),
    spanId: spanId(number),
    parentSpanId: parent === undefined ? '' : spanId(parent),
    name: `span ${number}`,
    kind: 1,
    startTimeUnixNano: `${TEST_START_US + startMs * MS}000`,
    endTimeUnixNano: endMs === null ? '0' : `${TEST_START_US + endMs * MS}000`,
    attributes: keyValues({ 'session.id': 'talk', ...attributes }),
    status: error === undefined ? { code: 0 } : { code: 2, message: error },
    ...more,
  };
}

/** The instant that many milliseconds after the first start, as GraphQL writes it. */
export const at = (ms: number) =>
  new Date((TEST_START_US + ms * MS) / 1000)
    .toISOString()
    .replace(/(?:\.000)?Z$/, '+00:00')
    .replace(/\.(\d{3})\+/, '.$1000+');

const model = (prompt: number, completion: number) => ({
  'openinference.span.kind': 'LLM',
  'llm.model_name': 'm-1',
  'llm.token_count.prompt': prompt,
  'llm.token_count.completion': completion,
});

const SPANS: readonly Sent[] = [
  {
    number: 1,
    endMs: 100,
    attributes: { 'openinference.span.kind': 'AGENT', 'user.id': 'ada', 'input.value': LONG },
  },
  {
    number: 2,
    parent: 1,
    startMs: 10,
    endMs: 60,
    error: 'no answer',
    attributes: {
      ...model(20, 5),
      'llm.token_count.prompt_details.cache_read': 7,
      'llm.token_count.prompt_details.cache_write': 3,
      'llm.token_count.prompt_details.audio': 2,
      metadata: '{"tenant":"x"}',
      'embedding.embeddings': '',
      'input.value': '{"q":1}',
      'input.mime_type': 'application/json',
    },
    more: {
      events: [
        {
          name: 'exception',
          timeUnixNano: `${TEST_START_US + 50 * MS}000`,
          attributes: keyValues({ 'exception.type': 'Timeout', 'exception.message': 'took too long', tries: 3 }),
        },
      ],
      links: [
        { traceId: traceId(2), spanId: spanId(5), attributes: keyValues({ why: 'before' }) },
        { traceId: traceId(99), spanId: spanId(5) },
      ],
    },
  },
  { number: 3, parent: 2, startMs: 20, endMs: null, attributes: model(4, 1) },
  {
    number: 4,
    parent: 1,
    startMs: 70,
    endMs: 90,
    attributes: {
      'openinference.span.kind': 'RETRIEVER',
      'retrieval.documents.0.document.content': 'one',
      'retrieval.documents.1.document.content': 'two',
      'output.value': 'found',
    },
  },
  {
    number: 5,
    trace: 2,
    startMs: 200,
    endMs: 230,
    attributes: { 'output.value': 'bye', ...model(1, 1), 'llm.token_count.total': 9 },
  },
];

/** All of them in one request. */
export const TELEMETRY_REQUEST = requestOf(SPANS.map(message), PROJECT);
