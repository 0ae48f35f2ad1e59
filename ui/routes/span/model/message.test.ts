import { describe, expect, it } from 'vitest';
import type { JsonValue } from '#base/json';
import { readMessage } from './message.ts';

const parts = (message: JsonValue) => readMessage({ message }).parts;

describe('a message', () => {
  it('tells its role whatever the producer calls it', () => {
    const roles = ['developer', 'HUMAN', 'model', 'function', 'critic'].map((role) =>
      readMessage({ message: { role } }),
    );
    expect(roles.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'other']);
    expect(roles.at(-1)?.roleName).toBe('critic');
  });

  it('has the text of its content and of its contents', () => {
    const contents = [{ message_content: { type: 'text', text: 'second' } }];
    expect(parts({ role: 'user', content: 'first', contents })).toEqual([
      { type: 'text', text: 'first' },
      { type: 'text', text: 'second' },
    ]);
  });

  it('shows a call once that stands among the contents and in the list', () => {
    const call = { id: 'c1', function: { name: 'look', arguments: '{"a":1}' } };
    const contents = [{ message_content: { type: 'tool_use' }, tool_call: call }];
    expect(parts({ contents, tool_calls: [{ tool_call: call }] })).toEqual([
      { type: 'tool_call', call: { id: 'c1', name: 'look', arguments: expect.objectContaining({ a: 1 }) } },
    ]);
  });

  it('keeps arguments that are no JSON as the text they are', () => {
    const tool_calls = [{ tool_call: { function: { name: 'look', arguments: '{"a":' } } }];
    expect(parts({ tool_calls })).toEqual([
      { type: 'tool_call', call: { id: undefined, name: 'look', arguments: '{"a":' } },
    ]);
  });

  it('reads calls of functions from before there were tools', () => {
    expect(parts({ function_call_name: 'look', function_call_arguments_json: '[]' })).toEqual([
      { type: 'tool_call', call: { id: undefined, name: 'look', arguments: [] } },
    ]);
  });

  it('folds reasoning away, and knows that of encrypted reasoning there is nothing to read', () => {
    const contents: JsonValue[] = [
      { message_content: { type: 'reasoning', text: 'hm', signature: 'x' } },
      { message_content: { type: 'reasoning', encrypted_content: 'gAAA' } },
    ];
    expect(parts({ contents })).toEqual([
      { type: 'reasoning', text: 'hm' },
      { type: 'reasoning', text: undefined },
    ]);
  });

  it('tells what was masked', () => {
    const contents = [{ message_content: { type: 'image', image: { image: { url: '__REDACTED__' } } } }];
    expect(parts({ content: '__REDACTED__', contents })).toEqual([{ type: 'redacted' }, { type: 'redacted' }]);
  });

  it('shows pictures, sounds, films and files', () => {
    const contents: JsonValue[] = [
      { message_content: { type: 'image', image: { image: { url: 'data:image/png;base64,AAAA' } } } },
      { message_content: { type: 'audio', audio: { audio: { url: 'https://a.example/x.mp3', transcript: 'hello' } } } },
      { message_content: { type: 'video', video: { video: { url: 's3://bucket/film' } } } },
      {
        message_content: {
          type: 'document',
          document: { document: { url: 'gs://b/f', mime_type: 'application/pdf' } },
        },
      },
      { type: 'image_url', image_url: { url: 'https://i.example/p.png' } },
      { message_content: { type: 'image' } },
      { message_content: { type: 'image', image: { image: { mime_type: 'image/png' } } } },
    ];
    expect(parts({ contents })).toMatchObject([
      { type: 'media', medium: 'image', source: { type: 'inline', mimeType: 'image/png', bytes: 3 } },
      { type: 'media', medium: 'audio', source: { type: 'address' }, transcript: 'hello' },
      { type: 'media', medium: 'video', source: { type: 'address', address: 's3://bucket/film' } },
      { type: 'media', medium: 'file', name: 'application/pdf' },
      { type: 'media', medium: 'image', source: { type: 'address', address: 'https://i.example/p.png' } },
      { type: 'media', medium: 'image', source: undefined, name: undefined },
      { type: 'media', medium: 'image', source: undefined, name: 'image/png' },
    ]);
  });

  it.each<[string, JsonValue, JsonValue[]]>([
    ['a number instead of a message', 5, ['5']],
    ['nothing', null, []],
    ['a list instead of a message', [1], [[1]]],
    ['contents that are an object', { message: { contents: { a: 1 } } }, [{ a: 1 }]],
    ['calls that are a number', { message: { tool_calls: 7 } }, ['7']],
    ['a call without a name', { message: { tool_calls: [{ tool_call: { x: 1 } }] } }, [{ tool_call: { x: 1 } }]],
    [
      'a part of a kind not known',
      { message: { contents: [{ message_content: { type: 'hologram', at: 1 } }] } },
      [{ type: 'hologram', at: 1 }],
    ],
    ['a field not known', { message: { role: 'user', mood: 'calm' } }, [{ mood: 'calm' }]],
    [
      'a picture without an address',
      { message: { contents: [{ message_content: { image: { a: 1 } } }] } },
      [{ image: { a: 1 } }],
    ],
  ])('keeps %s visible', (_, item, shown) => {
    const read = readMessage(item).parts.map((part) =>
      part.type === 'json' ? part.value : part.type === 'text' && part.text,
    );
    expect(JSON.parse(JSON.stringify(read))).toEqual(shown);
  });
});
