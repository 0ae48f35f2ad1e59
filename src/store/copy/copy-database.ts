/** Copies everything from one database to another, ids included; what was interrupted goes on where it was. */
import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { AppError } from '#base/errors';
import type { ReadEngine, WriteEngine } from '../engine/engine.ts';
import type { Tables } from '../schema/tables.ts';
import { type CopiedRow, keyOf, readTable, type RowKey } from './read-table.ts';
import type { TableShape } from '../dialect/table-shape.ts';
import { MIGRATIONS } from '../migrations/list.ts';
import { listCopiedTables, PROGRESS, rowsOfStart } from './tables.ts';

/** What rows are put into. */
export type CopyTarget = ReadEngine & Pick<WriteEngine, 'bulkInsert'>;

/** What is told while it goes on. */
export interface CopyWatcher {
  /** After each batch. */
  readonly onProgress: (table: string, rowCount: number) => void;
  /** Ends it between two batches. */
  readonly signal: AbortSignal;
}

/** What was copied: rows by table, of each as many here as there, and the same. */
export interface CopyReport {
  readonly rowCounts: Readonly<Record<string, number>>;
}

/** Whether a copy into the database was begun and not finished. */
export async function isCopyUnfinished({ db, dialect }: ReadEngine): Promise<boolean> {
  return dialect.hasTable(db, PROGRESS);
}

/** What a new database holds: the tables that are copied, and how many rows the migrations put into each. */
export interface NewDatabase {
  readonly tables: readonly TableShape[];
  readonly rowCounts: Readonly<Record<string, number>>;
}

/** Reads it from an SQLite database that was just made. */
export async function describeNewDatabase(fresh: ReadEngine): Promise<NewDatabase> {
  const tables = await listCopiedTables(fresh);
  const rowCounts: Record<string, number> = {};
  for (const { name } of tables) rowCounts[name] = await countRows(fresh, name);
  return { tables, rowCounts };
}

/**
 * Copies. Both are at the schema of this version, nobody writes into either, and the target is empty but for what a new one has.
 * @throws AppError `failed_precondition` where the target has data, or another version began the copy; `internal` where the copy
 * differs from the original
 */
export async function copyDatabase(
  source: ReadEngine,
  target: CopyTarget,
  made: NewDatabase,
  watcher: CopyWatcher,
): Promise<CopyReport> {
  const { tables } = made;
  await begin(target, made);
  const rowCounts: Record<string, number> = {};
  for (const table of tables) await copyTable(source, target, table, watcher);
  for (const table of tables) rowCounts[table.name] = await compareTable(source, target, table, watcher);
  for (const { name } of tables) await target.dialect.analyze(target.db, name);
  for (const { name, isSelfNumbered } of await target.dialect.listTables(target.db)) {
    if (isSelfNumbered && name in rowCounts) await target.dialect.continueNumbers(target.db, name);
  }
  await sql`DROP TABLE ${sql.table(PROGRESS)}`.execute(target.db);
  return { rowCounts };
}

async function begin(target: CopyTarget, { tables, rowCounts }: NewDatabase): Promise<void> {
  if (await isCopyUnfinished(target)) return assertSameVersion(target);
  for (const { name } of tables) {
    if ((await countRows(target, name)) <= (rowCounts[name] ?? 0) + rowsOfStart(name)) continue;
    throw new AppError('failed_precondition', 'The target already contains data: name an empty database.');
  }
  await target.db.transaction().execute(async (db) => {
    // What a new database has is what the source has instead; rows go before those that they refer to.
    for (const { name } of tables.toReversed()) await sql`DELETE FROM ${sql.table(name)}`.execute(db);
    // How far each table is copied: its last key, as JSON.
    await sql
      .raw(target.dialect.define(`CREATE TABLE ${PROGRESS} (table_name TEXT PRIMARY KEY, last_key TEXT NOT NULL)`))
      .execute(db);
    await sql`INSERT INTO ${sql.table(PROGRESS)} VALUES (${VERSION}, ${LATEST})`.execute(db);
  });
}

/** A newer version has changed the target meanwhile: what it put there stands beside what was copied. */
async function assertSameVersion(target: CopyTarget): Promise<void> {
  const { rows } = await sql<{ last_key: string }>`
    SELECT last_key FROM ${sql.table(PROGRESS)} WHERE table_name = ${VERSION}`.execute(target.db);
  if (rows[0]?.last_key === LATEST) return;
  throw new AppError(
    'failed_precondition',
    'Another version of Cairn began this copy: empty the target database, and copy again.',
  );
}

/** The row of the progress that says which schema the copy was begun with. */
const VERSION = 'schema_migrations';
const LATEST = MIGRATIONS.at(-1)?.name ?? '';

/** Rows of a table that should have next to none. */
async function countRows({ db }: Pick<ReadEngine, 'db'>, table: string): Promise<number> {
  const { rows } = await sql`SELECT 1 AS one FROM ${sql.table(table)} LIMIT 1000`.execute(db);
  return rows.length;
}

async function copyTable(
  source: ReadEngine,
  target: CopyTarget,
  table: TableShape,
  { onProgress, signal }: CopyWatcher,
): Promise<void> {
  for await (const rows of readTable(source, table, await readProgress(target, table))) {
    await pause(signal);
    const last = rows[rows.length - 1] as CopiedRow;
    await target.db.transaction().execute(async (db) => {
      await target.bulkInsert(table.name as keyof Tables, rows);
      const key = JSON.stringify(keyOf(table, last));
      await sql`INSERT INTO ${sql.table(PROGRESS)} (table_name, last_key) VALUES (${table.name}, ${key})
        ON CONFLICT (table_name) DO UPDATE SET last_key = excluded.last_key`.execute(db);
    });
    onProgress(table.name, rows.length);
  }
}

async function readProgress({ db }: CopyTarget, { name }: TableShape): Promise<RowKey | null> {
  const { rows } = await sql<{ last_key: string }>`
    SELECT last_key FROM ${sql.table(PROGRESS)} WHERE table_name = ${name}`.execute(db);
  return rows[0] === undefined ? null : (JSON.parse(rows[0].last_key) as RowKey);
}

/** Reads both once more; returns how many rows there are. */
async function compareTable(
  source: ReadEngine,
  target: CopyTarget,
  table: TableShape,
  { signal }: CopyWatcher,
): Promise<number> {
  const [original, copy] = [await digestTable(source, table, signal), await digestTable(target, table, signal)];
  if (original.digest === copy.digest) return original.rowCount;
  throw new AppError(
    'internal',
    `The copy of the table ${table.name} differs from the original: it has ${copy.rowCount} rows instead of ${original.rowCount}. Copy again, into an empty database, while no server uses either database.`,
  );
}

async function digestTable(
  engine: ReadEngine,
  table: TableShape,
  signal: AbortSignal,
): Promise<{ readonly digest: string; readonly rowCount: number }> {
  const hash = createHash('sha256');
  let rowCount = 0;
  for await (const rows of readTable(engine, table, null)) {
    await pause(signal);
    rowCount += rows.length;
    for (const row of rows) {
      // In one order, whatever order the columns were added in.
      for (const column of Object.keys(row).sort()) {
        const value = row[column];
        const bytes = value instanceof Uint8Array ? value : Buffer.from(JSON.stringify(value));
        hash.update(`${column}:${bytes.length}:`).update(bytes);
      }
    }
  }
  return { digest: hash.digest('hex'), rowCount };
}

/** A file is read without ever waiting: whoever wants it to end must be heard between two batches. */
async function pause(signal: AbortSignal): Promise<void> {
  await nextTurn();
  signal.throwIfAborted();
}
