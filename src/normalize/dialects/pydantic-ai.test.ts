import { describe, expect, it } from 'vitest';
import { flatAttributes, messagesOf, readSpan } from '../../../test/support/dialect-span.ts';

type Sent = Readonly<Record<string, string | bigint | number | string[]>>;

const read = (attributes: Sent, scope = 'pydantic-ai') => readSpan({ scope, attributes });

describe('an agent', () => {
  it('has its messages, its instructions and what it found', () => {
    const span = read({
      agent_name: 'weather',
      model_name: 'gpt',
      final_result: 'It is sunny.',
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.aggregated_usage.input_tokens': 20n,
      'gen_ai.aggregated_usage.output_tokens': 9n,
      'gen_ai.aggregated_usage.cache_read.input_tokens': 8n,
      'gen_ai.aggregated_usage.details.reasoning_tokens': 5n,
      'gen_ai.system_instructions': '[{"type":"text","content":"Be brief."}]',
      'pydantic_ai.all_messages': JSON.stringify([
        { role: 'user', parts: [{ type: 'text', content: 'Weather?' }] },
        { role: 'assistant', parts: [{ type: 'tool_call', id: 'c', name: 'f', arguments: { a: 1 } }] },
        { role: 'user', parts: [{ type: 'tool_call_response', id: 'c', name: 'f', result: 'sunny' }] },
        { role: 'assistant', parts: [{ type: 'text', content: 'It is sunny.' }] },
      ]),
    });
    expect(span).toMatchObject({ kind: 'AGENT', output: { value: 'It is sunny.' } });
    expect(flatAttributes(span)).toMatchObject({ 'agent.name': 'weather' });
    expect(span.tokenCounts).toMatchObject({ prompt: 20, completion: 9, cacheRead: 8, reasoning: 5, total: 29 });
    expect(messagesOf(span, 'input')).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Weather?' },
      { role: 'assistant', tool_calls: [{ tool_call: { id: 'c', function: { name: 'f', arguments: '{"a":1}' } } }] },
      { role: 'tool', tool_call_id: 'c', content: 'sunny' },
    ]);
    expect(messagesOf(span, 'output')).toEqual([{ role: 'assistant', content: 'It is sunny.' }]);
  });

  it('of version 1 has them as events', () => {
    const span = read({
      agent_name: 'weather',
      all_messages_events: JSON.stringify([
        { content: 'Weather?', role: 'user', 'event.name': 'gen_ai.user.message', 'gen_ai.message.index': 0 },
        { content: 'Sunny.', role: 'assistant', 'event.name': 'gen_ai.assistant.message', 'gen_ai.message.index': 1 },
      ]),
    });
    expect(span.kind).toBe('AGENT');
    expect(messagesOf(span, 'input')).toEqual([{ role: 'user', content: 'Weather?' }]);
    expect(messagesOf(span, 'output')).toEqual([{ role: 'assistant', content: 'Sunny.' }]);
  });

  it.each(['{', '[]', '"text"', '[1]'])('with messages that are %s keeps them', (text) => {
    const span = read({ 'pydantic_ai.all_messages': text });
    expect(span.kind).toBe('AGENT');
    expect(flatAttributes(span)).toMatchObject({ 'pydantic_ai.all_messages': text });
  });
});

describe('a model call', () => {
  it('of version 1 has its events and the tools it was offered', () => {
    const span = read({
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'gpt',
      'gen_ai.usage.input_tokens': 7n,
      events: JSON.stringify([
        { content: 'Be brief.', role: 'system', 'event.name': 'gen_ai.system.message' },
        { content: 'Weather?', role: 'user', 'event.name': 'gen_ai.user.message' },
        { content: 'sunny', role: 'tool', id: 'c', name: 'f', 'event.name': 'gen_ai.tool.message' },
        { index: 0, message: { role: 'assistant', content: 'Sunny.' }, 'event.name': 'gen_ai.choice' },
      ]),
      model_request_parameters: JSON.stringify({
        function_tools: [{ name: 'f', description: 'F', parameters_json_schema: { type: 'object' }, strict: null }],
        output_tools: [{ name: 'final_result', parameters_json_schema: {} }],
      }),
    });
    expect(span).toMatchObject({ kind: 'LLM', modelName: 'gpt', tokenCounts: { prompt: 7 } });
    expect(messagesOf(span, 'input')).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Weather?' },
      { role: 'tool', content: 'sunny', name: 'f', tool_call_id: 'c' },
    ]);
    expect(messagesOf(span, 'output')).toEqual([{ role: 'assistant', content: 'Sunny.' }]);
    expect(flatAttributes(span)).toMatchObject({
      'llm.tools.0.tool.json_schema':
        '{"type":"function","function":{"name":"f","description":"F","parameters":{"type":"object"}}}',
      'llm.tools.1.tool.json_schema': '{"type":"function","function":{"name":"final_result","parameters":{}}}',
    });
  });

  it('that Logfire recorded of a client has request and answer', () => {
    const span = read(
      {
        'logfire.msg': 'Chat',
        'gen_ai.request.model': 'gpt',
        request_data: '{"messages":[{"role":"user","content":"Hi"}],"model":"gpt"}',
        response_data:
          '{"message":{"role":"assistant","content":"Hello"},"usage":{"prompt_tokens":3,"completion_tokens":2}}',
      },
      'logfire.openai',
    );
    expect(span).toMatchObject({ kind: 'LLM', tokenCounts: { prompt: 3, completion: 2 } });
    expect(messagesOf(span, 'output')).toEqual([{ role: 'assistant', content: 'Hello' }]);
  });
});

it('counts the tokens that only the provider’s own object names', () => {
  const usage = '{"prompt_tokens":9,"completion_tokens":5,"completion_tokens_details":{"reasoning_tokens":3}}';
  const span = read(
    { 'logfire.msg': 'Chat', 'gen_ai.operation.name': 'chat', 'gen_ai.usage.raw': usage },
    'logfire.openai',
  );
  expect(span.tokenCounts).toMatchObject({ prompt: 9, completion: 5, total: 14, reasoning: 3 });
});

it('reads an embedding of a client as one, although it has the data of a request', () => {
  const attributes = {
    'logfire.msg': 'Embedding',
    'gen_ai.operation.name': 'embeddings',
    'gen_ai.request.model': 'm',
    request_data: '{"model":"m"}',
  };
  const span = read(attributes, 'logfire.openai');
  expect(span.kind).toBe('EMBEDDING');
  expect(flatAttributes(span)['embedding.model_name']).toBe('m');
});

it('reads a tool’s run up to version 2', () => {
  const attributes = { 'gen_ai.tool.name': 'f', tool_arguments: '{"a":1}', tool_response: 'sunny' };
  expect(read(attributes)).toMatchObject({ kind: 'TOOL', input: { value: '{"a":1}' }, output: { value: 'sunny' } });
});

it('reads cost and tags, but nothing of a placeholder', () => {
  const sent = { 'logfire.tags': ['a'], 'operation.cost': 0.5, 'gen_ai.tool.name': 'f', tool_response: 'sunny' };
  expect(flatAttributes(read(sent))).toMatchObject({ 'tag.tags': ['a'], 'llm.cost.total': 0.5 });
  expect(read({ ...sent, 'logfire.span_type': 'pending_span' }).output).toBeNull();
});

it('leaves names that are anybody’s to others', () => {
  const attributes = { events: '[{"event.name":"gen_ai.user.message","content":"Hi"}]', final_result: 'x' };
  expect(readSpan({ scope: 'mine', attributes })).toMatchObject({ kind: 'UNKNOWN', output: null });
});
