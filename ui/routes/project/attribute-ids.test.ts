import { expect, it } from 'vitest';
import { attributeColumnId, MAX_ATTRIBUTE_COLUMNS, pathOfColumn, readPaths } from './attribute-ids.ts';

it('keeps paths of attributes, whatever became of what the browser has kept', () => {
  expect(readPaths(['a.b', 'a.b', '', 3, 'x'.repeat(201), 'c'])).toEqual(['a.b', 'c']);
  expect(readPaths(Array.from({ length: 40 }, (_, place) => `p${place}`))).toHaveLength(MAX_ATTRIBUTE_COLUMNS);
  expect(readPaths({ 0: 'a' })).toBeUndefined();
});

it('tells columns for attributes from others', () => {
  expect(pathOfColumn(attributeColumnId('llm.provider'))).toBe('llm.provider');
  expect(pathOfColumn('input')).toBeUndefined();
});
