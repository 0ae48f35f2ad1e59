/** Reads what can be read of a table in a file with damaged pages, in the order of its rows. */
import { StorageError } from '../engine/storage-error.ts';
import type { ColumnValue } from '../schema/column-value.ts';
import type { SqliteConnection } from './connection.ts';

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
export function* salvageTable(source: SqliteConnection, table: string): Generator<SalvagedPart> {
  const select = (limit: number) =>
    source.prepare(`SELECT rowid AS "${ROWID}", * FROM "${table}" WHERE rowid >= ? ORDER BY rowid LIMIT ${limit}`);
  const read = (from: number, limit: number) => tryToRead(() => select(limit).all([from]));
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

/** The rows of a table without row ids, from both of its ends; which are lost between cannot be said. */
export function salvageKeyed(source: SqliteConnection, table: string, key: readonly string[]): readonly SalvagedPart[] {
  const order = (direction: string) => key.map((column) => `"${column}" ${direction}`).join(', ');
  const found = new Map<string, SalvagedRow>();
  let isWhole = true;
  for (const direction of ['ASC', 'DESC']) {
    for (let offset = 0; ; offset++) {
      const text = `SELECT * FROM "${table}" ORDER BY ${order(direction)} LIMIT 1 OFFSET ${offset}`;
      const rows = tryToRead(() => source.prepare(text).all([]));
      if (rows === undefined) isWhole = false;
      const [row] = rows ?? [];
      if (row === undefined) break;
      found.set(JSON.stringify(key.map((column) => row[column])), row);
    }
    if (isWhole) break;
  }
  const part = { rows: [...found.values()] };
  return isWhole ? [part] : [part, { lost: { from: 0, to: null } }];
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

/** `undefined` where pages are damaged. */
function tryToRead(read: () => unknown[]): readonly SalvagedRow[] | undefined {
  try {
    return read() as SalvagedRow[];
  } catch (error) {
    if (error instanceof StorageError && error.fault === 'damaged') return undefined;
    throw error;
  }
}

function withoutRowId(row: SalvagedRow): SalvagedRow {
  const { [ROWID]: _rowId, ...rest } = row;
  return rest;
}
