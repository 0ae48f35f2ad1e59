import { describe, expect, it } from 'vitest';
import { lastSaid } from './last-said.ts';

const said = (value: unknown) => lastSaid(JSON.stringify(value));

describe('what was said last', () => {
  it('is the last message, however long the first is', () => {
    const messages = [
      { role: 'system', content: 'You are careful. '.repeat(100) },
      { role: 'user', content: 'Where is "it"?\nNow! 😀' },
    ];
    expect(said({ model: 'm', messages, tools: [{ parameters: { text: { type: 'string' } } }] })).toBe(
      'Where is "it"?\nNow! 😀',
    );
    expect(said({ messages, query: 'not this' })).toBe('Where is "it"?\nNow! 😀');
  });

  it('passes by what is empty, null or a list', () => {
    const answer = { role: 'assistant', content: null, tool_calls: [] };
    expect(said([{ role: 'user', content: 'Where?' }, answer, { content: ' ' }])).toBe('Where?');
    expect(said([{ role: 'user', content: [{ type: 'text', text: 'See this.' }, { type: 'image_url' }] }])).toBe(
      'See this.',
    );
  });

  it('is words, where a picture stands after them', () => {
    const picture = 'iVBORw0KGgoAAAANSUhEUgAAAKAAAAB4'.repeat(40);
    const image = { type: 'blob', content: picture };
    expect(said([{ role: 'user', parts: [{ type: 'text', content: 'What is this?' }, image] }])).toBe('What is this?');
    expect(said([{ content: 'What?' }, { content: `data:image/png;base64,${picture}` }])).toBe('What?');
    expect(said([{ role: 'user', parts: [image] }])).toBe(picture.slice(0, 400));
  });

  it('is a question or an answer where there are no messages', () => {
    expect(said({ query: 'caf\u00e9?', limit: 3 })).toBe('café?');
    expect(said({ hits: 2 })).toBeUndefined();
    expect(lastSaid('{"content')).toBeUndefined();
    expect(lastSaid('"content": "no JSON \\u00')).toBe('no JSON ');
  });

  it('does not take what is quoted inside of a text', () => {
    expect(said({ content: 'He said "content":"x".' })).toBe('He said "content":"x".');
  });

  it('is found soon in texts without any', () => {
    expect(lastSaid('"content":1,'.repeat(200_000))).toBeUndefined();
    expect(lastSaid(`{"content":"${'a'.repeat(10_000)}"}`)).toBe('a'.repeat(400));
  });
});
