import { expect, it } from 'vitest';
import { flatAttributes, messagesOf, readSpan } from '../../../test/support/dialect-span.ts';

const read = (attributes: Readonly<Record<string, string>>, name = 'haystack.component.run') =>
  readSpan({ name, scope: 'haystack', attributes });

it.each([
  ['haystack.component.run', 'OpenAIChatGenerator', 'LLM'],
  ['haystack.component.run', 'SentenceTransformersTextEmbedder', 'EMBEDDING'],
  ['haystack.component.run', 'InMemoryBM25Retriever', 'RETRIEVER'],
  ['haystack.component.run', 'TransformersSimilarityRanker', 'RERANKER'],
  ['haystack.component.run', 'ChatPromptBuilder', 'PROMPT'],
  ['haystack.component.run', 'DocumentJoiner', 'CHAIN'],
  ['haystack.agent.step.llm', '', 'LLM'],
  ['haystack.agent.step.tool', '', 'TOOL'],
  ['haystack.agent.run', '', 'AGENT'],
  ['haystack.agent.step', '', 'CHAIN'],
  ['haystack.pipeline.run', '', 'CHAIN'],
])('%s of %s is %s', (name, type, kind) => {
  expect(read({ 'haystack.component.type': type }, name).kind).toBe(kind);
});

it('reads the call of a model', () => {
  const span = read({
    'haystack.component.type': 'OpenAIChatGenerator',
    'haystack.component.input': JSON.stringify({
      messages: [
        { role: 'system', meta: {}, name: null, content: [{ text: 'Be brief.' }] },
        { role: 'assistant', content: [{ tool_call: { tool_name: 'f', arguments: { a: 1 }, id: 'c' } }] },
        { role: 'tool', content: [{ tool_call_result: { result: 'sunny', origin: { id: 'c' }, error: false } }] },
      ],
      tools: [{ type: 'haystack.tools.tool.Tool', data: { name: 'f', description: 'F', parameters: {} } }],
    }),
    'haystack.component.output': JSON.stringify({
      replies: [
        {
          role: 'assistant',
          content: [{ reasoning: { reasoning_text: 'Hm.' } }, { text: 'Sunny.' }],
          meta: { model: 'gpt-1', finish_reason: 'stop', usage: { prompt_tokens: 3, completion_tokens: 2 } },
        },
      ],
    }),
  });
  expect(messagesOf(span, 'input')).toEqual([
    { role: 'system', content: 'Be brief.' },
    { role: 'assistant', tool_calls: [{ tool_call: { id: 'c', function: { name: 'f', arguments: '{"a":1}' } } }] },
    { role: 'tool', tool_call_id: 'c', content: 'sunny' },
  ]);
  expect(messagesOf(span, 'output')).toEqual([
    {
      role: 'assistant',
      contents: [
        { message_content: { type: 'reasoning', text: 'Hm.' } },
        { message_content: { type: 'text', text: 'Sunny.' } },
      ],
    },
  ]);
  expect(span).toMatchObject({ modelName: 'gpt-1', tokenCounts: { prompt: 3, completion: 2 } });
  expect(flatAttributes(span)).toMatchObject({
    'llm.finish_reason': 'stop',
    'llm.tools.0.tool.json_schema': '{"type":"function","function":{"name":"f","description":"F","parameters":{}}}',
  });
});

it('reads the answers of a generator that speaks in texts', () => {
  const span = read({
    'haystack.component.type': 'OpenAIGenerator',
    'haystack.component.input': '{"prompt":"Hi"}',
    'haystack.component.output': '{"replies":["Hello"],"meta":[{"model":"gpt-1","usage":{"prompt_tokens":3}}]}',
  });
  expect(messagesOf(span, 'input')).toEqual([{ role: 'user', content: 'Hi' }]);
  expect(messagesOf(span, 'output')).toEqual([{ role: 'assistant', content: 'Hello' }]);
  expect(span).toMatchObject({ modelName: 'gpt-1', tokenCounts: { prompt: 3 } });
});

it('reads documents and the run of a tool', () => {
  const documents = '{"documents":[{"id":"d","content":"A cairn","meta":{"page":1},"score":0.9}]}';
  const retrieval = { 'haystack.component.type': 'InMemoryBM25Retriever', 'haystack.component.output': documents };
  expect(flatAttributes(read(retrieval))).toMatchObject({
    'retrieval.documents.0.document.id': 'd',
    'retrieval.documents.0.document.score': 0.9,
    'retrieval.documents.0.document.metadata.page': 1,
  });
  const run = {
    'haystack.tool.name': 'f',
    'haystack.tool.call.id': 'c',
    'haystack.agent.step.tool.input': '{"a": 1}',
    'haystack.agent.step.tool.output': 'sunny',
  };
  const span = read(run, 'haystack.agent.step.tool');
  expect(span).toMatchObject({ kind: 'TOOL', input: { value: '{"a": 1}' }, output: { value: 'sunny' } });
  expect(flatAttributes(span)).toMatchObject({ 'tool.name': 'f', 'tool.id': 'c' });
});
