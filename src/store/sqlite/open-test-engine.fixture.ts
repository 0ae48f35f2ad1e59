/** SQLite in memory, for tests. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StoredRow, TestEngine, TestEngines } from '../engine/test-engine.fixture.ts';
import { openSqliteWriter, type SqliteConnection } from './connection.ts';
import { openSqliteReadEngine, openSqliteWriteEngine, sqliteEngineOn } from './engine.ts';
import { migratedImage, placeDataFile } from './migrated-image.fixture.ts';

/** With the connection, for tests of what is SQLite's own. */
export interface SqliteTestEngine extends TestEngine {
  readonly connection: SqliteConnection;
}

/**
 * Opens it.
 * @param watch stands between the engine and the connection once the schema is there
 */
export async function openSqliteTestEngine(
  watch: (connection: SqliteConnection) => SqliteConnection = (connection) => connection,
): Promise<SqliteTestEngine> {
  return sqliteTestEngineOn(watch(openSqliteWriter(await migratedImage())));
}

/** Makes a data file unless there is one, and opens it for writing. */
export async function openSqliteFileEngine(path: string): Promise<SqliteTestEngine> {
  await placeDataFile(path);
  return sqliteTestEngineOn(openSqliteWriter(path));
}

/** An engine on a connection to a database that has the schema. */
export function sqliteTestEngineOn(connection: SqliteConnection): SqliteTestEngine {
  const engine = sqliteEngineOn(connection);
  return {
    ...engine,
    connection,
    rows: async (query) =>
      (typeof query === 'string'
        ? connection.prepare(query).all([])
        : (await query.execute(engine.db)).rows) as readonly StoredRow[],
    exec: async (statements) => {
      if (typeof statements === 'string') connection.exec(statements);
      else await statements.execute(engine.db);
    },
  };
}

/** Makes a file and opens it for writing and for reading; closing removes it. */
export async function openSqliteTestEngines(): Promise<TestEngines> {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-test-engine-'));
  const path = join(folder, 'cairn.db');
  await placeDataFile(path);
  const write = openSqliteWriteEngine({ path, blockAboveBytes: null }, () => undefined);
  await write.prepare();
  const read = openSqliteReadEngine({ path });
  return {
    write,
    read,
    close: async () => {
      await Promise.all([read.close(), write.close()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
