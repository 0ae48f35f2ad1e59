import { describe, expect, it } from 'vitest';
import { flatAttributes, messagesOf, readSpan } from '../../../test/support/dialect-span.ts';

const read = (attributes: Readonly<Record<string, string | string[]>>, name = 'step') =>
  readSpan({ name, scope: 'langfuse-sdk', attributes });

it.each([
  ['generation', 'LLM'],
  ['GENERATION', 'LLM'],
  ['span', 'CHAIN'],
  ['event', 'CHAIN'],
  ['agent', 'AGENT'],
  ['tool', 'TOOL'],
  ['retriever', 'RETRIEVER'],
  ['embedding', 'EMBEDDING'],
  ['guardrail', 'GUARDRAIL'],
  ['evaluator', 'EVALUATOR'],
  ['something new', 'UNKNOWN'],
])('an observation of type %s is %s', (type, kind) => {
  expect(read({ 'langfuse.observation.type': type }).kind).toBe(kind);
});

describe('a generation that embeds', () => {
  const embedding = {
    'langfuse.observation.type': 'generation',
    'langfuse.observation.model.name': 'm',
    'langfuse.observation.input': '[{"role":"user","parts":[{"type":"text","content":"one"}]}]',
  };

  it.each([
    ['its operation', { 'gen_ai.operation.name': 'embeddings' }, 'step'],
    ['the call of LiteLLM', { 'litellm.call_type': 'aembedding' }, 'step'],
    ['its name', {}, 'OpenAI.embeddings'],
  ])('is told by %s', (_what, attributes, name) => {
    const span = read({ ...embedding, ...attributes }, name);
    expect(span.kind).toBe('EMBEDDING');
    expect(flatAttributes(span)).toMatchObject({
      'embedding.model_name': 'm',
      'embedding.embeddings.0.embedding.text': 'one',
    });
    expect(flatAttributes(span)).not.toHaveProperty('llm.model_name');
  });

  it('is a model call where its operation says so', () => {
    expect(read({ ...embedding, 'gen_ai.operation.name': 'chat' }, 'OpenAI.embeddings').kind).toBe('LLM');
  });
});

describe('a generation', () => {
  const generation = (attributes: Readonly<Record<string, string>>) =>
    read({ 'langfuse.observation.type': 'generation', ...attributes });

  it('has the messages and the tools of its request', () => {
    const span = generation({
      'langfuse.observation.input': JSON.stringify({
        tools: [{ type: 'function', function: { name: 'f', parameters: {} } }],
        messages: [
          { role: 'user', content: 'Hi' },
          { role: 'assistant', tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }] },
          { role: 'tool', tool_call_id: 'c', content: 'sunny' },
        ],
      }),
      'langfuse.observation.output': '{"role":"assistant","content":"It is sunny."}',
    });
    expect(messagesOf(span, 'input')).toEqual([
      { role: 'user', content: 'Hi' },
      { role: 'assistant', tool_calls: [{ tool_call: { id: 'c', function: { name: 'f', arguments: '{}' } } }] },
      { role: 'tool', tool_call_id: 'c', content: 'sunny' },
    ]);
    expect(messagesOf(span, 'output')).toEqual([{ role: 'assistant', content: 'It is sunny.' }]);
    expect(flatAttributes(span)).toMatchObject({
      'llm.tools.0.tool.json_schema': '{"type":"function","function":{"name":"f","parameters":{}}}',
    });
  });

  it('of LangChain has its tools among the messages', () => {
    const definition = { type: 'function', function: { name: 'f' } };
    const span = generation({
      'langfuse.observation.input': JSON.stringify([
        { role: 'user', content: 'Hi' },
        { role: 'tool', content: definition },
      ]),
    });
    expect(messagesOf(span, 'input')).toEqual([{ role: 'user', content: 'Hi' }]);
    expect(flatAttributes(span)).toMatchObject({ 'llm.tools.0.tool.json_schema': JSON.stringify(definition) });
  });

  it.each(['Hi', '{"messages": [', '@@@langfuseMedia:type=image/png|id=x|source=bytes@@@'])(
    'has a text that is no JSON as its message: %s',
    (text) => {
      const span = generation({ 'langfuse.observation.input': text, 'langfuse.observation.output': text });
      expect(messagesOf(span, 'input')).toEqual([{ role: 'user', content: text }]);
      expect(messagesOf(span, 'output')).toEqual([{ role: 'assistant', content: text }]);
      expect(span.input?.value).toBe(text);
    },
  );

  it('has model, parameters, prompt and cost', () => {
    const shown = flatAttributes(
      generation({
        'langfuse.observation.model.name': 'gpt-x',
        'langfuse.observation.model.parameters': '{"temperature": 0.2, "max_tokens": "Infinity"}',
        'langfuse.observation.metadata.ls_model_name': '"gpt"',
        'langfuse.observation.metadata.ls_provider': '"openai"',
        'langfuse.observation.prompt.name': 'greeting',
        'langfuse.observation.prompt.version': '3',
        'langfuse.observation.cost_details': '{"input": 0.1, "output": 0.2, "total": 0.3}',
      }),
    );
    expect(shown).toMatchObject({
      'llm.model_name': 'gpt-x',
      'llm.request.model_name': 'gpt',
      'llm.provider': 'openai',
      'llm.invocation_parameters': '{"temperature": 0.2, "max_tokens": "Infinity"}',
      'prompt.id': 'greeting',
      'llm.prompt_template.version': '3',
      'llm.cost.prompt': 0.1,
      'llm.cost.completion': 0.2,
      'llm.cost.total': 0.3,
    });
  });

  it.each<[string, string, object]>([
    [
      'its own names, parts beside one another',
      '{"input": 87, "output": 12, "total": 168, "input_cache_read": 64, "output_reasoning": 5}',
      { prompt: 151, completion: 17, total: 168, cacheRead: 64, reasoning: 5 },
    ],
    [
      'its own names without a total',
      '{"input": 73, "output": 18, "cache_read_input_tokens": 64}',
      { prompt: 137, completion: 18, cacheRead: 64 },
    ],
    [
      'its own names, parts inside',
      '{"input": 137, "output": 29, "total": 166, "input_cached_tokens": 64}',
      { prompt: 137, completion: 29, total: 166, cacheRead: 64 },
    ],
    [
      'names of a provider',
      '{"prompt_tokens": 137, "completion_tokens": 29, "total_tokens": 166, "prompt_tokens_details": {"cached_tokens": 64}}',
      { prompt: 137, completion: 29, total: 166, cacheRead: 64 },
    ],
    ['nothing that can be read', '{"input": ', { prompt: null, completion: null, total: null }],
  ])('counts tokens by %s', (_what, details, counts) => {
    expect(generation({ 'langfuse.observation.usage_details': details }).tokenCounts).toMatchObject(counts);
  });
});

it('reads documents, embeddings and a tool’s run', () => {
  const documents = '[{"id":"d","content":"A cairn","metadata":{"page":1},"score":0.9},7,"bare"]';
  expect(
    flatAttributes(read({ 'langfuse.observation.type': 'retriever', 'langfuse.observation.output': documents })),
  ).toMatchObject({
    'retrieval.documents.0.document.id': 'd',
    'retrieval.documents.0.document.content': 'A cairn',
    'retrieval.documents.0.document.score': 0.9,
    'retrieval.documents.0.document.metadata.page': 1,
    'retrieval.documents.1.document.content': 'bare',
  });
  const texts = { 'langfuse.observation.type': 'embedding', 'langfuse.observation.input': '["a","b"]' };
  expect(flatAttributes(read(texts))).toMatchObject({ 'embedding.embeddings.1.embedding.text': 'b' });
  const run = { 'langfuse.observation.type': 'tool', 'langfuse.observation.input': '{"args":[],"kwargs":{"a":1}}' };
  expect(flatAttributes(read(run, 'f'))).toMatchObject({ 'tool.name': 'f', 'tool.parameters.a': 1 });
});

it('reads session, user, tags, and metadata of the observation over those of the trace', () => {
  const span = read({
    'langfuse.session.id': 's',
    'langfuse.user.id': 'u',
    'langfuse.trace.tags': ['a'],
    'langfuse.trace.metadata.tenant': '"acme"',
    'langfuse.trace.metadata.plan': 'pro',
    'langfuse.observation.metadata': '{"tenant":"other","deep":{"x":1}}',
  });
  expect(span).toMatchObject({ sessionId: 's', userId: 'u' });
  expect(flatAttributes(span)).toMatchObject({
    'tag.tags': ['a'],
    'metadata.tenant': 'other',
    'metadata.plan': 'pro',
    'metadata.deep.x': 1,
  });
});
