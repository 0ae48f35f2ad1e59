import { statSync } from 'node:fs';
import { AppError } from '#base/errors';
import type { SqliteConfig } from '../engine/engine-config.ts';
import { readContents } from '../status/contents.ts';
import type { DatabaseStatus, StorageStatus } from '../status/database-status.ts';
import { readSchemaStatus } from '../status/schema-status.ts';
import { openSqliteReader, type SqliteConnection } from './connection.ts';
import { inspectDataFile } from './inspect.ts';
import { kyselyOnSqlite } from './kysely-on-sqlite.ts';
import { findLockHolder } from './server-lock.ts';

/**
 * Looks at a data file, which a server may have open, at one moment.
 * @throws AppError `failed_precondition` with what to do: no data, not ours, or not to be read
 */
export async function readSqliteStatus({ path }: Pick<SqliteConfig, 'path'>): Promise<DatabaseStatus> {
  assertReadable(path);
  const holder = findLockHolder(path);
  const connection = openSqliteReader(path);
  try {
    const db = kyselyOnSqlite(connection);
    connection.exec('BEGIN');
    const schema = await readSchemaStatus(db);
    const isOfThisVersion = schema.pending.length === 0 && schema.unknown.length === 0;
    return {
      engine: 'sqlite',
      location: path,
      serverCount: holder === undefined ? 0 : 1,
      serverPids: holder === undefined ? [] : [holder.pid],
      schema,
      storage: readStorage(connection, path),
      contents: isOfThisVersion ? await readContents(db) : null,
    };
  } finally {
    connection.close();
  }
}

function readStorage(connection: SqliteConnection, path: string): StorageStatus {
  const [row] = connection
    .prepare(
      'SELECT page_count * page_size AS dataBytes, freelist_count * page_size AS freeBytes FROM pragma_page_count(), pragma_freelist_count(), pragma_page_size()',
    )
    .all([]) as { dataBytes: number; freeBytes: number }[];
  const logBytes = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  return { dataBytes: row?.dataBytes ?? 0, freeBytes: row?.freeBytes ?? 0, logBytes };
}

function assertReadable(path: string): void {
  const file = inspectDataFile(path);
  switch (file.state) {
    case 'ours':
    case 'newer':
      return;
    case 'absent':
    case 'empty':
      throw refuse(`There is no data in ${path}: name the folder with --data.`);
    case 'foreign':
      throw refuse(`${path} is ${file.what}; Cairn leaves it alone.`);
    case 'unreadable':
      throw refuse(`${path} cannot be read: ${file.what}.`);
  }
}

function refuse(message: string): AppError {
  return new AppError('failed_precondition', message);
}
