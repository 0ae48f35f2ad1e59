import { describe, expect, it } from 'vitest';
import { flatAttributes, messagesOf, readSpan } from '../../../test/support/dialect-span.ts';

type Sent = Readonly<Record<string, string | bigint | number>>;

const read = (kind: string, attributes: Sent = {}) =>
  readSpan({ scope: 'langsmith', attributes: { 'langsmith.span.kind': kind, ...attributes } });

it.each([
  ['llm', 'LLM'],
  ['chain', 'CHAIN'],
  ['tool', 'TOOL'],
  ['retriever', 'RETRIEVER'],
  ['embedding', 'EMBEDDING'],
  ['prompt', 'PROMPT'],
  ['parser', 'CHAIN'],
])('a run of type %s is %s, whatever operation is named', (type, kind) => {
  expect(read(type, { 'gen_ai.operation.name': 'embeddings' }).kind).toBe(kind);
});

describe('a model call', () => {
  it('of OpenAI’s client has request and answer', () => {
    const span = read('llm', {
      'gen_ai.prompt':
        '{"messages":[{"role":"user","content":"Hi"}],"model":"gpt","temperature":0.2,"tools":[{"type":"function","function":{"name":"f"}}]}',
      'gen_ai.completion':
        '{"id":"x","model":"gpt-1","choices":[{"finish_reason":"stop","message":{"role":"assistant","content":"Hello","tool_calls":null}}]}',
    });
    expect(messagesOf(span, 'input')).toEqual([{ role: 'user', content: 'Hi' }]);
    expect(messagesOf(span, 'output')).toEqual([{ role: 'assistant', content: 'Hello', finish_reason: 'stop' }]);
    expect(flatAttributes(span)).toMatchObject({
      'llm.model_name': 'gpt-1',
      'llm.request.model_name': 'gpt',
      'llm.response.model_name': 'gpt-1',
      'llm.finish_reason': 'stop',
      'llm.invocation_parameters': '{"temperature":0.2}',
      'llm.tools.0.tool.json_schema': '{"type":"function","function":{"name":"f"}}',
    });
  });

  it('of LangChain has its serialisation', () => {
    const message = (name: string, kwargs: object) => ({
      lc: 1,
      type: 'constructor',
      id: ['langchain', 'schema', 'messages', name],
      kwargs,
    });
    const calls = [{ name: 'f', args: { a: 1 }, id: 'c', type: 'tool_call' }];
    const span = read('llm', {
      'gen_ai.prompt': JSON.stringify({
        messages: [
          [
            message('SystemMessage', { content: 'Be brief.', type: 'system' }),
            message('HumanMessage', { content: 'Hi', type: 'human' }),
            message('AIMessage', { content: '', type: 'ai', tool_calls: calls }),
            message('ToolMessage', { content: 'sunny', type: 'tool', tool_call_id: 'c' }),
          ],
        ],
      }),
      'gen_ai.completion': JSON.stringify({
        generations: [
          [
            {
              text: 'Sunny.',
              generation_info: { finish_reason: 'stop' },
              message: message('AIMessageChunk', {
                content: 'Sunny.',
                response_metadata: { model_name: 'gpt-1' },
                usage_metadata: { input_tokens: 137, output_tokens: 29, input_token_details: { cache_read: 64 } },
              }),
            },
          ],
        ],
        llm_output: null,
      }),
    });
    expect(messagesOf(span, 'input')).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hi' },
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ tool_call: { id: 'c', function: { name: 'f', arguments: '{"a":1}' } } }],
      },
      { role: 'tool', tool_call_id: 'c', content: 'sunny' },
    ]);
    expect(messagesOf(span, 'output')).toEqual([{ role: 'assistant', content: 'Sunny.', finish_reason: 'stop' }]);
    expect(span).toMatchObject({ modelName: 'gpt-1', tokenCounts: { prompt: 137, completion: 29, cacheRead: 64 } });
  });

  it.each<[string, Sent]>([
    [
      'Python reprs',
      {
        'gen_ai.usage.input_tokens': 137n,
        'gen_ai.usage.output_tokens': 29n,
        'gen_ai.usage.total_tokens': 166n,
        'gen_ai.usage.input_token_details': "{'audio': 0, 'cache_read': 64}",
        'gen_ai.usage.output_token_details': "{'audio': 0, 'reasoning': 11}",
      },
    ],
    [
      'metadata',
      {
        'langsmith.metadata.usage_metadata':
          '{"input_tokens":137,"output_tokens":29,"total_tokens":166,"input_token_details":{"cache_read":64},"output_token_details":{"reasoning":11}}',
      },
    ],
  ])('has its details of tokens in %s', (_where, attributes) => {
    expect(read('llm', attributes).tokenCounts).toMatchObject({
      prompt: 137,
      completion: 29,
      total: 166,
      cacheRead: 64,
      reasoning: 11,
    });
  });

  it('keeps a repr that cannot be read', () => {
    const details = "{'cache_read': ";
    const span = read('llm', { 'gen_ai.usage.input_tokens': 5n, 'gen_ai.usage.input_token_details': details });
    expect(span.tokenCounts).toMatchObject({ prompt: 5, cacheRead: null });
    expect(flatAttributes(span)).toMatchObject({ 'gen_ai.usage.input_token_details': details });
  });

  it('that failed has no answer', () => {
    const span = read('llm', { 'gen_ai.prompt': '{"messages":[', 'gen_ai.completion': '{"output":null}' });
    expect(messagesOf(span, 'input')).toEqual([{ role: 'user', content: '{"messages":[' }]);
    expect(messagesOf(span, 'output')).toEqual([]);
  });
});

it('shows the inputs of a chain as they are, not as a message', () => {
  const span = read('chain', { 'gen_ai.prompt': '{"q":"Hi"}', 'gen_ai.completion': '{"output":"Hello"}' });
  expect(span).toMatchObject({ input: { value: '{"q":"Hi"}' }, output: { value: '{"output":"Hello"}' } });
  expect(messagesOf(span, 'input')).toEqual([]);
});

it.each([
  ['{"output":"sunny"}', 'sunny'],
  ['{"output":{"content":"sunny","type":"tool","tool_call_id":"c"}}', 'sunny'],
  ['{"output":{"degrees":18}}', '{"degrees":18}'],
  ['{"a":1,"b":2}', '{"a":1,"b":2}'],
])('reads what a tool gave out of %s', (completion, result) => {
  const span = read('tool', { 'gen_ai.prompt': '{"city":"Paris"}', 'gen_ai.completion': completion });
  expect(span).toMatchObject({ input: { value: '{"city":"Paris"}' }, output: { value: result } });
});

it('reads documents', () => {
  const completion = '{"output":[{"page_content":"A cairn","type":"Document","metadata":{"page":1}}]}';
  expect(flatAttributes(read('retriever', { 'gen_ai.completion': completion }))).toMatchObject({
    'retrieval.documents.0.document.content': 'A cairn',
    'retrieval.documents.0.document.metadata.page': 1,
  });
});

it('reads session, user, tags and metadata, and leaves out settings of the process', () => {
  const span = read('chain', {
    'langsmith.metadata.thread_id': 's',
    'langsmith.metadata.user_id': 'u',
    'langsmith.metadata.tenant': 'acme',
    'langsmith.metadata.LANGSMITH_TRACING': 'true',
    'langsmith.span.tags': 'beta, eu-west',
    'langsmith.trace.session_name': 'a project',
  });
  expect(span).toMatchObject({ sessionId: 's', userId: 'u' });
  const shown = flatAttributes(span);
  expect(shown).toMatchObject({ 'tag.tags': ['beta', 'eu-west'], 'metadata.tenant': 'acme' });
  expect(shown).not.toHaveProperty(['metadata.LANGSMITH_TRACING']);
  expect(shown).toMatchObject({ 'langsmith.metadata.LANGSMITH_TRACING': 'true' });
});
