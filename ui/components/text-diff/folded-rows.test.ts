import { expect, it } from 'vitest';
import type { DiffRow } from '#ui/lib/diff/text-diff.ts';
import { foldEqualRows } from './folded-rows.ts';

const rows = (text: string): DiffRow[] => [...text].map((letter) => ({ isEqual: letter === '=' }));
const show = (text: string) =>
  foldEqualRows(rows(text)).map(({ type, start, rows: own }) => `${type} ${start}+${own.length}`);

it('equal rows are folded but for those beside a change', () => {
  expect(show('=====x======xx=')).toEqual(['fold 0+3', 'rows 3+12']);
  expect(show('x=======x')).toEqual(['rows 0+3', 'fold 3+3', 'rows 6+3']);
  expect(show('x======x')).toEqual(['rows 0+8']);
  expect(show('x=====')).toEqual(['rows 0+3', 'fold 3+3']);
  expect(show('====')).toEqual(['fold 0+4']);
  expect(show('')).toEqual([]);
});
