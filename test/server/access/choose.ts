/** Who asks for an operation of the matrix: some of the principals, by turns that a day, or a setting, begins. */
import type { Principal } from './credentials.ts';
import type { Column, Row } from './declared.ts';

/** Columns of which the first may do nothing that the second may not. */
export const CONTAINED: readonly (readonly [Column, Column])[] = [
  ['none', 'pending'],
  ['pending', 'viewer'],
  ['viewer', 'member'],
  ['member', 'admin'],
  ['viewer key', 'viewer'],
  ['member key', 'member'],
  ['admin key', 'admin'],
  ['system key', 'member key'],
  ['read key', 'member key'],
  ['ingest key', 'member key'],
  ['own project', 'member key'],
  ['other project', 'own project'],
  ['admin secret', 'admin'],
];

/** The turn of the first operation: the day of the year, so that no cell is left out for good. `CAIRN_TEST_TURN` repeats another day's. */
export const FIRST_TURN = Number(process.env['CAIRN_TEST_TURN'] ?? dayOfYear(new Date()));

/** Chooses who asks for an operation, at its turn. */
export type Choose = (principals: readonly Principal[], turn: number, row: Row) => readonly Principal[];

/** One of each column, and of those who are nobody one of each kind; another one at each turn. */
export function oneOfEach(principals: readonly Principal[], turn: number): readonly Principal[] {
  const kinds = Map.groupBy(principals, ({ column, fault }) => fault ?? column);
  return [...kinds.values()].flatMap((alike) => oneAt(alike, turn));
}

/**
 * One of each column, if somebody in it has a cell that no other cell of the same role implies: the least that may and the most that may not.
 * A pending password and the limits of a key are rules of their own, which only who has the role for an operation shows to be missing. So
 * where administrators alone may, the pending account and the owners of the limited keys that ask are administrators. And one whose cell is
 * implied, and one who is nobody; others at each turn.
 */
export function onesAtBoundary(principals: readonly Principal[], turn: number, row: Row): readonly Principal[] {
  const known = principals.filter(({ fault }) => fault === null);
  const nobodies = principals.filter(({ fault }) => fault !== null);
  const implied = known.filter((one) => isImplied(row, one, known));
  const boundary = known.filter((one) => !implied.includes(one));
  return [...oneOfEach(boundary, turn), ...oneAt(implied, turn), ...oneAt(nobodies, turn)];
}

/** One whom the table allows the operation, another one at each turn. */
export function oneWhoMay(principals: readonly Principal[], turn: number, row: Row): readonly Principal[] {
  const alike = principals.filter(({ column }) => row[column]);
  return oneAt(alike, turn);
}

/** The turn-th of them, from the first again after the last. */
export function oneAt<T>(all: readonly T[], turn: number): readonly T[] {
  return all.slice(turn % all.length).slice(0, 1);
}

/** Whether, of those with the same role, one who may less may, too, or one who may more may not either. */
function isImplied(row: Row, { column, role }: Principal, known: readonly Principal[]): boolean {
  const columns = new Set(known.filter((other) => other.role === role).map((other) => other.column));
  return CONTAINED.some(([less, more]) =>
    row[column]
      ? more === column && columns.has(less) && row[less]
      : less === column && columns.has(more) && !row[more],
  );
}

/** From 1 to 366, in UTC. */
function dayOfYear(date: Date): number {
  return Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 0)) / 86_400_000);
}
