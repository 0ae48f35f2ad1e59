import { describe, expect, it } from 'vitest';
import { parseJson } from '#base/json';
import { listTools, readRequestBody } from './request-body.ts';

const read = (value: unknown) => {
  const body = readRequestBody(parseJson(JSON.stringify(value)));
  return body && { ...body, messages: plain(body.messages.read.map(({ message }) => message)) };
};

describe('a request', () => {
  it('to OpenAI’s chat completions is read', () => {
    expect(
      read({
        model: 'gpt',
        messages: [
          { role: 'developer', content: 'Be brief.' },
          { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }] },
        ],
        temperature: 0.2,
        stop: null,
        tools: [{ type: 'function', function: { name: 'f' } }],
      }),
    ).toMatchObject({
      model: 'gpt',
      messages: [
        { role: 'developer', content: 'Be brief.' },
        { role: 'user', contents: [{ message_content: { type: 'image' } }] },
      ],
      tools: [{ type: 'function', function: { name: 'f' } }],
      parameters: { temperature: 0.2 },
    });
  });

  it('to OpenAI’s responses is read, with its items', () => {
    expect(
      read({
        model: 'gpt',
        instructions: 'Be brief.',
        input: [
          { role: 'user', content: [{ type: 'input_text', text: 'Weather?' }] },
          { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm.' }] },
          { type: 'function_call', id: 'fc', call_id: 'c', name: 'f', arguments: '{}' },
          { type: 'function_call_output', call_id: 'c', output: 'sunny' },
        ],
      })?.messages,
    ).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Weather?' },
      { role: 'assistant', contents: [{ message_content: { type: 'reasoning', text: 'Hm.' } }] },
      { role: 'assistant', tool_calls: [{ tool_call: { id: 'c', function: { name: 'f', arguments: '{}' } } }] },
      { role: 'tool', tool_call_id: 'c', content: 'sunny' },
    ]);
    expect(read({ input: 'Hi' })?.messages).toEqual([{ role: 'user', content: 'Hi' }]);
  });

  it('to Anthropic is read', () => {
    expect(
      read({
        model: 'claude',
        system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
        messages: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: 'sunny' }] }],
        tools: [{ name: 'f', input_schema: { type: 'object' } }],
      }),
    ).toMatchObject({
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'tool', tool_call_id: 'c', content: 'sunny' },
      ],
      tools: [{ name: 'f' }],
    });
  });

  it('to Gemini is read', () => {
    expect(
      read({
        model: 'gemini',
        contents: [
          { role: 'user', parts: [{ text: 'Weather?' }] },
          { role: 'model', parts: [{ function_call: { name: 'f', args: { a: 1 } } }] },
        ],
        config: {
          system_instruction: { parts: [{ text: 'Be brief.' }] },
          temperature: 0.2,
          tools: [{ function_declarations: [{ name: 'f', parameters: {} }] }],
        },
      }),
    ).toMatchObject({
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Weather?' },
        { role: 'assistant', tool_calls: [{ tool_call: { function: { name: 'f', arguments: '{"a":1}' } } }] },
      ],
      tools: [{ name: 'f' }],
    });
  });

  it('to Bedrock is read', () => {
    expect(
      read({
        modelId: 'claude',
        system: [{ text: 'Be brief.' }],
        messages: [{ role: 'user', content: [{ text: 'Hi' }] }],
        toolConfig: { tools: [{ toolSpec: { name: 'f', inputSchema: { json: { type: 'object' } } } }] },
      }),
    ).toMatchObject({
      model: 'claude',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hi' },
      ],
      tools: [{ name: 'f', parameters: { type: 'object' } }],
    });
  });

  it.each([{}, [], { q: 'Hi' }, { messages: null }, { prompt: 7 }, null, 'text', { messages: [1, null, [], {}] }])(
    'is not %j',
    (value) => {
      expect(read(value)).toBeUndefined();
    },
  );
});

describe('tools', () => {
  it.each([
    ['JSON texts', ['{"name":"f"}']],
    ['one JSON text', '[{"name":"f"}]'],
    ['Python reprs', ["Tool(name='f', run=<function f at 0x7f>)"]],
    ['fields below a class', [{ type: 'x.Tool', data: { name: 'f' } }]],
    ['an object by names', { f: { description: 'F' } }],
    ['definitions with what is none between them', [{ name: 'f' }, 7, null, 'broken {', []]],
  ])('are read from %s', (_what, value) => {
    expect(plain(listTools(parseJson(JSON.stringify(value))))).toEqual([expect.objectContaining({ name: 'f' })]);
  });

  it.each([undefined, 'text', 7, null])('are none in %j', (value) => {
    expect(listTools(value)).toEqual([]);
  });
});

/** With prototypes, as `toEqual` wants them. */
function plain(value: unknown): unknown[] {
  return JSON.parse(JSON.stringify(value)) as unknown[];
}
