import { describe, expect, it } from 'vitest';
import { type JsonValue, parseJson } from '#base/json';
import { joinInstructions, joinMessages, onlyText, readMessages, readSystemInstructions } from './messages.ts';

describe('readMessages', () => {
  it('reads a message of one text part as its content', () => {
    expect(read([{ role: 'user', parts: [{ type: 'text', content: 'hi' }] }])).toEqual([
      { role: 'user', content: 'hi' },
    ]);
  });

  it('reads several parts as contents, in their order', () => {
    const parts = [
      { type: 'text', content: 'look' },
      { type: 'reasoning', content: 'hm', signature: 'sig' },
      { type: 'blob', modality: 'image', mime_type: 'image/png', content: 'iVBO' },
    ];
    expect(read([{ role: 'user', parts }])).toEqual([
      {
        role: 'user',
        contents: [
          { message_content: { type: 'text', text: 'look' } },
          { message_content: { type: 'reasoning', text: 'hm', signature: 'sig' } },
          { message_content: { type: 'image', image: { image: { url: 'data:image/png;base64,iVBO' } } } },
        ],
      },
    ]);
  });

  it('reads a call once that is both a part and beside the parts', () => {
    const called = { id: 'c', type: 'function', function: { name: 'f', arguments: { a: 1 } } };
    const content = [{ toolUse: { toolUseId: 'c', name: 'f', input: { a: 1 } } }];
    const call = { tool_call: { id: 'c', function: { name: 'f', arguments: '{"a":1}' } } };
    expect(read([{ role: 'assistant', content, tool_calls: [called] }])).toEqual([
      { role: 'assistant', tool_calls: [call] },
    ]);
  });

  it('reads calls beside a text', () => {
    const parts = [
      { type: 'text', content: 'calling' },
      { type: 'tool_call', id: 'c1', name: 'f', arguments: { city: 'Paris', n: 1 } },
      { type: 'tool_call', name: 'g', arguments: '{"raw": 1}' },
    ];
    expect(read([{ role: 'assistant', parts, finish_reason: 'tool_call', name: 'bot' }])).toEqual([
      {
        role: 'assistant',
        content: 'calling',
        tool_calls: [
          { tool_call: { id: 'c1', function: { name: 'f', arguments: '{"city":"Paris","n":1}' } } },
          { tool_call: { function: { name: 'g', arguments: '{"raw": 1}' } } },
        ],
        name: 'bot',
        finish_reason: 'tool_call',
      },
    ]);
  });

  it('gives each of several tool answers a message of its own, before what else was said', () => {
    const parts = [
      { type: 'tool_call_response', id: 'c1', response: 'sunny' },
      { type: 'text', content: 'and now?' },
      { type: 'tool_call_response', id: 'c2', response: { t: 24 } },
    ];
    expect(read([{ role: 'user', parts }])).toEqual([
      { role: 'tool', tool_call_id: 'c1', content: 'sunny' },
      { role: 'tool', tool_call_id: 'c2', content: '{"t":24}' },
      { role: 'user', content: 'and now?' },
    ]);
    expect(read([{ role: 'tool', parts: parts.filter(({ type }) => type !== 'text') }])).toHaveLength(2);
  });

  it('leaves out what is no message and keeps the rest', () => {
    const sent = [5, null, {}, { parts: 'text', role: 7 }, [], { role: 'user', parts: [null, 3] }, 'plain'];
    expect(read(sent)).toEqual([
      { role: 'user', content: 'text' },
      { role: 'user' },
      { role: 'user', content: 'plain' },
    ]);
  });

  it('reads bare texts among the parts as one', () => {
    expect(read([{ parts: ['a', 'b'] }])).toEqual([{ role: 'user', content: 'a\nb' }]);
    expect(read([{ parts: [{ type: 'file' }, 'a', 5] }])).toEqual([
      {
        role: 'user',
        contents: [
          { message_content: { type: 'text', text: 'a' } },
          { message_content: { type: 'file', text: '{"type":"file"}' } },
        ],
      },
    ]);
  });

  it('reads messages of the OpenAI API', () => {
    const sent = [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'a' },
          { type: 'image_url', image_url: { url: 'https://i/x' } },
        ],
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
      },
      { role: 'tool', content: 'done', tool_call_id: 'c' },
    ];
    expect(read(sent)).toEqual([
      {
        role: 'user',
        contents: [
          { message_content: { type: 'text', text: 'a' } },
          { message_content: { type: 'image', image: { image: { url: 'https://i/x' } } } },
        ],
      },
      { role: 'assistant', tool_calls: [{ tool_call: { id: 'c', function: { name: 'f', arguments: '{}' } } }] },
      { role: 'tool', content: 'done', tool_call_id: 'c' },
    ]);
  });

  it('reads the message inside a choice', () => {
    const choice = { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'yes' } };
    expect(read([choice])).toEqual([{ role: 'assistant', content: 'yes', finish_reason: 'stop' }]);
    const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } };
    expect(read([{ message: { role: 'assistant', content: null, tool_calls: [call] } }])).toEqual([
      { role: 'assistant', tool_calls: [{ tool_call: { id: 'c', function: { name: 'f', arguments: '{}' } } }] },
    ]);
    expect(read([{ message: 'yes', finish_reason: 'stop' }])).toEqual([
      { role: 'user', content: 'yes', finish_reason: 'stop' },
    ]);
  });

  it('reads what a provider’s own tools answer after the call', () => {
    const parts = [
      { type: 'server_tool_call', id: 'c', name: 'search', server_tool_call: { type: 'search' } },
      { type: 'server_tool_call_response', id: 'c', server_tool_call_response: { type: 'search' } },
      { type: 'text', content: 'Found.' },
    ];
    expect(read([{ role: 'assistant', parts }])).toEqual([
      {
        role: 'assistant',
        content: 'Found.',
        tool_calls: [{ tool_call: { id: 'c', function: { name: 'search', arguments: '{"type":"search"}' } } }],
      },
      { role: 'tool', tool_call_id: 'c', content: '{"type":"search"}' },
    ]);
  });

  it('reads the content of Gemini, which says who speaks', () => {
    const choice = { index: 0, content: { role: 'model', parts: [{ text: 'yes' }] }, finish_reason: 'STOP' };
    expect(read([choice])).toEqual([{ role: 'assistant', content: 'yes', finish_reason: 'STOP' }]);
  });

  it('reads items of OpenAI’s Responses API', () => {
    const sent = [
      { role: 'user', content: 'a' },
      { type: 'reasoning', id: 'rs', summary: [{ type: 'summary_text', text: 'hm' }] },
      { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c', output: 'done' },
    ];
    expect(read(sent)).toEqual([
      { role: 'user', content: 'a' },
      { role: 'assistant', contents: [{ message_content: { type: 'reasoning', text: 'hm', id: 'rs' } }] },
      { role: 'assistant', tool_calls: [{ tool_call: { id: 'c', function: { name: 'f', arguments: '{}' } } }] },
      { role: 'tool', tool_call_id: 'c', content: 'done' },
    ]);
  });

  it('reads calls beside the message of a choice, and one that is in no list', () => {
    const call = { id: 'c', function: { name: 'f', arguments: '{}' } };
    const expected = [{ tool_call: { id: 'c', function: { name: 'f', arguments: '{}' } } }];
    expect(read([{ message: { content: null }, tool_calls: [call] }])).toEqual([
      { role: 'user', tool_calls: expected },
    ]);
    expect(read([{ role: 'assistant', tool_calls: call }])).toEqual([{ role: 'assistant', tool_calls: expected }]);
  });

  it('reads thoughts beside the content', () => {
    expect(read([{ role: 'assistant', content: 'yes', reasoning_content: 'hm' }])).toEqual([
      {
        role: 'assistant',
        contents: [
          { message_content: { type: 'reasoning', text: 'hm' } },
          { message_content: { type: 'text', text: 'yes' } },
        ],
      },
    ]);
  });

  it.each([
    ['model', 'assistant'],
    ['ai', 'assistant'],
    ['human', 'user'],
    ['developer', 'developer'],
    ['unknown', 'user'],
    ['', 'user'],
  ])('reads the role %j as %s', (role, expected) => {
    expect(read([{ role, content: 'a' }])).toEqual([{ role: expected, content: 'a' }]);
  });

  it.each([
    ['JSON text of a list', '[{"role":"user","content":"x"}]', 'x'],
    ['JSON text of one message', '{"role":"user","content":"x"}', 'x'],
    ['JSON text of an object of messages', '{"messages":[{"content":"x"}]}', 'x'],
    ['JSON text that is no message', '{"a":1}', '{"a":1}'],
    ['JSON text cut off', '[{"role":"user","content":"x"', '[{"role":"user","content":"x"'],
    ['plain text', 'x', 'x'],
    ['one structured message', { role: 'user', content: 'x' }, 'x'],
  ])('reads %s', (_what, value, content) => {
    expect(read(value)).toEqual([{ role: 'user', content }]);
  });

  it.each([undefined, null, '', 5, [], {}])('finds no message in %j', (value) => {
    expect(read(value)).toEqual([]);
  });
});

describe('readSystemInstructions', () => {
  it.each([
    ['parts', [{ type: 'text', content: 'Be brief.' }]],
    ['JSON text of parts', '[{"type":"text","content":"Be brief."}]'],
    ['plain text', 'Be brief.'],
  ])('reads %s as a message of the system', (_what, value) => {
    const { read: messages } = readSystemInstructions(json(value));
    expect(messages).toEqual([{ message: { role: 'system', content: 'Be brief.' } }]);
  });

  it('is nothing where there are none', () => {
    expect(readSystemInstructions(undefined)).toEqual({ sent: [], read: [] });
  });
});

describe('joinInstructions', () => {
  const told = readSystemInstructions('Be brief.');

  it('tells the same only once', () => {
    const messages = readMessages(
      json([
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'a' },
      ]),
      'user',
    );
    expect(joinInstructions(told, messages)).toBe(messages);
  });

  it('tells both where they differ', () => {
    const messages = readMessages(json([{ role: 'system', content: 'Be kind.' }]), 'user');
    expect(joinInstructions(told, messages).read).toHaveLength(2);
  });
});

describe('onlyText', () => {
  it('is the text of the only message beside the system’s', () => {
    const system = readSystemInstructions('Be brief.');
    const question = readMessages('Why?', 'user');
    expect(onlyText(joinMessages([system, question]))).toBe('Why?');
    expect(onlyText(joinMessages([question, question]))).toBeUndefined();
    expect(onlyText(system)).toBeUndefined();
  });

  it('is nothing where a call stands beside the text', () => {
    const parts = [
      { type: 'text', content: 'a' },
      { type: 'tool_call', name: 'f' },
    ];
    expect(onlyText(readMessages(json([{ role: 'assistant', parts }]), 'assistant'))).toBeUndefined();
  });
});

function read(value: unknown): unknown[] {
  return readMessages(json(value), 'user').read.map(({ message }) => message);
}

function json(value: unknown): JsonValue | undefined {
  return value === undefined ? undefined : parseJson(JSON.stringify(value));
}
