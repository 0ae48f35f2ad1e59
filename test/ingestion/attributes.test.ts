/** How attributes are read: dotted keys, JSON in texts, counts, kinds, inputs. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encodeRequest, exportAll } from '../harness/otlp-client.ts';
import {
  Double,
  otlpSpan,
  requestOf,
  spanId,
  type TestSpan,
  type TestValue,
  traceId,
  traceRequest,
} from '../harness/otlp-json.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { findTrace, getOnlySpan, getOriginal, listSpans, type RestSpan } from '../harness/telemetry.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server[Symbol.asyncDispose]());

let lastTrace = 0;

/** Sends one span and reads it back. */
async function sendSpan(span: Omit<TestSpan, 'spanId' | 'traceId'>): Promise<RestSpan> {
  const id = traceId(++lastTrace);
  await exportAll(server.url, traceRequest([{ ...span, traceId: id, spanId: spanId(1) }]));
  return getOnlySpan(server.url, id);
}

async function show(attributes: Readonly<Record<string, TestValue>>): Promise<Readonly<Record<string, unknown>>> {
  return (await sendSpan({ attributes })).attributes;
}

describe('dotted keys', () => {
  it.each<[string, Record<string, TestValue>, Record<string, unknown>]>([
    ['with an index inside are a list without gaps', { 'a.0.b': 'x', 'a.2.b': 'y' }, { 'a.0.b': 'x', 'a.1.b': 'y' }],
    ['that end in an index are an object', { 'tags.0': 'x', 'tags.7': 'y' }, { 'tags.0': 'x', 'tags.7': 'y' }],
    ['whose beginning has a value of its own keep both', { a: 1, 'a.b': 2 }, { a: 1, 'a.b': 2 }],
    [
      'with empty segments and spaces are read without them',
      { ' a . b ': 1, 'c..d': 2, '.e.': 3 },
      { 'a.b': 1, 'c.d': 2, e: 3 },
    ],
    ['of a list beside a name keep both', { 'a.0.b': 1, 'a.x': 2 }, { 'a.0.b': 1, 'a.x': 2 }],
  ])('%s', async (_name, sent, shown) => {
    expect(await show(sent)).toEqual(shown);
  });
});

describe('metadata', () => {
  it.each<[string, string, Record<string, unknown>]>([
    ['JSON becomes what it holds', '{"a": {"b": [1, 2]}, "c.d": "e"}', { 'metadata.a.b': [1, 2], 'metadata.c.d': 'e' }],
    ['an empty object stays one', '{}', { metadata: {} }],
    ['null is no attribute', 'null', {}],
    ['text that is no JSON stays text', '{broken', { metadata: '{broken' }],
    ['a number in a text is a number', '5', { metadata: 5 }],
    [
      'an integer beyond 64 bits keeps its digits',
      '{"n": 123456789012345678901234567890}',
      { 'metadata.n': '123456789012345678901234567890' },
    ],
    [
      'escapes of NUL and lone surrogates become U+FFFD',
      '{"a": "x\\u0000\\ud800y"}',
      { 'metadata.a': 'x\uFFFD\uFFFDy' },
    ],
    [
      'JSON nested too deep stays text',
      '['.repeat(5000) + ']'.repeat(5000),
      { metadata: '['.repeat(5000) + ']'.repeat(5000) },
    ],
  ])('%s', async (_name, text, shown) => {
    expect(await show({ metadata: text })).toEqual(shown);
  });

  it('is known by whole segments of a key, so that mymetadata stays text', async () => {
    const sent = { mymetadata: '{"a":1}', 'retrieval.documents.0.document.metadata': '{"a":1}' };
    expect(await show(sent)).toEqual({ mymetadata: '{"a":1}', 'retrieval.documents.0.document.metadata.a': 1 });
  });
});

describe('texts that are JSON and stay text', () => {
  it.each([
    'llm.invocation_parameters',
    'embedding.invocation_parameters',
    'input.value',
    'output.value',
    'tool.json_schema',
  ])('%s comes back byte for byte', async (key) => {
    const text = '{"temperature": 0.0,\t"n":1e2, "big":12345678901234567890, "é":"\\u00e9"}';
    expect(await show({ [key]: text })).toEqual({ [key]: text });
  });
});

describe('token counts', () => {
  it.each<[string, TestValue, unknown, number]>([
    ['a text of digits', '12', 12, 12],
    ['a whole double', new Double(12), 12, 12],
    ['a fraction', 12.7, 12, 12],
    ['a text that is no number', 'twelve', 'twelve', 0],
    ['negative', -3, -3, 0],
  ])('are whole numbers where they can be: %s', async (_name, sent, shown, counted) => {
    const attributes = { 'openinference.span.kind': 'LLM', 'llm.token_count.prompt': sent };
    const span = await sendSpan({ attributes });
    expect(span.attributes['llm.token_count.prompt']).toBe(shown);
    const text = await (
      await fetch(`${server.url}/v1/projects/default/spans?trace_id=${span.context.trace_id}`)
    ).text();
    if (counted > 0) expect(text).toContain('"llm.token_count.prompt":12}');
    expect((await findTrace(server.url, span.context.trace_id))?.token_count_prompt).toBe(counted);
  });
});

describe('span kinds', () => {
  it.each<[TestValue, string, string]>([
    ['LLM', 'LLM', 'LLM'],
    ['llm', 'LLM', 'LLM'],
    ['Llm', 'LLM', 'LLM'],
    ['tool', 'TOOL', 'TOOL'],
    ['DECISION', 'DECISION', 'DECISION'],
    ['mystery', 'UNKNOWN', 'mystery'],
    [7, 'UNKNOWN', 'UNKNOWN'],
    [null, 'UNKNOWN', 'UNKNOWN'],
  ])('%j is stored as %s', async (sent, stored, shown) => {
    const span = await sendSpan({ attributes: { 'openinference.span.kind': sent } });
    expect(span.span_kind).toBe(shown);
    const { trace_id } = span.context;
    expect(
      await listSpans(server.url, 'default', `trace_id=${trace_id}&span_kind=${stored.toLowerCase()}`),
    ).toHaveLength(1);
  });
});

describe('status', () => {
  it.each([
    [0, 'UNSET'],
    [1, 'OK'],
    [2, 'ERROR'],
    [3, 'UNSET'],
    [-1, 'UNSET'],
  ])('code %i is %s, with its message', async (code, name) => {
    const id = traceId(++lastTrace);
    const span = { ...otlpSpan({ traceId: id, spanId: spanId(1) }), status: { code, message: 'why' } };
    await exportAll(server.url, requestOf([span]));
    expect(await getOnlySpan(server.url, id)).toMatchObject({ status_code: name, status_message: 'why' });
  });
});

describe('events', () => {
  it('keep all that they carry, exceptions and others, with flat keys', async () => {
    const exception = {
      'exception.type': 'ValueError',
      'exception.message': 'bad',
      'exception.stacktrace': 'line 1\nline 2',
      'exception.escaped': false,
      'more.than': 'Phoenix keeps',
    };
    const span = await sendSpan({
      events: [
        { name: 'exception', attributes: exception },
        { name: 'token', attributes: { 'a.0.b': 1 } },
      ],
    });
    expect(span.events).toEqual([
      { name: 'exception', timestamp: '2026-01-01T00:00:00+00:00', attributes: exception },
      { name: 'token', timestamp: '2026-01-01T00:00:00+00:00', attributes: { 'a.0.b': 1 } },
    ]);
    expect(span.status_code).toBe('UNSET');
  });
});

describe('an input that is no text', () => {
  it.each<[string, Record<string, TestValue>, string]>([
    ['a number', { 'input.value': 5 }, '5'],
    ['a list', { 'input.value': ['a', 1] }, '["a",1]'],
    ['a map', { 'input.value': { a: { b: 1 } } }, '{"a":{"b":1}}'],
    ['keys below it', { 'input.value.a': 1 }, '{"a":1}'],
  ])('becomes JSON text with its media type: %s', async (_name, sent, text) => {
    expect(await show({ ...sent, 'input.mime_type': 'text/plain' })).toEqual({
      'input.value': text,
      'input.mime_type': 'application/json',
    });
  });

  it.each<[TestValue]>([[0], [false]])('stays as it is where it is %j, and outputs stay in any case', async (value) => {
    expect(await show({ 'input.value': value, 'output.value': ['a'] })).toEqual({
      'input.value': value,
      'output.value': ['a'],
    });
  });
});

describe('what OpenInference flattens', () => {
  const ATTRIBUTES: Readonly<Record<string, TestValue>> = {
    'llm.input_messages.0.message.role': 'user',
    'llm.input_messages.0.message.contents.0.message_content.type': 'text',
    'llm.output_messages.0.message.tool_calls.0.tool_call.function.name': 'find',
    'llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments': '{"q": "x"}',
    'retrieval.documents.0.document.id': '1',
    'retrieval.documents.0.document.score': 0.5,
    'retrieval.documents.1.document.content': 'text',
    'embedding.embeddings.0.embedding.vector': [0.25, 0.5],
    'llm.tools.0.tool.json_schema': '{"type": "function"}',
    'llm.prompt_template.template': 'Weather in {city}?',
    'llm.prompt_template.variables': '{"city": "Graz"}',
  };

  it('comes back with the same keys and values, and its bytes are the same', async () => {
    const { 'llm.prompt_template.variables': _variables, ...asSent } = ATTRIBUTES;
    const span = await sendSpan({ attributes: ATTRIBUTES });
    expect(span.attributes).toEqual({ ...asSent, 'llm.prompt_template.variables.city': 'Graz' });
    const { trace_id } = span.context;
    const sent = encodeRequest(
      'application/x-protobuf',
      traceRequest([{ traceId: trace_id, spanId: spanId(1), attributes: ATTRIBUTES }]),
    );
    expect(await getOriginal(server.url, 'traces', trace_id)).toEqual(sent);
    expect(await getOriginal(server.url, 'spans', span.id)).toEqual(sent);
  });

  it('may come as JSON text as well: the flattened keys are read, the text is kept', async () => {
    const text = '[{"message": {"role": "user", "content": "from text"}}]';
    expect(await show({ 'llm.input_messages': text })).toEqual({
      'llm.input_messages.0.message.role': 'user',
      'llm.input_messages.0.message.content': 'from text',
    });
    expect(await show({ 'llm.input_messages': text, 'llm.input_messages.0.message.role': 'system' })).toEqual({
      'llm.input_messages': text,
      'llm.input_messages.0.message.role': 'system',
    });
  });
});
