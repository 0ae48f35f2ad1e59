/** Compares rows with the entries of their indexes in short steps, where `integrity_check` would read everything at once. */
import type { TableCheck, TableFinding, TablePlace } from '../engine/table-check.ts';
import { isDamage } from '../engine/storage-error.ts';
import type { SqliteConnection } from './connection.ts';
import { type IndexShape, readIndexes } from './index-shapes.ts';

/** Checks the next rows, in the order of tables and row ids. A table without row ids is checked at once, except for large ones. */
export function checkTables(connection: SqliteConnection, place: TablePlace | null): TableCheck {
  const tables = readTables(connection);
  const at = place === null ? 0 : tables.findIndex(({ name }) => name === place.table);
  const table = tables[at];
  if (table === undefined) return { next: null, findings: [] };
  const following = tables[at + 1];
  const nextTable = following === undefined ? null : { table: following.name, after: FIRST };
  if (table.wr === 1) return { next: nextTable, findings: checkKeyed(connection, table.name) };
  const { last, findings } = checkRows(connection, table.name, place?.after ?? FIRST);
  return { next: last === null ? nextTable : { table: table.name, after: last }, findings };
}

const FIRST = 0;

interface TableRow {
  readonly name: string;
  /** 1 where it has no row ids. */
  readonly wr: number;
}

/** Those that grow with every trace come last: damage of the others, which every request may need, is named within seconds. */
function readTables(connection: SqliteConnection): readonly TableRow[] {
  return connection
    .prepare(
      `SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'
       ORDER BY name IN (SELECT value FROM json_each(?)), name`,
    )
    .all([JSON.stringify(GROWING)]) as TableRow[];
}

const GROWING = [
  'block_pieces',
  'blocks',
  'log_record_blocks',
  'log_records',
  'search_leaves',
  'search_spans',
  'search_spans_of_trace',
  'sessions',
  'span_links',
  'span_locations',
  'span_segment_columns',
  'spans',
  'traces',
];

/** It holds contents, which those who read spans verify. */
const PIECES = 'block_pieces';
/** Some tenths of a second. */
const MAX_KEYED_ROWS = 100_000;

/** Pages, rows and entries, all at once. */
function checkKeyed(connection: SqliteConnection, table: string): readonly TableFinding[] {
  if (table === PIECES) return [];
  const problems = tryToRead(() => {
    const [rows] = connection
      .prepare(`SELECT count(*) AS "count" FROM (SELECT 1 FROM "${table}" LIMIT ${MAX_KEYED_ROWS + 1})`)
      .all([]) as { count: number }[];
    if ((rows?.count ?? 0) > MAX_KEYED_ROWS) return [];
    const found = connection.prepare(`PRAGMA integrity_check("${table}")`).all([]) as { integrity_check: string }[];
    return found.map((row) => row.integrity_check).filter((problem) => problem !== 'ok');
  }) ?? [UNREADABLE];
  const indexes = Map.groupBy(problems, (problem) => OF_INDEX.exec(problem)?.[1] ?? null);
  return [...indexes].map(([index, found]) => {
    // Where there is an entry for each row, those that lead to none are in question alone.
    const isAnyMissing = found.some((problem) => problem.startsWith('row '));
    const shapes = isAnyMissing ? readIndexes(connection, table) : [];
    const unconfirmed = shapes.find(({ name }) => name === index)?.terms ?? [];
    return { table, index, rowIds: [], unconfirmed, isSmall: true };
  });
}

const UNREADABLE = 'its pages cannot be read';
const OF_INDEX = /^(?:row \d+ missing from|wrong # of entries in) index (\w+)$/;

/** A fraction of a second, also where there are many indexes. */
const ROWS_A_STEP = 300;
/** Making an index of so many rows again takes about a second. */
const SMALL_ROWS = 1_000_000;

function checkRows(connection: SqliteConnection, table: string, after: number) {
  const findings: TableFinding[] = [];
  const bounds = tryToRead(() => {
    const [row] = connection
      .prepare(
        `SELECT max("row_id") AS "last", count(*) AS "count", (SELECT max(rowid) FROM "${table}") AS "end"
         FROM (SELECT rowid AS "row_id" FROM "${table}" NOT INDEXED WHERE rowid > ? ORDER BY rowid LIMIT ${ROWS_A_STEP})`,
      )
      .all([after]) as { last: number | null; count: number; end: number | null }[];
    return row;
  });
  // Behind pages that cannot be read, ids are as good as any other bound.
  const last = bounds === undefined ? after + ROWS_A_STEP : (bounds.last ?? after);
  const end = bounds?.end ?? tryToRead(() => readEnd(connection, table)) ?? last;
  const of = { table, isSmall: end < SMALL_ROWS };
  const range = [after, last];
  if (bounds === undefined || !isReadable(connection, table, range)) {
    findings.push({ ...of, index: null, rowIds: [], unconfirmed: [] });
  } else if (last > after) {
    findings.push(...checkIndexes(connection, of, range));
  }
  const isOver = last <= after || last >= end;
  if (isOver && findings.length === 0 && end <= MAX_COUNTED_ROWS) findings.push(...countEntries(connection, of));
  return { last: isOver ? null : last, findings };
}

/** Some milliseconds. */
const MAX_COUNTED_ROWS = 10_000;

/** Indexes with entries that lead to no row: each row has one, and there are more. */
function countEntries(
  connection: SqliteConnection,
  of: Pick<TableFinding, 'table' | 'isSmall'>,
): readonly TableFinding[] {
  return readIndexes(connection, of.table).flatMap(({ name, condition }) => {
    const where = condition === null ? '' : ` WHERE ${condition}`;
    const isSame = tryToRead(() => {
      const [row] = connection
        .prepare(
          // count(*) would take any index.
          `SELECT (SELECT total(1) FROM "${of.table}" INDEXED BY "${name}"${where})
             = (SELECT total(1) FROM "${of.table}" NOT INDEXED${where}) AS "is_same"`,
        )
        .all([]) as { is_same: number }[];
      return row?.is_same === 1;
    });
    return isSame === true ? [] : [{ ...of, index: name, rowIds: [], unconfirmed: [] }];
  });
}

function readEnd(connection: SqliteConnection, table: string): number {
  const [row] = connection.prepare(`SELECT coalesce(max(rowid), 0) AS "end" FROM "${table}"`).all([]) as {
    end: number;
  }[];
  return row?.end ?? 0;
}

/** Reads all of the rows, one at a time. */
function isReadable(connection: SqliteConnection, table: string, range: readonly number[]): boolean {
  const columns = connection.prepare('SELECT name FROM pragma_table_info(?)').all([table]) as { name: string }[];
  const each = columns.map(({ name }) => `length(max("${name}"))`).join(', ');
  const text = `SELECT ${each} FROM "${table}" NOT INDEXED WHERE rowid > ? AND rowid <= ?`;
  return tryToRead(() => connection.prepare(text).all([...range])) !== undefined;
}

function checkIndexes(
  connection: SqliteConnection,
  of: Pick<TableFinding, 'table' | 'isSmall'>,
  range: readonly number[],
): readonly TableFinding[] {
  const checked = readIndexes(connection, of.table).map((index) => ({
    index,
    missing: tryToRead(() => findMissing(connection, of.table, index, range)),
  }));
  return checked
    .filter(({ missing }) => missing === undefined || missing.length > 0)
    .map(({ index, missing }) => {
      const rowIds = missing ?? [];
      // Where pages of an index cannot be read, its rows are not in question.
      const confirming = checked.filter(
        (other) => other.missing !== undefined && !other.missing.some((rowId) => rowIds.includes(rowId)),
      );
      const confirmed = new Set(
        confirming.flatMap((other) => (other.index.condition === null ? other.index.columns : [])),
      );
      const unconfirmed = missing === undefined ? [] : index.columns.filter((column) => !confirmed.has(column));
      const hasTwin = tryToRead(() => isAnyTwice(connection, of.table, index, rowIds)) ?? false;
      return { ...of, index: index.name, rowIds, unconfirmed, hasTwin };
    });
}

/** Whether a unique index leads to another row with what one of these has. */
function isAnyTwice(
  connection: SqliteConnection,
  table: string,
  { name, terms, condition, isUnique }: IndexShape,
  rowIds: readonly number[],
): boolean {
  if (!isUnique || rowIds.length === 0) return false;
  const where = condition === null ? '' : ` AND (${condition})`;
  const keys = terms.map((term, place) => `, (${term}) AS "key_${place}"`).join('');
  const isSame = terms.map((term, place) => `(${term}) = "checked"."key_${place}" AND `).join('');
  const twins = connection
    .prepare(
      `SELECT 1 FROM (
         SELECT rowid AS "row_id"${keys} FROM "${table}" NOT INDEXED WHERE rowid IN (SELECT value FROM json_each(?))
       ) AS "checked" WHERE EXISTS (
         SELECT 1 FROM "${table}" INDEXED BY "${name}" WHERE ${isSame}rowid <> "checked"."row_id"${where}) LIMIT 1`,
    )
    .all([JSON.stringify(rowIds)]);
  return twins.length > 0;
}

/** Rows of the range which the index does not lead to. */
function findMissing(
  connection: SqliteConnection,
  table: string,
  { name, terms, condition }: IndexShape,
  range: readonly number[],
): readonly number[] {
  const where = condition === null ? '' : ` AND (${condition})`;
  const keys = terms.map((term, place) => `, (${term}) AS "key_${place}"`).join('');
  const isSame = terms.map((term, place) => `(${term}) IS "checked"."key_${place}" AND `).join('');
  const rows = connection
    .prepare(
      `SELECT "checked"."row_id" FROM (
         SELECT rowid AS "row_id"${keys} FROM "${table}" NOT INDEXED WHERE rowid > ? AND rowid <= ?${where}
       ) AS "checked" WHERE NOT EXISTS (
         SELECT 1 FROM "${table}" INDEXED BY "${name}" WHERE ${isSame}rowid = "checked"."row_id"${where})`,
    )
    .all([...range]) as { row_id: number }[];
  return rows.map((row) => row.row_id);
}

function tryToRead<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch (error) {
    if (isDamage(error)) return undefined;
    throw error;
  }
}
