import { describe, expect, it } from 'vitest';
import { flatAttributes, messagesOf, readSpan } from '../../../test/support/dialect-span.ts';

/** MLflow writes every value as JSON. */
const read = (values: Readonly<Record<string, unknown>>, name = 'step') =>
  readSpan({
    name,
    scope: 'mlflow',
    attributes: Object.fromEntries(
      Object.entries(values).map(([key, value]) => [`mlflow.${key}`, JSON.stringify(value)]),
    ),
  });

it.each([
  ['LLM', 'LLM'],
  ['CHAT_MODEL', 'LLM'],
  ['CHAIN', 'CHAIN'],
  ['PARSER', 'CHAIN'],
  ['AGENT', 'AGENT'],
  ['TOOL', 'TOOL'],
  ['RETRIEVER', 'RETRIEVER'],
  ['RERANKER', 'RERANKER'],
  ['EMBEDDING', 'EMBEDDING'],
  ['UNKNOWN', 'UNKNOWN'],
])('a span of type %s is %s', (type, kind) => {
  expect(read({ spanType: type }).kind).toBe(kind);
  expect(readSpan({ attributes: { 'mlflow.spanType': type } }).kind).toBe(kind);
});

describe('a model call', () => {
  it('has request and answer of OpenAI', () => {
    const span = read({
      spanType: 'CHAT_MODEL',
      spanInputs: { model: 'gpt', messages: [{ role: 'user', content: 'Hi' }], temperature: 0.2 },
      spanOutputs: {
        model: 'gpt-1',
        choices: [{ finish_reason: 'stop', message: { role: 'assistant', content: 'Hello' } }],
        usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
      },
      'llm.provider': 'openai',
      'llm.cost': { input_cost: 0.1, output_cost: 0.2, total_cost: 0.3 },
      'chat.tools': [{ type: 'function', function: { name: 'f' } }],
    });
    expect(messagesOf(span, 'input')).toEqual([{ role: 'user', content: 'Hi' }]);
    expect(messagesOf(span, 'output')).toEqual([{ role: 'assistant', content: 'Hello', finish_reason: 'stop' }]);
    expect(span).toMatchObject({ modelName: 'gpt-1', provider: 'openai', reportedCostUsd: 0.3 });
    expect(span.tokenCounts).toMatchObject({ prompt: 3, completion: 2, total: 5 });
    expect(flatAttributes(span)).toMatchObject({ 'llm.tools.0.tool.json_schema': expect.stringContaining('"f"') });
  });

  it('has request and answer of Anthropic', () => {
    const span = read({
      spanType: 'LLM',
      spanInputs: { model: 'claude', system: 'Be brief.', messages: [{ role: 'user', content: 'Hi' }] },
      spanOutputs: {
        id: 'm',
        role: 'assistant',
        model: 'claude-1',
        stop_reason: 'tool_use',
        content: [
          { type: 'text', text: 'Let me look.' },
          { type: 'tool_use', id: 'c', name: 'f', input: { a: 1 } },
        ],
      },
      'chat.tokenUsage': { input_tokens: 137, output_tokens: 29, total_tokens: 166, cache_read_input_tokens: 64 },
    });
    expect(messagesOf(span, 'input')).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hi' },
    ]);
    expect(messagesOf(span, 'output')).toEqual([
      {
        role: 'assistant',
        content: 'Let me look.',
        tool_calls: [{ tool_call: { id: 'c', function: { name: 'f', arguments: '{"a":1}' } } }],
      },
    ]);
    expect(span.tokenCounts).toMatchObject({ prompt: 137, total: 166, cacheRead: 64 });
    expect(flatAttributes(span)).toMatchObject({ 'llm.finish_reason': 'tool_use' });
  });

  it('has cached tokens added where more are cached than went in', () => {
    const usage = { input_tokens: 73, output_tokens: 29, total_tokens: 102, cache_read_input_tokens: 640 };
    expect(read({ spanType: 'LLM', 'chat.tokenUsage': usage }).tokenCounts).toMatchObject({ prompt: 713, total: 742 });
  });
});

it('reads documents, embeddings and a tool’s run', () => {
  const documents = [{ page_content: 'A cairn', metadata: { page: 1 }, id: 'd' }];
  expect(flatAttributes(read({ spanType: 'RETRIEVER', spanInputs: 'cairn', spanOutputs: documents }))).toMatchObject({
    'input.value': 'cairn',
    'retrieval.documents.0.document.id': 'd',
    'retrieval.documents.0.document.content': 'A cairn',
  });
  const outputs = { data: [{ embedding: [0.5, 1.5] }] };
  expect(
    flatAttributes(read({ spanType: 'EMBEDDING', spanInputs: { input: 'a' }, spanOutputs: outputs })),
  ).toMatchObject({
    'embedding.embeddings.0.embedding.text': 'a',
    'embedding.embeddings.0.embedding.vector': [0.5, 1.5],
  });
  expect(read({ spanType: 'TOOL', spanInputs: { a: 1 }, spanOutputs: 'sunny' }, 'f')).toMatchObject({
    kind: 'TOOL',
    input: { value: '{"a":1}' },
    output: { value: 'sunny' },
  });
});

it('reads session and user, and keeps what is no JSON', () => {
  const span = readSpan({
    attributes: { 'mlflow.trace.session': '"s"', 'mlflow.trace.user': 'u', 'mlflow.spanInputs': '{"a":' },
  });
  expect(span).toMatchObject({ sessionId: 's', userId: 'u', input: { value: '{"a":' } });
});
