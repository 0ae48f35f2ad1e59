/** Reads what can be read of a table in a file with damaged pages, in the order of its rows. */
import { isDamage } from '../engine/storage-error.ts';
import type { ColumnValue } from '../schema/column-value.ts';
import type { SqliteConnection } from './connection.ts';
import { isReadError } from './faults.ts';

/** A row that was read. */
export type SalvagedRow = Readonly<Record<string, ColumnValue>>;

/** Row ids from one to another, inclusive, that cannot be read; `null` for the rest of the table. */
export interface LostRange {
  readonly from: number;
  readonly to: number | null;
}

/** A part of a table. */
export type SalvagedPart = { readonly rows: readonly SalvagedRow[] } | { readonly lost: LostRange };

/** The parts of a table with row ids: where a row cannot be read, the next one is searched for by doubling and halving the distance. */
function* salvageTable(source: SqliteConnection, table: string, isLost: IsLost): Generator<SalvagedPart> {
  const select = (limit: number) =>
    source.prepare(`SELECT rowid AS "${ROWID}", * FROM "${table}" WHERE rowid >= ? ORDER BY rowid LIMIT ${limit}`);
  const read = (from: number, limit: number) => tryToRead(() => select(limit).all([from]), isLost);
  let limit = MAX_ROWS;
  for (let from = -(2 ** 53); ; ) {
    const rows = read(from, limit);
    if (rows === undefined && limit > 1) {
      limit = Math.ceil(limit / 4);
    } else if (rows === undefined) {
      const start = Math.max(from, 1);
      const next = findReadable(start, (rowId) => read(rowId, 1) !== undefined);
      yield { lost: { from: start, to: next === null ? null : next - 1 } };
      if (next === null) return;
      from = next;
    } else {
      if (rows.length > 0) yield { rows: rows.map(withoutRowId) };
      if (rows.length < limit) return;
      from = Number(rows.at(-1)?.[ROWID]) + 1;
      limit = Math.min(limit * 2, MAX_ROWS);
    }
  }
}

/** Whether what an error keeps from being read is lost. */
type IsLost = (error: unknown) => boolean;

/** The parts of a table, with row ids or without. */
export function salvageAny(
  source: SqliteConnection,
  table: string,
  key: readonly string[],
  isLost: IsLost = isDamage,
): Iterable<SalvagedPart> {
  const [row] = source.prepare('SELECT wr FROM pragma_table_list WHERE name = ?').all([table]) as { wr: number }[];
  return row?.wr === 1 ? salvageKeyed(source, table, key, isLost) : salvageTable(source, table, isLost);
}

/**
 * Copies the rows that can be read into a new table with the same columns, which replaces what an earlier attempt left; says whether any are
 * lost. In transactions of its own: an error of reading ends the one that is open.
 * @throws StorageError where the disk does not give a page: it may do so later, and the rows are still there
 */
export function salvageRows(connection: SqliteConnection, table: string, into: string): boolean {
  connection.exec(`DROP TABLE IF EXISTS "${into}"; CREATE TABLE "${into}" AS SELECT * FROM "${table}" LIMIT 0`);
  const key = connection.prepare('SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk').all([table]) as {
    name: string;
  }[];
  let isAnyLost = false;
  const names = key.map(({ name }) => name);
  for (const part of salvageAny(connection, table, names, (error) => isDamage(error) && !isReadError(error))) {
    if ('lost' in part) isAnyLost = true;
    else insertAll(connection, into, part.rows);
  }
  return isAnyLost;
}

function insertAll(connection: SqliteConnection, into: string, rows: readonly SalvagedRow[]): void {
  connection.exec('BEGIN IMMEDIATE');
  try {
    for (const row of rows) {
      const values = Object.values(row);
      connection.prepare(`INSERT INTO "${into}" VALUES (${values.map(() => '?').join(', ')})`).run(values);
    }
    connection.exec('COMMIT');
  } catch (error) {
    if (connection.inTransaction) connection.exec('ROLLBACK');
    throw error;
  }
}

/**
 * The parts of a table without row ids, in the order of its key. Behind a row that cannot be read, it goes on with the next readable number
 * in the first column of the key; where that is no number, from the end of the table back, and which rows are lost between cannot be said.
 */
export function* salvageKeyed(
  source: SqliteConnection,
  table: string,
  key: readonly string[],
  isLost: IsLost = isDamage,
): Generator<SalvagedPart> {
  const columns = key.map((column) => `"${column}"`);
  const keys = `(${columns.join(', ')})`;
  const read = ({ conditions, values }: Place, direction: Direction, limit: number) =>
    tryToRead(() => {
      const order = columns.map((column) => `${column} ${direction}`).join(', ');
      const text = `SELECT * FROM "${table}" WHERE ${conditions.join(' AND ')} ORDER BY ${order} LIMIT ${limit}`;
      return source.prepare(text).all(values);
    }, isLost);
  const beyond = ({ conditions, values }: Place, last: readonly ColumnValue[], direction: Direction): Place => ({
    conditions: [...conditions, `${keys} ${direction === 'ASC' ? '>' : '<'} (${key.map(() => '?').join(', ')})`],
    values: [...values, ...last],
  });
  /** Reads until the end, or until a row that cannot be read; returns the key before that row, if there is one. */
  function* readOn(start: Place, direction: Direction): Generator<SalvagedPart, CutShort | undefined> {
    let last: readonly ColumnValue[] | undefined;
    for (let limit = MAX_ROWS; ; ) {
      const rows = read(last === undefined ? start : beyond(start, last, direction), direction, limit);
      if (rows === undefined && limit === 1) return { last };
      if (rows === undefined) limit = Math.ceil(limit / 4);
      else {
        if (rows.length > 0) yield { rows };
        const end = rows.at(-1);
        if (end === undefined || rows.length < limit) return undefined;
        last = key.map((column) => end[column] ?? null);
        limit = Math.min(limit * 2, MAX_ROWS);
      }
    }
  }
  const from = (number: number): Place => ({ conditions: [`${columns[0]} >= ?`], values: [number] });
  const [first] = source.prepare('SELECT type FROM pragma_table_info(?) WHERE name = ?').all([table, key[0] ?? '']);
  const isNumbered = (first as { readonly type: string } | undefined)?.type === 'INTEGER';
  let start = EVERYWHERE;
  for (;;) {
    const cut = yield* readOn(start, 'ASC');
    if (cut === undefined) return;
    if (!isNumbered) {
      yield { lost: { from: 0, to: null } };
      yield* readOn(cut.last === undefined ? EVERYWHERE : beyond(EVERYWHERE, cut.last, 'ASC'), 'DESC');
      return;
    }
    const reached = Number(cut.last?.[0] ?? 0);
    const next = findReadable(reached, (number) => read(from(number), 'ASC', 1) !== undefined);
    yield { lost: { from: reached, to: next === null ? null : next - 1 } };
    if (next === null) return;
    start = from(next);
  }
}

type Direction = 'ASC' | 'DESC';

/** A part of a table. */
interface Place {
  readonly conditions: readonly string[];
  readonly values: readonly ColumnValue[];
}

const EVERYWHERE: Place = { conditions: ['TRUE'], values: [] };

/** The key of the last row before one that cannot be read. */
interface CutShort {
  readonly last: readonly ColumnValue[] | undefined;
}

/** Under which name a row id is read: a table may have a column of any other. */
const ROWID = 'salvaged row id';

const MAX_ROWS = 256;

/** Beyond so many ids a table ends: the writer gives them one after the other. */
const MAX_DISTANCE = 2 ** 40;

function findReadable(from: number, isReadable: (rowId: number) => boolean): number | null {
  let distance = 1;
  while (!isReadable(from + distance)) {
    distance *= 2;
    if (distance > MAX_DISTANCE) return null;
  }
  let [unreadable, readable] = [from + Math.floor(distance / 2), from + distance];
  while (readable - unreadable > 1) {
    const middle = Math.floor((unreadable + readable) / 2);
    if (isReadable(middle)) readable = middle;
    else unreadable = middle;
  }
  return readable;
}

/** `undefined` where rows are lost. */
function tryToRead(read: () => unknown[], isLost: IsLost): readonly SalvagedRow[] | undefined {
  try {
    return read() as SalvagedRow[];
  } catch (error) {
    if (isLost(error)) return undefined;
    throw error;
  }
}

function withoutRowId(row: SalvagedRow): SalvagedRow {
  const { [ROWID]: _rowId, ...rest } = row;
  return rest;
}
