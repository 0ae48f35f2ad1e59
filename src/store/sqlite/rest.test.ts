import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSqliteReader, openSqliteWriter, type SqliteConnection } from './connection.ts';
import { restOnSqlite } from './rest.ts';

let folder: string;
let path: string;
let writer: SqliteConnection;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-rest-'));
  path = join(folder, 'data.db');
  writer = openSqliteWriter(path);
  writer.exec('CREATE TABLE filler (id INTEGER PRIMARY KEY, data BLOB NOT NULL)');
  for (let id = 1; id <= 10; id++) writer.exec(`INSERT INTO filler VALUES (${id}, zeroblob(1000000))`);
});

afterEach(() => {
  writer.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('a data file at rest', () => {
  it('has an empty log, once nobody reads what the log held', () => {
    const rest = restOnSqlite(writer, path);
    const reader = openSqliteReader(path);
    reader.exec('BEGIN; SELECT count(*) FROM filler');
    writer.exec('UPDATE filler SET data = zeroblob(1000001)');
    const startedAt = performance.now();
    expect(rest(false)).toBe(true);
    expect(performance.now() - startedAt, 'it waits for no reader').toBeLessThan(1000);
    expect(bytesOf('-wal')).toBeGreaterThan(0);
    reader.exec('COMMIT');
    expect(rest(false)).toBe(false);
    expect(bytesOf('-wal')).toBe(0);
    expect(reader.prepare('SELECT sum(length(data)) AS bytes FROM filler').all([])).toEqual([{ bytes: 10_000_010 }]);
    reader.close();
  });

  it('gives free pages back where nothing else is going on', () => {
    const rest = restOnSqlite(writer, path);
    writer.exec('DELETE FROM filler WHERE id < 10');
    expect(rest(false)).toBe(false);
    expect(bytesOf('')).toBeGreaterThan(10_000_000);
    while (rest(true));
    expect(bytesOf('')).toBeLessThan(4_000_000);
    expect(bytesOf('-wal')).toBe(0);
  });
});

function bytesOf(suffix: '' | '-wal'): number {
  return statSync(`${path}${suffix}`).size;
}
