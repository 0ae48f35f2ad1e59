/**
 * The ceiling: how fast SQLite takes the very rows that a run has written, when nothing else is done: no HTTP, no
 * decoding, no rules, no reads; a bare loop of prepared statements, with the same pragmas and the same sync.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { openSqliteWriter, type SqliteConnection } from '#store/sqlite/connection';
import { copySynced } from './copy-synced.ts';
import type { ColumnValue } from '#store/schema/column-value';

/** The tables that grow with spans, each with what tells its new rows. */
const TABLES = ['traces', 'sessions', 'spans', 'blocks', 'span_locations'] as const;

interface TableRows {
  readonly insert: string;
  readonly rows: readonly ColumnValue[][];
}

/**
 * Spans per second.
 * @param written the data file that a run has written
 * @param base what the run began with; `undefined` for an empty database
 * @param commitCount transactions that the rows are spread over
 */
export function measureCeiling(written: string, base: string | undefined, commitCount: number): number {
  const { schema, tables } = readNewRows(written, base);
  const folder = mkdtempSync(join(tmpdir(), 'cairn-ceiling-'));
  const path = join(folder, 'ceiling.db');
  if (base !== undefined) copySynced(base, path);
  const connection = openSqliteWriter(path);
  try {
    if (base === undefined) for (const statement of schema) connection.exec(statement);
    return insertRows(connection, tables, commitCount);
  } finally {
    connection.close();
    rmSync(folder, { recursive: true });
  }
}

function insertRows(connection: SqliteConnection, tables: readonly TableRows[], commitCount: number): number {
  const loops = tables.map(({ insert, rows }) => ({ statement: connection.prepare(insert), rows }));
  const spanCount = tables[TABLES.indexOf('spans')]?.rows.length ?? 0;
  const startedAt = performance.now();
  for (let commit = 0; commit < commitCount; commit++) {
    connection.exec('BEGIN IMMEDIATE');
    for (const { statement, rows } of loops) {
      const end = Math.floor((rows.length * (commit + 1)) / commitCount);
      for (let row = Math.floor((rows.length * commit) / commitCount); row < end; row++) {
        statement.run(rows[row] as ColumnValue[]);
      }
    }
    connection.exec('COMMIT');
  }
  return spanCount / ((performance.now() - startedAt) / 1000);
}

function readNewRows(written: string, base: string | undefined) {
  const database = new Database(written, { readonly: true });
  const before = base === undefined ? undefined : new Database(base, { readonly: true });
  try {
    const schema = database
      .prepare(
        `SELECT sql FROM sqlite_schema WHERE type IN ('table', 'index') AND sql IS NOT NULL
          AND tbl_name IN (${TABLES.map(() => '?').join(', ')}) ORDER BY rowid`,
      )
      .pluck()
      .all(...TABLES) as string[];
    const tables = TABLES.map((table): TableRows => {
      const columns = (database.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => name);
      const last = before?.prepare(`SELECT max(rowid) FROM ${table}`).pluck().get() ?? 0;
      const rows = database.prepare(`SELECT ${columns.join(', ')} FROM ${table} WHERE rowid > ? ORDER BY rowid`);
      return {
        insert: `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
        rows: rows.raw().all(last) as ColumnValue[][],
      };
    });
    return { schema, tables };
  } finally {
    database.close();
    before?.close();
  }
}
