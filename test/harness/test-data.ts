/** Where a test's server keeps its data: a file in the server's folder, or a database of its own where the run is for PostgreSQL. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { MIGRATED } from '../../src/store/engine/open-postgres-test-engine.fixture.ts';
import { sessionOn } from '../../src/store/postgres/open-session.fixture.ts';
import { placeDataFile } from '../../src/store/sqlite/migrated-image.fixture.ts';
import { Gate } from '#base/gate';
import type { PostgresAddress } from '#store/engine/postgres-address';
import { createTestDatabase } from './postgres/databases.ts';
import { TEST_ENGINE } from './test-engine.ts';

/** A row as the engine gives it; numbers are numbers. */
export type StoredRow = Readonly<Record<string, unknown>>;

/** The data of one server. */
export interface TestData {
  /** Settings that name it, without their prefix. */
  readonly settings: Readonly<Record<string, string>>;
  /** What a query finds, while the server runs, too. */
  rows(query: string): Promise<readonly StoredRow[]>;
  /** Changes what is stored behind the server's back, while it runs. */
  change(statement: string): Promise<void>;
  remove(): Promise<void>;
}

/** Makes it, unless the settings of the server name it; the folder is the server's. */
export function createTestData(folder: string, settings: Readonly<Record<string, string>> = {}): Promise<TestData> {
  const isNamed = 'SQL_DATABASE_URL' in settings;
  if (TEST_ENGINE === 'postgres' && !isNamed) return createPostgresData();
  return fileIn(folder, isNamed);
}

/** A file that has the schema already, as databases on PostgreSQL do, unless there is one, no folder for it, or data elsewhere. */
async function fileIn(folder: string, isElsewhere: boolean): Promise<TestData> {
  const path = join(folder, 'cairn.db');
  if (!isElsewhere && existsSync(folder)) await placeDataFile(path);
  return {
    settings: {},
    rows: async (query) => {
      const database = new Database(path, { readonly: true });
      try {
        return database.prepare(query).all() as StoredRow[];
      } finally {
        database.close();
      }
    },
    change: async (statement) => {
      const database = new Database(path);
      try {
        database.exec(statement);
      } finally {
        database.close();
      }
    },
    remove: async () => undefined,
  };
}

/** Makes a database of its own, whatever the run is for. */
export async function createPostgresData(): Promise<TestData> {
  const database = await createTestDatabase({ template: MIGRATED });
  const session = sessionOn(database.address, 'read');
  // A connection runs one statement after the other.
  const gate = new Gate();
  return {
    settings: { SQL_DATABASE_URL: urlOf(database.address) },
    rows: async (query) => (await session.run(query, [])).rows as readonly StoredRow[],
    change: async (statement) => {
      await gate.run(() => database.query(statement));
    },
    remove: async () => {
      await session.close();
      await database.drop();
    },
  };
}

/** Settings as variables of an environment. */
export function environmentOf(settings: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [`SERVICE_${name}`, value]));
}

/** A database of a cluster that tests have started, as people write it. */
export function urlOf({ host, port, database, user, login }: PostgresAddress): string {
  const password = login.kind === 'password' && login.password !== null ? `:${encodeURIComponent(login.password)}` : '';
  const server = host.startsWith('/') ? `:${port}` : `${host}:${port}`;
  const socket = host.startsWith('/') ? `&host=${encodeURIComponent(host)}` : '';
  return `postgresql://${encodeURIComponent(user)}${password}@${server}/${encodeURIComponent(database)}?sslmode=disable${socket}`;
}
