import { describe, expect, it } from 'vitest';
import { parseJson } from '#base/json';
import { readResponseBody, readResponseUsage } from './response-body.ts';

const read = (value: unknown) => {
  const body = readResponseBody(parseJson(JSON.stringify(value)));
  const messages = body?.messages.read.map(({ message }) => message);
  return body && { ...body, messages: JSON.parse(JSON.stringify(messages)) as unknown };
};

const CALL = { tool_call: { id: 'c', function: { name: 'f', arguments: '{"a":1}' } } };

describe('an answer', () => {
  it('of OpenAI’s chat completions is read', () => {
    const message = {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }],
    };
    const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
    expect(read({ id: 'x', model: 'gpt-1', choices: [{ finish_reason: 'tool_calls', message }], usage })).toMatchObject(
      {
        id: 'x',
        model: 'gpt-1',
        finishReason: 'tool_calls',
        usage: { prompt: 3, completion: 2, total: 5 },
        messages: [{ role: 'assistant', tool_calls: [CALL], finish_reason: 'tool_calls' }],
      },
    );
  });

  it('of OpenAI’s responses is one message', () => {
    expect(
      read({
        id: 'x',
        output: [
          { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm.' }] },
          { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hello' }] },
          { type: 'function_call', call_id: 'c', name: 'f', arguments: '{"a":1}' },
        ],
      })?.messages,
    ).toEqual([
      {
        role: 'assistant',
        contents: [
          { message_content: { type: 'reasoning', text: 'Hm.' } },
          { message_content: { type: 'text', text: 'Hello' } },
        ],
        tool_calls: [CALL],
      },
    ]);
  });

  it('of Anthropic is read', () => {
    const content = [
      { type: 'thinking', thinking: 'Hm.', signature: 's' },
      { type: 'tool_use', id: 'c', name: 'f', input: { a: 1 } },
    ];
    const usage = { input_tokens: 1, output_tokens: 2, cache_read_input_tokens: 3 };
    expect(
      read({ id: 'x', role: 'assistant', model: 'claude-1', content, stop_reason: 'tool_use', usage }),
    ).toMatchObject({
      finishReason: 'tool_use',
      usage: { prompt: 4, completion: 2, cacheRead: 3 },
      messages: [
        {
          role: 'assistant',
          contents: [{ message_content: { type: 'reasoning', text: 'Hm.', signature: 's' } }],
          tool_calls: [CALL],
        },
      ],
    });
  });

  it('of Gemini is read', () => {
    const content = { role: 'model', parts: [{ text: 'Hm.', thought: true }, { text: 'Hello' }] };
    const usageMetadata = { promptTokenCount: 3, candidatesTokenCount: 2, thoughtsTokenCount: 1, totalTokenCount: 6 };
    expect(
      read({ candidates: [{ content, finishReason: 'STOP' }], modelVersion: 'gemini-1', usageMetadata }),
    ).toMatchObject({
      model: 'gemini-1',
      finishReason: 'STOP',
      usage: { prompt: 3, completion: 3, reasoning: 1, total: 6 },
      messages: [{ role: 'assistant', contents: [{}, {}], finish_reason: 'STOP' }],
    });
  });

  it('of Bedrock is read', () => {
    const message = { role: 'assistant', content: [{ text: 'Hello' }] };
    const usage = { inputTokens: 3, outputTokens: 2, totalTokens: 5 };
    expect(read({ output: { message }, stopReason: 'end_turn', usage })).toMatchObject({
      finishReason: 'end_turn',
      usage: { prompt: 3, completion: 2 },
      messages: [{ role: 'assistant', content: 'Hello' }],
    });
  });

  it.each([
    ['a text', 'Hello'],
    ['an object around a text', { output: 'Hello' }],
    ['a message', { role: 'assistant', content: 'Hello' }],
    ['a message inside', { message: { role: 'assistant', content: 'Hello' } }],
    ['a completion', { choices: [{ text: 'Hello' }] }],
    ['what Python prints', "Message(role='assistant', content='Hello')"],
    ['a text of a framework', { text: 'Hello', raw: null }],
  ])('is read from %s', (_what, value) => {
    expect(read(value)?.messages).toEqual([{ role: 'assistant', content: 'Hello' }]);
  });

  it.each([{}, [], null, 7, { output: null }, { choices: [] }, { choices: [7] }, { degrees: 18 }])(
    'is not %j',
    (value) => {
      expect(read(value)).toBeUndefined();
    },
  );
});

it.each([
  [{ usage: { prompt_tokens: 24 } }],
  [{ meta: { usage: { prompt_tokens: 24 } } }],
  [{ llm_output: { token_usage: { prompt_tokens: 24 } } }],
])('reads what was used without an answer: %j', (value) => {
  expect(readResponseUsage(parseJson(JSON.stringify(value)))?.prompt).toBe(24);
});
