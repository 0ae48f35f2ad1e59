import { describe, expect, it } from 'vitest';
import { previewOf } from './preview.ts';

const json = (truncatedValue: string) => previewOf({ mimeType: 'json', truncatedValue })?.text;
const text = (truncatedValue: string) => previewOf({ mimeType: 'text', truncatedValue })?.text;

describe('a preview', () => {
  it('of text is its beginning on one line', () => {
    expect(text(' Where is\n\n  my parcel? ')).toBe('Where is my parcel?');
    expect(text('{"content":"x"}')).toBe('{"content":"x"}');
  });

  it('leaves out marks of Markdown', () => {
    expect(text('## Steps\n**Open** `Settings`, 2 * 3')).toBe('Steps Open Settings, 2 * 3');
  });

  it('of messages is the last thing said', () => {
    const messages = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Where is "it"?\nNow!' },
    ];
    expect(json(JSON.stringify({ messages }))).toBe('Where is "it"? Now!');
  });

  it('of JSON that is cut off is what can be read of it', () => {
    expect(json('{"messages": [{"role": "user", "content": "Where is my par')).toBe('Where is my par');
    expect(json('{"query":"caf\\u00e9 \\u00')).toBe('café ');
    expect(json('{"query":"line\\')).toBe('line');
  });

  it('of other JSON is the JSON', () => {
    expect(json('{"hits": 2}')).toBe('{"hits": 2}');
    expect(json('[1,\n 2]')).toBe('[1, 2]');
    expect(json('{"content":""}')).toBe('{"content":""}');
  });

  it('tells data from what was said', () => {
    const isCode = (mimeType: string, truncatedValue: string) => previewOf({ mimeType, truncatedValue })?.isCode;
    expect(isCode('json', '{"hits": 2}')).toBe(true);
    expect(isCode('json', '{"query": "Where?"}')).toBe(false);
    expect(isCode('text', '{"hits": 2}')).toBe(true);
    expect(isCode('text', '[{"hits": 2}]')).toBe(true);
    expect(isCode('text', '[sic] it says')).toBe(false);
  });

  it('of nothing is none', () => {
    expect(text(' \n')).toBeUndefined();
    expect(previewOf(null)).toBeUndefined();
    expect(previewOf(undefined)).toBeUndefined();
  });
});
