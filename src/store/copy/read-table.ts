/** Reads a table from one end to the other, in the order of its key, a bounded number of bytes at a time. */
import { sql } from 'kysely';
import type { ColumnValue } from '../schema/column-value.ts';
import type { ReadEngine } from '../engine/engine.ts';
import type { TableShape } from '../dialect/table-shape.ts';

/** A row without what the database works out itself. */
export type CopiedRow = Readonly<Record<string, ColumnValue>>;

/** The values of its key. */
export type RowKey = readonly ColumnValue[];

/** Rows after a key, batch by batch. */
export async function* readTable(
  { db }: Pick<ReadEngine, 'db'>,
  { name, key, computed }: Pick<TableShape, 'name' | 'key' | 'computed'>,
  after: RowKey | null,
): AsyncGenerator<readonly CopiedRow[]> {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  let limit = FIRST_ROWS;
  for (let last = after; ; ) {
    const beyond = last === null ? sql`` : sql`WHERE (${columns}) > (${sql.join(last)})`;
    const { rows } = await sql<Record<string, ColumnValue>>`
      SELECT * FROM ${sql.table(name)} ${beyond} ORDER BY ${columns} LIMIT ${sql.lit(limit)}`.execute(db);
    if (rows.length === 0) return;
    for (const row of rows) for (const column of computed) delete row[column];
    yield rows;
    if (rows.length < limit) return;
    last = keyOf({ key }, rows[rows.length - 1] as CopiedRow);
    limit = nextLimit(rows);
  }
}

/** The key of a row. */
export function keyOf({ key }: Pick<TableShape, 'key'>, row: CopiedRow): RowKey {
  return key.map((column) => row[column] as ColumnValue);
}

const FIRST_ROWS = 64;
const MAX_ROWS = 4000;
const BATCH_BYTES = 8 * 1024 * 1024;

/** Rows of a table differ much in size, but rarely from one to the next. */
function nextLimit(rows: readonly CopiedRow[]): number {
  const bytes = rows.reduce((sum, row) => sum + sizeOf(row), 0);
  return Math.max(1, Math.min(MAX_ROWS, 4 * rows.length, Math.floor((rows.length * BATCH_BYTES) / bytes)));
}

function sizeOf(row: CopiedRow): number {
  let bytes = 0;
  for (const value of Object.values(row)) {
    bytes += typeof value === 'string' || value instanceof Uint8Array ? value.length : 8;
  }
  return bytes;
}
