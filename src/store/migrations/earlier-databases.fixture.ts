/** Databases at an earlier version, and what is in them. */
import { type RawBuilder, sql } from 'kysely';
import { onTestFinished } from 'vitest';
import type { TestDatabase } from '../../../test/harness/postgres/databases.ts';
import { postgresDialect } from '../dialect/postgres.ts';
import { sqliteDialect } from '../dialect/sqlite.ts';
import type { StoredRow, TestEngine } from '../engine/test-engine.fixture.ts';
import type { MigrateOptions } from './migrate.ts';
import { openPostgresReadEngine, openPostgresWriteEngine } from '../postgres/engine.ts';
import type { PostgresAddress } from '../engine/postgres-address.ts';
import { preparePostgres } from '../postgres/prepare.ts';
import { openSqliteWriter } from '../sqlite/connection.ts';
import { sqliteEngineOn } from '../sqlite/engine.ts';
import { prepareDataFile } from '../sqlite/prepare.ts';
import { fillAsOf } from './earlier-rows.fixture.ts';
import { MIGRATIONS } from './list.ts';

/** Where a database is: a file, or an address. */
export type Place = { readonly path: string } | { readonly address: PostgresAddress };

/** A database that a test migrates; removed when that ends. */
export interface MigratedDatabase extends Pick<TestEngine, 'db' | 'dialect'> {
  readonly exec: (statement: string) => Promise<void>;
  readonly place: Place;
  migrate(options?: MigrateOptions): Promise<readonly string[]>;
  /** All rows of all tables but the journal, in the order of their keys, without the words of earlier versions. */
  rows(): Promise<Content>;
}

/** By table. */
export type Content = Readonly<Record<string, readonly StoredRow[]>>;

/** Makes a file, or nothing but memory. */
export async function makeSqliteDatabase(path = ':memory:'): Promise<MigratedDatabase> {
  const connection = openSqliteWriter(path);
  onTestFinished(() => connection.close());
  const { db } = sqliteEngineOn(connection);
  const tables = sql<NameRow>`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
    AND name NOT LIKE 'search_index%' ORDER BY name`;
  return {
    db,
    dialect: sqliteDialect,
    place: { path },
    exec: async (statement) => connection.exec(statement),
    migrate: (options) => prepareDataFile(connection, db, options),
    rows: () => readRows(db, tables),
  };
}

/** Makes one in a schema of its own. */
export async function makePostgresDatabase({
  address: { database, ...server },
}: TestDatabase): Promise<MigratedDatabase> {
  made += 1;
  const address = { ...server, database, schema: `earlier_${made}` };
  const options = { address, dialect: postgresDialect, serverId: 'test', blockAboveBytes: null };
  const engine = openPostgresWriteEngine({ ...options, prepare: async () => undefined });
  onTestFinished(() => engine.close());
  const tables = sql<NameRow>`SELECT tablename::text COLLATE "C" AS name FROM pg_tables
    WHERE schemaname = current_schema() AND tablename NOT IN ('search_index', 'write_turn', 'record_turn') ORDER BY 1`;
  return {
    db: engine.db,
    dialect: postgresDialect,
    place: { address },
    exec: async (statement) => void (await engine.run(statement, [])),
    migrate: (migrating) => preparePostgres(address, migrating),
    rows: async () => {
      // A statement that is prepared keeps the columns that there were.
      const reader = openPostgresReadEngine(address, postgresDialect);
      try {
        return await readRows(reader.db, tables);
      } finally {
        await reader.close();
      }
    },
  };
}

let made = 0;

/** Brings a new database to an earlier version, with what servers of that version leave. */
export async function makeAsOf(versions: number, database: MigratedDatabase): Promise<MigratedDatabase> {
  await database.migrate({ migrations: MIGRATIONS.slice(0, versions) });
  await fillAsOf(versions, database);
  return database;
}

/** When something was done is another time each time. */
const TIMES = /^(applied|created|updated|started)_at_us$/;

interface NameRow {
  readonly name: string;
}

async function readRows(db: TestEngine['db'], tables: RawBuilder<NameRow>): Promise<Content> {
  const content: Record<string, readonly StoredRow[]> = {};
  for (const { name } of (await tables.execute(db)).rows) {
    if (name === 'schema_migrations') continue;
    // There are tables of one column.
    const { rows } = await sql<StoredRow>`SELECT t.*, 0 AS zero FROM ${sql.table(name)} AS t ORDER BY 1, 2`.execute(db);
    content[name] = rows.map(toComparable);
  }
  return content;
}

/** Bytes as text, columns in the order of their names, and the time of now as a word. */
function toComparable(row: StoredRow): StoredRow {
  return Object.fromEntries(
    Object.entries(row)
      .filter(([name]) => name !== 'zero')
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) => [
        name,
        value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : isNow(name, value) ? 'now' : value,
      ]),
  );
}

function isNow(name: string, value: unknown): boolean {
  return TIMES.test(name) && Math.abs(Number(value) / 1000 - Date.now()) < 600_000;
}
