import { expect, it } from 'vitest';
import { completeAttributes, listDerived } from './derived-attributes.ts';

const ATTRIBUTES = { llm: { calls: [{ name: 'look' }], type: 'input_text' }, tags: ['x'] };

it('tells nothing where nothing was derived', () => {
  expect(listDerived({ attributes: ATTRIBUTES, reading: ATTRIBUTES })).toEqual({});
  expect(completeAttributes(ATTRIBUTES, {})).toBe(ATTRIBUTES);
});

it('tells what was added, changed and left out, from which the reading is made again', () => {
  const reading = { llm: { calls: [{ name: 'look', id: '1' }, { name: 'stop' }], model: 'm' }, tags: ['x', 'y'] };
  const derived = listDerived({ attributes: ATTRIBUTES, reading });
  expect(derived).toEqual({
    'llm.calls.0.id': '1',
    'llm.calls.1.name': 'stop',
    'llm.model': 'm',
    tags: ['x', 'y'],
    'llm.type': null,
  });
  expect(completeAttributes(ATTRIBUTES, derived)).toEqual(reading);
});
