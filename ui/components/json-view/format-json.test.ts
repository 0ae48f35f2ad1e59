import { expect, it } from 'vitest';
import { parseJson } from '#base/json';
import { formatJson, formatJsonPieces, formatJsonShort } from './format-json.ts';

it('keeps in one line what fits there', () => {
  expect(formatJsonShort(parseJson('{"city":"Paris","days":[1,2],"none":{},"list":[]}'))).toBe(
    '{ "city": "Paris", "days": [1, 2], "none": {}, "list": [] }',
  );
});

it('breaks what does not fit, and only that', () => {
  const value = parseJson(`{"text":"${'x'.repeat(80)}","days":[1,2]}`);
  expect(formatJsonShort(value)).toBe(`{\n  "text": "${'x'.repeat(80)}",\n  "days": [1, 2]\n}`);
});

it('keeps every digit, and stays JSON', () => {
  const text = '{"big":12345678901234567890,"whole":1.0,"deep":[[[{"a":"b\\n"}]]]}';
  for (const format of [formatJson, formatJsonShort]) {
    expect(format(parseJson(text))).toContain('12345678901234567890');
    expect(JSON.stringify(parseJson(format(parseJson(text))))).toBe(text);
  }
});

it('shows texts of several lines as their lines', () => {
  const value = parseJson('{"path":"a.md","content":"# One\\n\\ntwo\\n","mode":{"x":1}}');
  expect(formatJsonPieces(value)).toEqual([
    { type: 'json', text: '{\n  "path": "a.md",\n  "content": ' },
    { type: 'lines', text: '# One\n\ntwo', indent: 4 },
    { type: 'json', text: '  "mode": { "x": 1 }\n}' },
  ]);
  expect(formatJsonPieces(parseJson('["a\\nb"]'))).toEqual([
    { type: 'json', text: '[' },
    { type: 'lines', text: 'a\nb', indent: 2 },
    { type: 'json', text: ']' },
  ]);
});

it('leaves JSON without such texts as it is', () => {
  const value = parseJson('{"line":"one\\n","list":[1,2]}');
  expect(formatJsonPieces(value)).toEqual([{ type: 'json', text: formatJsonShort(value) }]);
});
