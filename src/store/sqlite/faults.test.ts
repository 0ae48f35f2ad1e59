import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, expect, it } from 'vitest';
import { openSqlite } from './connection.ts';
import { toStorageError } from './faults.ts';

const folder = mkdtempSync(join(tmpdir(), 'cairn-faults-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('calls a page that SQLite cannot read damaged', () => {
  const path = join(folder, 'page.db');
  const database = new Database(path);
  database.exec('CREATE TABLE t (a TEXT); INSERT INTO t VALUES (1)');
  database.close();
  writeFileSync(path, readFileSync(path).fill(0x5a, 4096));
  const opened = openSqlite(path, { readOnly: true });
  const read = () => opened.prepare('SELECT * FROM t').all([]);
  expect(() => read()).toThrow(expect.objectContaining({ fault: 'damaged' }));
});

it.each([
  ['SQLITE_NOTADB', 'damaged'],
  ['SQLITE_IOERR_READ', 'damaged'],
  ['SQLITE_IOERR_WRITE', 'unavailable'],
  ['SQLITE_IOERR_FSYNC', 'unavailable'],
  ['SQLITE_FULL', 'full'],
])('calls %s %s', (code, fault) => {
  expect(toStorageError(new Database.SqliteError('…', code))).toMatchObject({ fault });
});
