/** OpenTelemetry's GenAI conventions, read into OpenInference's. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exportAll } from '../harness/otlp-client.ts';
import { spanId, type TestSpan, type TestValue, traceId, traceRequest } from '../harness/otlp-json.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { findTrace, getOnlySpan, type RestSpan } from '../harness/telemetry.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server[Symbol.asyncDispose]());

let lastTrace = 0;

async function send(attributes: Readonly<Record<string, TestValue>>, more: Partial<TestSpan> = {}): Promise<RestSpan> {
  const id = traceId(++lastTrace);
  await exportAll(server.url, traceRequest([{ ...more, traceId: id, spanId: spanId(1), attributes }]));
  return getOnlySpan(server.url, id);
}

/** What a span shows below a key. */
function below(span: RestSpan, prefix: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(span.attributes).filter(([key]) => key.startsWith(prefix)));
}

const CALL: Readonly<Record<string, TestValue>> = {
  'gen_ai.operation.name': 'chat',
  'gen_ai.provider.name': 'openai',
  'gen_ai.request.model': 'gpt-4o',
  'gen_ai.response.model': 'gpt-4o-2024-08-06',
  'gen_ai.usage.input_tokens': 11,
  'gen_ai.usage.output_tokens': 7,
};

const MESSAGES: readonly TestValue[] = [
  { role: 'system', parts: [{ type: 'text', content: 'Be brief.' }] },
  { role: 'user', parts: [{ type: 'text', content: 'Hello' }] },
];

const MESSAGES_SHOWN = {
  'llm.input_messages.0.message.role': 'system',
  'llm.input_messages.0.message.content': 'Be brief.',
  'llm.input_messages.1.message.role': 'user',
  'llm.input_messages.1.message.content': 'Hello',
};

describe('a span of GenAI conventions', () => {
  it('is a model call with model, tokens and messages, and keeps its own keys', async () => {
    const span = await send({ ...CALL, 'gen_ai.input.messages': MESSAGES });
    expect(span.span_kind).toBe('LLM');
    expect(span.attributes).toMatchObject({
      'llm.model_name': 'gpt-4o-2024-08-06',
      'llm.token_count.prompt': 11,
      'llm.token_count.completion': 7,
      'gen_ai.operation.name': 'chat',
    });
    expect(below(span, 'llm.input_messages')).toEqual(MESSAGES_SHOWN);
    expect(await findTrace(server.url, span.context.trace_id)).toMatchObject({
      token_count_prompt: 11,
      token_count_completion: 7,
    });
  });

  it('is overruled by OpenInference keys on the same span, and messages as a whole', async () => {
    const span = await send({
      ...CALL,
      'gen_ai.input.messages': MESSAGES,
      'openinference.span.kind': 'AGENT',
      'llm.model_name': 'explicit',
      'llm.input_messages.0.message.role': 'user',
    });
    expect(span.span_kind).toBe('AGENT');
    expect(span.attributes['llm.model_name']).toBe('explicit');
    expect(below(span, 'llm.input_messages')).toEqual({ 'llm.input_messages.0.message.role': 'user' });
  });

  it('has the same messages whether they come structured or as JSON text', async () => {
    const structured = await send({ ...CALL, 'gen_ai.input.messages': MESSAGES });
    const text = await send({ ...CALL, 'gen_ai.input.messages': JSON.stringify(MESSAGES) });
    expect(below(text, 'llm.')).toEqual(below(structured, 'llm.'));
    expect(below(text, 'input.')).toEqual(below(structured, 'input.'));
  });

  it.each<[string, TestValue]>([
    ['a number', 5],
    ['null', null],
    ['an empty object', {}],
    ['a role alone that is no text', { role: 7 }],
  ])('leaves the other messages as they are when one is %s', async (_name, malformed) => {
    const messages = [MESSAGES[0] as TestValue, malformed, MESSAGES[1] as TestValue];
    const roles = (span: RestSpan) =>
      Object.entries(below(span, 'llm.input_messages'))
        .filter(([key]) => key.endsWith('content'))
        .map(([, value]) => value);
    expect(roles(await send({ ...CALL, 'gen_ai.input.messages': messages }))).toEqual(['Be brief.', 'Hello']);
    expect(roles(await send({ ...CALL, 'gen_ai.input.messages': JSON.stringify(messages) }))).toEqual([
      'Be brief.',
      'Hello',
    ]);
  });

  it('has one tool message for each part of a tool response', async () => {
    const parts = [1, 2].map((number) => ({
      type: 'tool_call_response',
      id: `call ${number}`,
      response: `result ${number}`,
    }));
    const span = await send({ ...CALL, 'gen_ai.input.messages': [{ role: 'tool', parts }] });
    expect(below(span, 'llm.input_messages')).toEqual({
      'llm.input_messages.0.message.role': 'tool',
      'llm.input_messages.0.message.tool_call_id': 'call 1',
      'llm.input_messages.0.message.content': 'result 1',
      'llm.input_messages.1.message.role': 'tool',
      'llm.input_messages.1.message.tool_call_id': 'call 2',
      'llm.input_messages.1.message.content': 'result 2',
    });
  });

  it('may carry its messages in span events', async () => {
    const span = await send(CALL, {
      events: [
        { name: 'gen_ai.user.message', attributes: { content: 'Hello' } },
        { name: 'gen_ai.choice', attributes: { message: '{"role": "assistant", "content": "Hi"}', index: 0 } },
      ],
    });
    expect(span.attributes).toMatchObject({
      'llm.input_messages.0.message.role': 'user',
      'llm.input_messages.0.message.content': 'Hello',
      'llm.output_messages.0.message.role': 'assistant',
      'llm.output_messages.0.message.content': 'Hi',
    });
  });
});
