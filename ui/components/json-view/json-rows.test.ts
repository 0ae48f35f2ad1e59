import { describe, expect, it } from 'vitest';
import { type JsonValue, parseJson } from '#base/json';
import { allContainers, linesBelow, listRows, MAX_ROW_LINES, openWithin, pathOf } from './json-rows.ts';

const TREE = parseJson('{"list":[1,{"deep":{"x":true}}],"odd key":null,"big":12345678901234567890}');

const shown = (root: JsonValue, open: ReturnType<typeof openWithin>) =>
  listRows(root, open).map((row) => `${' '.repeat(row.depth)}${row.key ?? '$'}`);

describe('the rows of a tree', () => {
  it('are the root alone where nothing is open', () => {
    expect(shown(TREE, new Set())).toEqual(['$']);
    expect(shown('text', new Set())).toEqual(['$']);
  });

  it('are everything in its order where all is open', () => {
    expect(shown(TREE, allContainers(TREE))).toEqual([
      '$',
      ' list',
      '  0',
      '  1',
      '   deep',
      '    x',
      ' odd key',
      ' big',
    ]);
  });

  it('are as many levels as have room at first, and the first level always', () => {
    expect(shown(TREE, openWithin(TREE, 6))).toEqual(['$', ' list', '  0', '  1', ' odd key', ' big']);
    expect(shown(TREE, openWithin(TREE, 2))).toEqual(['$', ' list', ' odd key', ' big']);
  });

  it('know their path', () => {
    const paths = listRows(TREE, allContainers(TREE)).map(pathOf);
    expect(paths).toEqual(['', 'list', 'list[0]', 'list[1]', 'list[1].deep', 'list[1].deep.x', '["odd key"]', 'big']);
  });

  it('of a tree as deep as text can tell are listed without a limit of the stack', () => {
    let deep: JsonValue = 1;
    for (let level = 0; level < 50_000; level++) deep = [deep];
    expect(listRows(deep, allContainers(deep))).toHaveLength(50_001);
  });
});

it('a row has lines below it where its text breaks, and no more than are drawn', () => {
  const value: JsonValue = ['one', 'one\n', 'one\ntwo', 'x\n'.repeat(1000), 7];
  const below = listRows(value, allContainers(value)).slice(1).map(linesBelow);
  expect(below).toEqual([0, 0, 2, MAX_ROW_LINES, 0]);
});
