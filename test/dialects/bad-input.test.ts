/** What dialects cannot read is shown as it was sent, soon, and harms nothing beside it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exportAll } from '../harness/otlp-client.ts';
import { spanId, type TestSpan, type TestValue, traceId, traceRequest } from '../harness/otlp-json.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { listSpans, type RestSpan } from '../harness/telemetry.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server[Symbol.asyncDispose]());

/** From sending to having read, on a busy machine too. */
const MAX_MS = 15_000;

let lastTrace = 0;

async function send(spans: readonly Omit<TestSpan, 'traceId'>[]): Promise<RestSpan[]> {
  const id = traceId(++lastTrace);
  const startedAt = performance.now();
  await exportAll(server.url, traceRequest(spans.map((span) => ({ ...span, traceId: id }))));
  const shown = await listSpans(server.url, 'default', `trace_id=${id}&sort=start_time&order=asc`);
  expect(performance.now() - startedAt).toBeLessThan(MAX_MS);
  expect(server.complaints).toEqual([]);
  return shown;
}

async function sendOne(attributes: Readonly<Record<string, TestValue>>): Promise<RestSpan> {
  const [span] = await send([{ spanId: spanId(1), attributes }]);
  if (span === undefined) throw new Error('there is no span');
  return span;
}

const CHAT = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'gpt-4o' };

describe('a text that a dialect reads', () => {
  it.each<[string, Readonly<Record<string, string>>]>([
    ['messages of GenAI', { 'gen_ai.input.messages': '[{"role":"user","parts":[' }],
    ['messages of GenAI, of another type', { 'gen_ai.output.messages': '"all"' }],
    ['messages of the Vercel AI SDK', { 'ai.prompt.messages': '[{"role":"user"' }],
    [
      'the input of Langfuse',
      { 'langfuse.observation.type': 'generation', 'langfuse.observation.input': '{"messages":' },
    ],
    ['counts of Langfuse', { 'langfuse.observation.usage_details': '{"input":' }],
    ['a document of LangSmith', { 'langsmith.span.kind': 'llm', 'gen_ai.prompt': '{"messages":[[' }],
    ['a repr that never closes', { 'gen_ai.usage.input_token_details': "{'audio': 0, 'cache_read': " }],
    ['a repr of an object', { 'input.value': '<Agent object at 0x7f31>', 'input.mime_type': 'application/json' }],
    ['an entity of OpenLLMetry', { 'traceloop.span.kind': 'tool', 'traceloop.entity.input': "{'inputs': [1," }],
    ['metadata', { metadata: '{"a":' }],
    ['tools', { 'gen_ai.tool.definitions': '[{"type":"function",' }],
  ])('is shown as sent where it is none: %s', async (_what, texts) => {
    const span = await sendOne({ ...CHAT, ...texts });
    expect(span.attributes).toMatchObject(texts);
    expect(span).toMatchObject({ span_kind: expect.stringMatching(/LLM|TOOL|AGENT|CHAIN/) });
  });

  it('is read beside one that is none', async () => {
    const span = await sendOne({
      ...CHAT,
      'gen_ai.input.messages': '[{"role":',
      'gen_ai.output.messages': '[{"role":"assistant","parts":[{"type":"text","content":"Yes."}]}]',
    });
    expect(span.attributes).toMatchObject({ 'llm.output_messages.0.message.content': 'Yes.' });
  });

  it('may be nested as deep as it likes', async () => {
    const text = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const span = await sendOne({ ...CHAT, 'gen_ai.input.messages': text, 'ai.prompt': text, 'input.value': text });
    expect(span.attributes).toMatchObject({ 'gen_ai.input.messages': text, 'ai.prompt': text, 'input.value': text });
  });
});

describe('indexes', () => {
  it('with gaps, a hundred thousand of them, cost no more than their bytes', async () => {
    const indexed = Array.from({ length: 100_000 }, (_, at) => [`llm.input_messages.${at * 7}.message.content`, 'x']);
    const span = await sendOne({ ...CHAT, ...(Object.fromEntries(indexed) as Record<string, string>) });
    const shown = Object.keys(span.attributes).filter((key) => key.startsWith('llm.input_messages.'));
    expect(shown.length).toBeGreaterThan(10_000);
    expect(shown).toContain('llm.input_messages.1.message.content');
  });

  it.each(['2147483648', '4294967296', '99999999999999999999'])('of %s are as good as any', async (index) => {
    const span = await sendOne({
      ...CHAT,
      [`llm.input_messages.${index}.message.content`]: 'last',
      'llm.input_messages.0.message.content': 'first',
      [`gen_ai.prompt.${index}.content`]: 'old',
      [`traceloop.entity.${index}.x`]: 'y',
    });
    expect(span.attributes).toMatchObject({
      'llm.input_messages.0.message.content': 'first',
      'llm.input_messages.1.message.content': 'last',
    });
    expect(Object.values(span.attributes)).toEqual(expect.arrayContaining(['old', 'y']));
  });
});

describe('references of tools in a circle', () => {
  it('are shown: schemas that hold themselves, results that answer themselves', async () => {
    const schema = { name: 'f', parameters: { $ref: '#/parameters', properties: { self: { $ref: '#' } } } };
    const messages = [
      { role: 'assistant', parts: [{ type: 'tool_call', id: 'c1', name: 'f', arguments: { call: 'c1' } }] },
      { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', response: { id: 'c1' } }] },
      { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', response: 'again' }] },
    ];
    const span = await sendOne({
      ...CHAT,
      'gen_ai.tool.definitions': JSON.stringify([schema]),
      'gen_ai.input.messages': JSON.stringify(messages),
    });
    expect(span.attributes).toMatchObject({
      'llm.input_messages.0.message.tool_calls.0.tool_call.id': 'c1',
      'llm.input_messages.1.message.tool_call_id': 'c1',
      'llm.input_messages.2.message.content': 'again',
      'llm.tools.0.tool.json_schema': expect.stringContaining('$ref'),
    });
  });

  it('end, where spans are below each other', async () => {
    const tool = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'f', 'gen_ai.tool.call.id': 'c1' };
    const spans = await send([
      { spanId: spanId(1), parentSpanId: spanId(2), attributes: tool },
      { spanId: spanId(2), parentSpanId: spanId(1), attributes: { ...CHAT, 'gen_ai.usage.input_tokens': 3 } },
      { spanId: spanId(3), parentSpanId: spanId(3), attributes: { ...CHAT, 'gen_ai.usage.input_tokens': 4 } },
    ]);
    expect(spans.map((span) => span.span_kind)).toEqual(['TOOL', 'LLM', 'LLM']);
  });
});
