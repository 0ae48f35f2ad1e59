import { describe, expect, it } from 'vitest';
import {
  checkViewContent,
  formatViewContent,
  MAX_VIEW_LENGTH,
  readViewContent,
  type ViewContent,
} from './saved-view.ts';

const WHOLE: ViewContent = {
  filter: 'status == "ERROR"',
  range: '7d',
  sort: 'start:desc',
  group: 'model',
  spans: 'roots',
  density: 'compact',
  columns: { order: ['name', 'attributes.a.b'], visibility: { tokens: false }, sizes: { name: 240 } },
  attributes: ['a.b'],
};

describe('the content of a view', () => {
  it('is read as it was written', () => {
    expect(readViewContent(formatViewContent(WHOLE))).toEqual(WHOLE);
  });

  it('is one text, in whichever order and with whatever left out', () => {
    const { filter, ...rest } = WHOLE;
    expect(formatViewContent({ ...rest, filter, start: undefined })).toBe(formatViewContent(WHOLE));
    expect(checkViewContent('{ "sort": "a:asc", "filter": "x" }')).toBe('{"filter":"x","sort":"a:asc"}');
  });

  it.each([
    ['no JSON', '{'],
    ['null', 'null'],
    ['a list', '[]'],
    ['an unknown part', '{"rows":1}'],
    ['a part that every object has', '{"__proto__":"x"}'],
    ['a number for a filter', '{"filter":1}'],
    ['a filter that is too long', JSON.stringify({ filter: 'x'.repeat(8001) })],
    ['half a character', '{"filter":"\\ud800"}'],
    ['a range that is too long', JSON.stringify({ range: 'x'.repeat(201) })],
    ['an unknown density', '{"density":"huge"}'],
    ['other spans', '{"spans":"all"}'],
    ['columns without sizes', '{"columns":{"order":[],"visibility":{}}}'],
    ['columns with more', '{"columns":{"order":[],"visibility":{},"sizes":{},"more":1}}'],
    ['too many columns', JSON.stringify({ columns: { order: Array(101).fill('x'), visibility: {}, sizes: {} } })],
    ['a text for a width', '{"columns":{"order":[],"visibility":{},"sizes":{"a":"1"}}}'],
    ['a negative width', '{"columns":{"order":[],"visibility":{},"sizes":{"a":-1}}}'],
    ['a number for a visibility', '{"columns":{"order":[],"visibility":{"a":1},"sizes":{}}}'],
    ['too many attributes', JSON.stringify({ attributes: Array(13).fill('x') })],
    ['a text for attributes', '{"attributes":"x"}'],
    ['more than there is room for', `{"filter":"${' '.repeat(MAX_VIEW_LENGTH)}"}`],
  ])('is not %s', (_what, text) => {
    expect(() => checkViewContent(text)).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
  });
});
