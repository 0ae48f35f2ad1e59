import { expect, it } from 'vitest';
import { listAttributes, searchAttributes } from './flat-attributes.ts';

const rows = listAttributes({
  llm: { tools: [{ name: 'Look' }], model: 'm1' },
  tags: ['x', 'y'],
  input: { value: 'say hello' },
});

it('lists attributes by their dotted names', () => {
  expect(rows.map(({ name, text }) => [name, text])).toEqual([
    ['input.value', 'say hello'],
    ['llm.model', 'm1'],
    ['llm.tools.0.name', 'Look'],
    ['tags', '["x","y"]'],
  ]);
});

it('finds rows by words of the name and of the value, in any case', () => {
  expect(searchAttributes(rows, 'TOOLS look').map(({ name }) => name)).toEqual(['llm.tools.0.name']);
  expect(searchAttributes(rows, '  ')).toHaveLength(4);
  expect(searchAttributes(rows, 'nowhere')).toEqual([]);
});
