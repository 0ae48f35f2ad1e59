import { expect, it } from 'vitest';
import { listAttributes, searchAttributes } from './flat-attributes.ts';

const ATTRIBUTES = {
  llm: { tools: [{ name: 'Look' }], model: 'm1' },
  tags: ['x', 'y'],
  input: { value: 'say hello' },
};
const rows = listAttributes(ATTRIBUTES, {});

it('lists attributes by their dotted names', () => {
  expect(rows.map(({ name, text }) => [name, text])).toEqual([
    ['input.value', 'say hello'],
    ['llm.model', 'm1'],
    ['llm.tools.0.name', 'Look'],
    ['tags', '["x","y"]'],
  ]);
});

it('lists what was derived after what was sent, without what it hides', () => {
  const all = listAttributes(ATTRIBUTES, { 'llm.model': 'm2', 'llm.finish_reason': 'stop', tags: null });
  expect(all.slice(rows.length).map(({ name, text, isDerived }) => [name, text, isDerived])).toEqual([
    ['llm.finish_reason', 'stop', true],
    ['llm.model', 'm2', true],
  ]);
  expect(all.slice(0, rows.length)).toEqual(rows);
});

it('finds rows by words of the name and of the value, in any case', () => {
  expect(searchAttributes(rows, 'TOOLS look').map(({ name }) => name)).toEqual(['llm.tools.0.name']);
  expect(searchAttributes(rows, '  ')).toHaveLength(4);
  expect(searchAttributes(rows, 'nowhere')).toEqual([]);
});
