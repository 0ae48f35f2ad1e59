import { expect, it } from 'vitest';
import { openSqlite } from './connection.ts';

function quantile(values: readonly (number | null)[], probability: number): unknown {
  const connection = openSqlite(':memory:', { readOnly: false });
  const statement = connection.prepare('SELECT quantile(value, ?) AS answer FROM json_each(?)');
  const [row] = statement.all([probability, JSON.stringify(values)]) as { answer: unknown }[];
  connection.close();
  return row?.answer;
}

it.each([
  [0, 10],
  [1, 40],
  [0.5, 25],
  [0.1, 13],
])('at %s lies between the nearest values', (probability, expected) => {
  expect(quantile([40, 10, 30, 20], probability)).toBeCloseTo(expected, 10);
});

it('counts no nulls, and is null without values', () => {
  expect(quantile([null, 7, null], 0.9)).toBe(7);
  expect(quantile([null], 0.5)).toBeNull();
  expect(quantile([], 0.5)).toBeNull();
});

it('takes more values than fit at first, and tells large ones apart', () => {
  const values = Array.from({ length: 5001 }, (_, index) => 2 ** 52 + index);
  expect(quantile(values, 0.5)).toBe(2 ** 52 + 2500);
});

it.each([
  [0, 10],
  [1.5, 25],
  [3, 40],
  [3.000001, 40],
  [-1, 10],
])('at the place %s lies between the nearest values', (place, expected) => {
  const connection = openSqlite(':memory:', { readOnly: false });
  const statement = connection.prepare('SELECT value_at(value, ?) AS answer FROM json_each(?)');
  expect(statement.all([place, '[40,10,null,30,20]'])).toEqual([{ answer: expected }]);
  connection.close();
});
