/** Copies what is whole of a damaged data file into a new one. */
import { existsSync } from 'node:fs';
import { sql } from 'kysely';
import { AppError, errorMessage } from '#base/errors';
import { describeNewDatabase } from '../copy/copy-database.ts';
import type { TableShape } from '../dialect/table-shape.ts';
import type { WriteEngine } from '../engine/engine.ts';
import { MIGRATIONS } from '../migrations/list.ts';
import type { Tables } from '../schema/tables.ts';
import { continueRowIds } from '../queries/continue-row-ids.ts';
import { openSqliteReader, type SqliteConnection } from '../sqlite/connection.ts';
import { type LostRange, salvageAny, type SalvagedRow } from '../sqlite/salvage-table.ts';
import { openWriteEngine } from './open-engine.ts';

/** What became of a table. */
export interface SalvagedTable {
  readonly name: string;
  readonly rowCount: number;
  /** Rows that could not be read. */
  readonly lost: readonly LostRange[];
  /** Rows that were read, and are not what the table may hold, or refer to rows that are lost. */
  readonly refusedCount: number;
  /** Row ids that other tables lead to, and that were not found: where the id itself is damaged, no row can be told from others. */
  readonly missing: readonly number[];
}

/**
 * Copies table by table, row by row around damaged pages. What is derived is left out: a server makes it again. Neither file may be
 * in use; the source is not changed.
 * @throws AppError `failed_precondition` with what to do, or where the file is no database
 */
export async function salvageDataFile(sourcePath: string, targetPath: string): Promise<readonly SalvagedTable[]> {
  if (!existsSync(sourcePath)) throw new AppError('not_found', `There is no file ${sourcePath}.`);
  if (existsSync(targetPath)) throw new AppError('failed_precondition', `${targetPath} exists: name a new file.`);
  const source = openSource(sourcePath);
  try {
    assertSameSchema(source, sourcePath);
    const config = { engine: 'sqlite', path: targetPath, blockAboveBytes: null } as const;
    const target = await openWriteEngine(config, () => undefined);
    try {
      await target.prepare();
      return await copyTables(source, target);
    } finally {
      await target.close();
    }
  } finally {
    source.close();
  }
}

function openSource(path: string): SqliteConnection {
  try {
    return openSqliteReader(path);
  } catch (error) {
    throw new AppError('failed_precondition', `${path} cannot be read as a database: ${errorMessage(error)}.`);
  }
}

/** A file whose journal is damaged is taken for one of this version: rows that do not fit are refused one by one. */
function assertSameSchema(source: SqliteConnection, path: string): void {
  let applied: readonly { readonly name: string }[];
  try {
    applied = source.prepare('SELECT name FROM schema_migrations ORDER BY name').all([]) as { name: string }[];
  } catch {
    return;
  }
  if (applied.at(-1)?.name === MIGRATIONS.at(-1)?.name) return;
  throw new AppError(
    'failed_precondition',
    `${path} was written by another version of Cairn: salvage it with that one.`,
  );
}

async function copyTables(source: SqliteConnection, target: WriteEngine): Promise<readonly SalvagedTable[]> {
  const { tables } = await describeNewDatabase(target);
  await sql`PRAGMA foreign_keys = OFF`.execute(target.db);
  const standing = await target.db.selectFrom('jobs').selectAll().execute();
  for (const { name } of tables) await sql`DELETE FROM ${sql.table(name)}`.execute(target.db);
  const salvaged: SalvagedTable[] = [];
  for (const table of tables) {
    if (isDerived(table.name)) continue;
    salvaged.push(await copyTable(source, target, table));
  }
  // No id is given out twice, also where the row that says which is next is lost.
  await continueRowIds(target.db);
  // What a pass had verified is verified again in the new file.
  await target.db.deleteFrom('jobs').where('kind', '=', 'verification').execute();
  const kept = new Set((await target.db.selectFrom('jobs').select('kind').execute()).map(({ kind }) => kind));
  for (const { id: _id, ...job } of standing) {
    if (!kept.has(job.kind)) await target.db.insertInto('jobs').values(job).execute();
  }
  const orphans = await dropOrphans(target);
  const missing = await listMissingSpans(target);
  await sql`PRAGMA foreign_keys = ON`.execute(target.db);
  return salvaged.map((table) => {
    const orphanCount = orphans.get(table.name) ?? 0;
    return {
      ...table,
      rowCount: table.rowCount - orphanCount,
      refusedCount: table.refusedCount + orphanCount,
      missing: table.name === 'spans' ? missing.filter((rowId) => !isIn(table.lost, rowId)) : [],
    };
  });
}

/** Spans that have a place in a block, and no row; their places go. */
async function listMissingSpans({ db }: WriteEngine): Promise<readonly number[]> {
  const rows = await db
    .deleteFrom('span_locations')
    .where('span_row_id', 'not in', db.selectFrom('spans').select('id'))
    .returning('span_row_id')
    .execute();
  return rows.map((row) => row.span_row_id).toSorted((a, b) => a - b);
}

function isIn(ranges: readonly LostRange[], rowId: number): boolean {
  return ranges.some(({ from, to }) => rowId >= from && (to === null || rowId <= to));
}

/** Columns are built again by the server. */
function isDerived(table: string): boolean {
  return table.startsWith('span_segment');
}

async function copyTable(source: SqliteConnection, target: WriteEngine, table: TableShape): Promise<SalvagedTable> {
  const lost: LostRange[] = [];
  let [rowCount, refusedCount] = [0, 0];
  for (const part of salvageAny(source, table.name, table.key)) {
    if ('lost' in part) {
      lost.push(part.lost);
      continue;
    }
    const stored = await store(target, table, part.rows);
    rowCount += stored;
    refusedCount += part.rows.length - stored;
  }
  return { name: table.name, rowCount, lost, refusedCount, missing: [] };
}

/** Stores rows, and where one of them does not fit, each alone; returns how many were stored. */
async function store(target: WriteEngine, table: TableShape, rows: readonly SalvagedRow[]): Promise<number> {
  const whole = rows.map((row) =>
    Object.fromEntries(Object.entries(row).filter(([name]) => !table.computed.includes(name))),
  );
  try {
    await target.db.transaction().execute(() => target.bulkInsert(table.name as keyof Tables, whole));
    return whole.length;
  } catch {
    if (whole.length < 2) return 0;
    const middle = whole.length >> 1;
    return (await store(target, table, whole.slice(0, middle))) + (await store(target, table, whole.slice(middle)));
  }
}

/** Rows that refer to rows that are lost, until none does; how many by table. */
async function dropOrphans({ db }: WriteEngine): Promise<ReadonlyMap<string, number>> {
  const dropped = new Map<string, number>();
  for (;;) {
    const { rows } = await sql<{ readonly table: string; readonly rowid: number | null }>`
      SELECT DISTINCT "table", rowid FROM pragma_foreign_key_check WHERE rowid IS NOT NULL`.execute(db);
    if (rows.length === 0) return dropped;
    for (const { table, rowid } of rows) {
      await sql`DELETE FROM ${sql.table(table)} WHERE rowid = ${rowid}`.execute(db);
      dropped.set(table, (dropped.get(table) ?? 0) + 1);
    }
  }
}
