import { describe, expect, it } from 'vitest';
import { flatAttributes, messagesOf, readSpan } from '../../../test/support/dialect-span.ts';

type Sent = Readonly<Record<string, string | bigint>>;

const read = (kind: string, attributes: Sent, scope = 'openinference.instrumentation.haystack') =>
  readSpan({ scope, attributes: { 'openinference.span.kind': kind, ...attributes } });

const INPUT = 'llm.input_messages';

describe('the messages of a call', () => {
  const prompt = JSON.stringify({
    messages: [
      "ChatMessage(_role=<ChatRole.ASSISTANT: 'assistant'>, _content=[ToolCall(tool_name='f', arguments={'a': 1}, id='c')], _meta={})",
      "ChatMessage(_role=<ChatRole.TOOL: 'tool'>, _content=[ToolCallResult(result='sunny', origin=ToolCall(tool_name='f', arguments={}, id='c'), error=False)])",
      "ChatMessage(_role=<ChatRole.USER: 'user'>, _content=[TextContent(text='And this?'), ImageContent(base64_image='iVBORw0=', mime_type='image/png')])",
    ],
    tools: ["Tool(name='f', description='F', parameters={'type': 'object'}, function=<function f at 0x7f>)"],
  });
  const shown = {
    [`${INPUT}.0.message.role`]: 'assistant',
    [`${INPUT}.1.message.role`]: 'tool',
    [`${INPUT}.2.message.role`]: 'user',
    [`${INPUT}.2.message.content`]: 'And this?',
  };

  it('get what they lack from the whole input', () => {
    const span = read('LLM', { ...shown, 'input.value': prompt });
    expect(messagesOf(span, 'input')).toEqual([
      { role: 'assistant', tool_calls: [{ tool_call: { id: 'c', function: { name: 'f', arguments: '{"a":1}' } } }] },
      { role: 'tool', tool_call_id: 'c', content: 'sunny' },
      {
        role: 'user',
        content: 'And this?',
        contents: [{ message_content: { type: 'image', image: { image: { url: 'data:image/png;base64,iVBORw0=' } } } }],
      },
    ]);
    expect(flatAttributes(span)).toMatchObject({
      'llm.tools.0.tool.json_schema':
        '{"type":"function","function":{"name":"f","description":"F","parameters":{"type":"object"}}}',
    });
  });

  it.each<[string, Sent, string]>([
    ['are fewer', { [`${INPUT}.0.message.role`]: 'assistant' }, 'openinference.instrumentation.haystack'],
    ['have other roles', { ...shown, [`${INPUT}.0.message.role`]: 'user' }, 'openinference.instrumentation.haystack'],
    ['are those of a complete instrumentation', shown, 'openinference.instrumentation.openai'],
    ['are anybody’s', shown, 'mine'],
  ])('stay where they %s', (_why, sent, scope) => {
    const span = read('LLM', { ...sent, 'input.value': prompt }, scope);
    expect(messagesOf(span, 'input')[0]).not.toHaveProperty('tool_calls');
  });

  it.each(['{"messages": ["ChatMessage(_role=', '[1', 'plain', '{"messages": 7}'])(
    'stay where the input is %s',
    (text) => {
      const span = read('LLM', { ...shown, 'input.value': text });
      expect(messagesOf(span, 'input')).toHaveLength(3);
      expect(span.input?.value).toBe(text);
    },
  );
});

it('adds the model that answered and details of counts that agree', () => {
  const reply =
    "ChatMessage(_role=<ChatRole.ASSISTANT: 'assistant'>, _content=[TextContent(text='Sunny.')], _meta={'model': 'gpt-1', 'usage': {'prompt_tokens': 137, 'completion_tokens': 29, 'prompt_tokens_details': {'cached_tokens': 64}}})";
  const sent = { 'llm.model_name': 'gpt', 'output.value': JSON.stringify({ replies: [reply] }) };
  const span = read('LLM', { ...sent, 'llm.token_count.prompt': 137n });
  expect(flatAttributes(span)).toMatchObject({ 'llm.model_name': 'gpt', 'llm.response.model_name': 'gpt-1' });
  expect(span.tokenCounts).toMatchObject({ prompt: 137, cacheRead: 64 });
  expect(read('LLM', { ...sent, 'llm.token_count.prompt': 9n }).tokenCounts).toMatchObject({
    prompt: 9,
    cacheRead: null,
  });
});

it('reads what smolagents kept of the answer, and the roles that it sends', () => {
  const raw =
    "ChatCompletion(id='x', model='gpt-1', usage=CompletionUsage(prompt_tokens=151, completion_tokens=17, prompt_tokens_details=Details(cached_tokens=64)))";
  const span = read(
    'LLM',
    {
      [`${INPUT}.0.message.role`]: 'tool-response',
      [`${INPUT}.0.message.content`]: 'Observation: sunny',
      'llm.token_count.prompt': 151n,
      'output.value': JSON.stringify({ role: 'assistant', content: 'ok', raw, token_usage: { input_tokens: 151 } }),
    },
    'openinference.instrumentation.smolagents',
  );
  expect(messagesOf(span, 'input')).toEqual([{ role: 'user', content: 'Observation: sunny' }]);
  expect(flatAttributes(span)).toMatchObject({ 'llm.response.model_name': 'gpt-1' });
  expect(span.tokenCounts).toMatchObject({ prompt: 151, cacheRead: 64 });
});

it('adds ids of documents and tokens of embeddings', () => {
  const documents = '{"documents":[{"id":"d","page_content":"A cairn"},{"id":"e","page_content":"Other"}]}';
  const shown = flatAttributes(
    read('RETRIEVER', {
      'retrieval.documents.0.document.content': 'A cairn',
      'retrieval.documents.1.document.content': 'changed',
      'output.value': documents,
    }),
  );
  expect(shown).toMatchObject({ 'retrieval.documents.0.document.id': 'd' });
  expect(shown).not.toHaveProperty(['retrieval.documents.1.document.id']);
  const embedding = read('EMBEDDING', { 'output.value': '{"meta":{"model":"e","usage":{"prompt_tokens":24}}}' });
  expect(embedding.tokenCounts.prompt).toBe(24);
});

describe('hostile messages', () => {
  it.each<[string, Sent]>([
    [
      'indexes with gaps',
      Object.fromEntries(Array.from({ length: 16_000 }, (_, at) => [`${INPUT}.${at * 3}.message.role`, 'user'])),
    ],
    ['an index of 2^31', { [`${INPUT}.2147483648.message.role`]: 'user' }],
    [
      'one index, a thousand parts',
      Object.fromEntries(
        Array.from({ length: 1000 }, (_, at) => [`${INPUT}.0.message.contents.${at}.message_content.type`, 'x']),
      ),
    ],
  ])('with %s take no time', (_what, sent) => {
    const start = performance.now();
    const prompt = JSON.stringify({ messages: Array.from({ length: 5000 }, () => ({ role: 'user', content: 'Hi' })) });
    expect(read('LLM', { ...sent, 'input.value': prompt }).kind).toBe('LLM');
    expect(performance.now() - start).toBeLessThan(20_000);
  });
});
