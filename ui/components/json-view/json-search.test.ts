import { expect, it } from 'vitest';
import { parseJson } from '#base/json';
import { allContainers, listRows, pathOf } from './json-rows.ts';
import { isRowOf, leafText, openAround, searchJson } from './json-search.ts';

const TREE = parseJson('{"Name":"cairn","items":[{"name":"stone","count":1},{"other":"Cairns"},12345678901234567890]}');

function paths(query: string): string[] {
  const rows = listRows(TREE, allContainers(TREE));
  return searchJson(TREE, query).flatMap((match) => rows.filter((row) => isRowOf(row, match)).map(pathOf));
}

it('finds keys and values in any letter case, in the order of the tree', () => {
  expect(paths('CAIRN')).toEqual(['Name', 'items[1].other']);
  expect(paths('name')).toEqual(['Name', 'items[0].name']);
  expect(paths('4567890')).toEqual(['items[2]']);
  expect(paths('')).toEqual([]);
});

it('opens just what hides a match', () => {
  const match = searchJson(TREE, 'cairn').at(-1);
  if (match === undefined) throw new Error('Nothing was found.');
  const open = openAround(match, new Set());
  expect(listRows(TREE, open).map(({ key }) => key)).toEqual([undefined, 'Name', 'items', 0, 1, 'other', 2]);
  expect(openAround(match, open)).toBe(open);
});

it('keeps every digit of a number', () => {
  expect(leafText(parseJson('12345678901234567890'))).toBe('12345678901234567890');
  expect(leafText(null)).toBe('null');
});
