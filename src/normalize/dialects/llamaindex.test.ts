import { expect, it } from 'vitest';
import type { AnyValue } from '#otlp/messages';
import { flatAttributes, messagesOf, readSpan } from '../../../test/support/dialect-span.ts';
import { otlpEvent } from '../../../test/support/otlp-span.ts';

type Fields = Readonly<Record<string, AnyValue>>;

const read = (...events: readonly (readonly [name: string, fields: Fields])[]) =>
  readSpan({
    scope: 'llamaindex.opentelemetry.tracer',
    attributes: { 'llamaindex.run_id': 'r' },
    events: events.map(([name, fields]) => otlpEvent(name, { class_name: name, ...fields })),
  });

const MESSAGES = JSON.stringify([
  { role: 'user', additional_kwargs: {}, blocks: [{ block_type: 'text', text: 'Weather?' }] },
  {
    role: 'assistant',
    additional_kwargs: { tool_calls: [{ id: 'c', function: { arguments: '{"a":1}', name: 'f' }, type: 'function' }] },
    blocks: [
      { block_type: 'text', text: '' },
      { block_type: 'tool_call', tool_call_id: 'c', tool_name: 'f', tool_kwargs: '{"a":1}' },
    ],
  },
  { role: 'tool', additional_kwargs: { tool_call_id: 'c' }, blocks: [{ block_type: 'text', text: 'sunny' }] },
]);

it('reads the call of a model from its events', () => {
  const span = read(
    [
      'LLMChatStartEvent',
      { messages: MESSAGES, 'model_dict.model': 'gpt', 'model_dict.temperature': 0.2, 'model_dict.class_name': 'x' },
    ],
    [
      'LLMChatEndEvent',
      {
        messages: MESSAGES,
        'response.message.role': 'assistant',
        'response.message.blocks': '[{"block_type":"text","text":"Sunny."}]',
        'response.raw.id': 'x',
        'response.raw.model': 'gpt-1',
        'response.raw.usage.prompt_tokens': 137n,
        'response.raw.usage.completion_tokens': 29n,
        'response.raw.usage.prompt_tokens_details.cached_tokens': 64n,
        'response.delta': 'null',
      },
    ],
  );
  expect(span).toMatchObject({ kind: 'LLM', modelName: 'gpt-1' });
  expect(span.tokenCounts).toMatchObject({ prompt: 137, completion: 29, cacheRead: 64 });
  expect(messagesOf(span, 'input')).toEqual([
    { role: 'user', content: 'Weather?' },
    {
      role: 'assistant',
      content: '',
      tool_calls: [{ tool_call: { id: 'c', function: { name: 'f', arguments: '{"a":1}' } } }],
    },
    { role: 'tool', tool_call_id: 'c', content: 'sunny' },
  ]);
  expect(messagesOf(span, 'output')).toEqual([{ role: 'assistant', content: 'Sunny.' }]);
  expect(flatAttributes(span)).toMatchObject({
    'llm.request.model_name': 'gpt',
    'llm.response.model_name': 'gpt-1',
    'llm.invocation_parameters': '{"temperature":0.2}',
  });
});

it('reads completions, embeddings, retrievals and rankings', () => {
  const completion = read(
    ['LLMCompletionStartEvent', { prompt: 'Hi' }],
    ['LLMCompletionEndEvent', { prompt: 'Hi', 'response.text': 'Hello' }],
  );
  expect(messagesOf(completion, 'output')).toEqual([{ role: 'assistant', content: 'Hello' }]);
  const embedding = read(
    ['EmbeddingStartEvent', { 'model_dict.model_name': 'e' }],
    ['EmbeddingEndEvent', { chunks: ['a', 'b'], embeddings: '[[0.5],[1.5]]' }],
  );
  expect(embedding).toMatchObject({ kind: 'EMBEDDING', modelName: 'e' });
  expect(flatAttributes(embedding)).toMatchObject({
    'embedding.embeddings.1.embedding.text': 'b',
    'embedding.embeddings.1.embedding.vector': [1.5],
  });
  const nodes = '[{"node":{"id_":"d","text":"A cairn","metadata":{"page":1}},"score":0.9}]';
  const retrieval = read(
    ['RetrievalStartEvent', { 'str_or_query_bundle.query_str': 'cairn' }],
    ['RetrievalEndEvent', { nodes }],
  );
  expect(retrieval).toMatchObject({ kind: 'RETRIEVER', input: { value: 'cairn' } });
  expect(flatAttributes(retrieval)).toMatchObject({
    'retrieval.documents.0.document.id': 'd',
    'retrieval.documents.0.document.content': 'A cairn',
    'retrieval.documents.0.document.score': 0.9,
  });
  const ranking = read(['ReRankStartEvent', { query: 'cairn', nodes, model_name: 'm' }], ['ReRankEndEvent', { nodes }]);
  expect(ranking).toMatchObject({ kind: 'RERANKER', modelName: 'm' });
  expect(flatAttributes(ranking)).toMatchObject({
    'reranker.input_documents.0.document.id': 'd',
    'reranker.output_documents.0.document.id': 'd',
  });
});

it('shows a query with its answer, and any other step as one', () => {
  const query = read(['QueryStartEvent', { query: 'cairn?' }], ['QueryEndEvent', { 'response.response': 'Stones.' }]);
  expect(query).toMatchObject({ kind: 'CHAIN', input: { value: 'cairn?' }, output: { value: 'Stones.' } });
  expect(read().kind).toBe('CHAIN');
});

it.each(['[{', 'null', '{}', '7'])('shows messages that are %s in their event alone', (messages) => {
  const span = read(['LLMChatStartEvent', { messages }]);
  expect(span.events[0]?.attributes['messages']).toBe(messages);
});
