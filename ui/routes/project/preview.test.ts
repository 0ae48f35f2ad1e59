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

  it('of JSON is what was said in it', () => {
    expect(json('Where is "it"?\nNow!')).toBe('Where is "it"? Now!');
  });

  it('of JSON in which nothing was said is the JSON', () => {
    expect(json('{"hits": 2}')).toBe('{"hits": 2}');
    expect(json('[1,\n 2]')).toBe('[1, 2]');
  });

  it('tells data from what was said', () => {
    const isCode = (mimeType: string, truncatedValue: string) => previewOf({ mimeType, truncatedValue })?.isCode;
    for (const data of ['{"hits": 2}', '{}', '[]', '[1, 2]', '["a"]', '[{"hits": 2}]', '42', 'null']) {
      expect(isCode('json', data), data).toBe(true);
    }
    expect(isCode('json', 'Where?')).toBe(false);
    expect(isCode('text', '{"hits": 2}')).toBe(true);
    expect(isCode('text', '42')).toBe(false);
    expect(isCode('text', '[sic] it says')).toBe(false);
  });

  it('of calls is code, and of the result of a tool what it says', () => {
    expect(previewOf({ mimeType: 'json', truncatedValue: '→ grep(pattern: "**")' })).toEqual({
      text: '→ grep(pattern: "**")',
      isCode: true,
    });
    expect(previewOf({ mimeType: 'json', truncatedValue: '← track: delivered' })?.isCode).toBe(false);
  });

  it('of a picture says what it is', () => {
    const picture = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAKAAAAB4CAIAAAD6wG44';
    expect(previewOf({ mimeType: 'text', truncatedValue: picture })).toEqual({
      text: 'PNG image, 160 × 120',
      isCode: false,
      media: 'image',
    });
  });

  it('of nothing is none', () => {
    expect(text(' \n')).toBeUndefined();
    expect(previewOf(null)).toBeUndefined();
    expect(previewOf(undefined)).toBeUndefined();
  });
});
