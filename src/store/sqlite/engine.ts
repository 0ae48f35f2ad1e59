/** SQLite as an engine: one file, one connection a thread. */
import type { ReadEngine, WriteEngine } from '../engine/engine.ts';
import type { SqliteConfig } from '../engine/engine-config.ts';
import { storageGuard } from '../engine/storage-guard.ts';
import { sqliteDialect } from '../dialect/sqlite.ts';
import type { MigrateOptions } from '../migrations/migrate.ts';
import { bulkInsertOnSqlite } from './bulk-insert.ts';
import { bulkUpdateOnSqlite } from './bulk-update.ts';
import { openSqliteReader, openSqliteWriter, type SqliteConnection } from './connection.ts';
import { checkTables } from './check-tables.ts';
import { bytesOf, DiskReserve } from './disk-reserve.ts';
import { holdCheckpoints, keepLogShort, makeRoomToDelete, regainRoom } from './full-disk.ts';
import { fileGuard } from './file-guard.ts';
import { giveBackPages } from './give-back-pages.ts';
import { kyselyOnSqlite } from './kysely-on-sqlite.ts';
import { logGuard } from './log-guard.ts';
import { prepareDataFile } from './prepare.ts';
import { recordsOnSqlite } from './records.ts';
import { isDamagedTable, replaceTables } from './replace-tables.ts';
import { restOnSqlite } from './rest.ts';
import { runOnSqlite } from './run-statement.ts';
import { salvageRows } from './salvage-table.ts';
import { measureUsedBytes } from './used-bytes.ts';

/** Opens the data file for writing. */
export function openSqliteWriteEngine(
  { path, blockAboveBytes, cacheBytes }: Pick<SqliteConfig, 'path' | 'blockAboveBytes' | 'cacheBytes'>,
  onLost: (message: string) => void,
  migrating: MigrateOptions = {},
): WriteEngine {
  const connection = openSqliteWriter(path, cacheBytes);
  const engine = sqliteEngineOn(connection);
  // Which file it is, is known once it holds something.
  let assertInPlace = (): void => undefined;
  const reserve = path === IN_MEMORY ? null : new DiskReserve(path);
  if (reserve !== null && !reserve.isHeld) holdCheckpoints(connection);
  const assertReserve = () => {
    if (reserve === null) return;
    if (reserve.isHeld) reserve.fit(bytesOf(path));
    else regainRoom(connection, path, reserve);
    reserve.assertHeld();
    keepLogShort(connection, path);
  };
  const assertUsed = storageGuard(async () => measureUsedBytes(connection), blockAboveBytes);
  const tidyLog = logGuard(connection, path);
  const rest = restOnSqlite(connection, path);
  return {
    ...engine,
    prepare: async () => {
      await prepareDataFile(connection, engine.db, migrating);
      assertInPlace = fileGuard(path, onLost);
    },
    assertRoom: async () => {
      assertReserve();
      await assertUsed();
    },
    makeRoom: () => reserve !== null && makeRoomToDelete(connection, path, reserve),
    assertReserve,
    assertKept: () => assertInPlace(),
    tidy: () => {
      tidyLog();
      if (reserve !== null && !reserve.isHeld) regainRoom(connection, path, reserve);
    },
    // On a full disk, it would take the room that deleting needs.
    rest: (isIdle) => (reserve === null || reserve.isHeld) && rest(isIdle),
  };
}

const IN_MEMORY = ':memory:';

/** Opens the data file for reading. */
export function openSqliteReadEngine({ path, cacheBytes }: Pick<SqliteConfig, 'path' | 'cacheBytes'>): ReadEngine {
  return sqliteEngineOn(openSqliteReader(path, cacheBytes));
}

/** What runs on a connection, wherever its data lies. */
export type SqliteEngine = ReadEngine &
  Pick<
    WriteEngine,
    | 'run'
    | 'bulkInsert'
    | 'bulkUpdate'
    | 'replaceTables'
    | 'salvageRows'
    | 'rebuildIndexes'
    | 'takeTurn'
    | 'tell'
    | 'records'
    | 'giveBackPages'
  >;

/** Makes a connection an engine. */
export function sqliteEngineOn(connection: SqliteConnection): SqliteEngine {
  const db = kyselyOnSqlite(connection);
  return {
    db,
    dialect: sqliteDialect,
    run: runOnSqlite(connection),
    bulkInsert: bulkInsertOnSqlite(connection, db),
    bulkUpdate: bulkUpdateOnSqlite(connection),
    // A transaction begins with the lock of the file, which is one server's.
    takeTurn: async () => true,
    // There are none.
    tell: async () => undefined,
    records: recordsOnSqlite(db),
    giveBackPages: async (maxPages) => giveBackPages(connection, maxPages),
    findDamagedTables: (tables) => tables.filter((table) => isDamagedTable(connection, table)),
    checkTables: (place) => checkTables(connection, place),
    replaceTables: (tables) => replaceTables(connection, tables),
    salvageRows: (table, into) => salvageRows(connection, table, into),
    rebuildIndexes: (name) => connection.exec(`REINDEX "${name}"`),
    dropCaches: () => connection.exec('PRAGMA shrink_memory'),
    close: async () => connection.close(),
  };
}
