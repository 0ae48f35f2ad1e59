import { expect, it } from 'vitest';
import { isJsonObject, parseJson } from '#base/json';
import { previewJson } from './json-preview.ts';

function preview(text: string): string {
  const value = parseJson(text);
  return Array.isArray(value) || isJsonObject(value) ? previewJson(value) : '';
}

it('tells the first values, and that there are more', () => {
  expect(preview('{"id":12345678901234567890,"name":"stone","list":[1,2],"in":{"a":1},"more":null}')).toBe(
    '{ id: 12345678901234567890, name: "stone", list: [2], in: {…}, … }',
  );
  expect(preview('[1,true,null]')).toBe('[1, true, null]');
});

it('cuts long texts', () => {
  expect(preview(`["${'x'.repeat(100)}"]`)).toBe(`["${'x'.repeat(24)}…"]`);
});
