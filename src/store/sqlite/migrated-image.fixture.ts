/** The bytes of a data file at the schema of this version and with nothing in it: made once a process, where each test had made its own. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteWriter } from './connection.ts';
import { kyselyOnSqlite } from './kysely-on-sqlite.ts';
import { prepareDataFile } from './prepare.ts';

/** Puts them where a data file is to lie, unless one lies there. */
export async function placeDataFile(path: string): Promise<void> {
  if (!existsSync(path)) writeFileSync(path, await migratedImage(), { mode: 0o600 });
}

/** The bytes themselves, to be opened in memory. */
export function migratedImage(): Promise<Buffer> {
  made ??= makeImage();
  return made;
}

let made: Promise<Buffer> | undefined;

async function makeImage(): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-test-image-'));
  const path = join(folder, 'cairn.db');
  try {
    const connection = openSqliteWriter(path);
    await prepareDataFile(connection, kyselyOnSqlite(connection));
    // A database in memory cannot have a write-ahead log. The engine enables the log when it opens a file.
    connection.exec('PRAGMA journal_mode = DELETE');
    connection.close();
    return readFileSync(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
