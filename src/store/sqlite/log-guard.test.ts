import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSqliteReader, openSqliteWriter, type SqliteConnection } from './connection.ts';
import { logGuard, MAX_LOG_BYTES } from './log-guard.ts';

let folder: string;
let path: string;
let writer: SqliteConnection;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-log-'));
  path = join(folder, 'data.db');
  writer = openSqliteWriter(path);
  writer.exec('CREATE TABLE filler (id INTEGER PRIMARY KEY, data BLOB); INSERT INTO filler VALUES (1, NULL)');
});

afterEach(() => {
  writer.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('the log guard', () => {
  it('makes a large log start anew once the readers that held it have ended', () => {
    let now = 0;
    const keepLogSmall = logGuard(writer, path, () => now);
    const reader = openSqliteReader(path);
    reader.exec('BEGIN; SELECT count(*) FROM filler');
    while (logBytes() < MAX_LOG_BYTES) writer.exec('UPDATE filler SET data = randomblob(20000000)');
    keepLogSmall();
    writer.exec('UPDATE filler SET data = randomblob(1000)');
    expect(logBytes()).toBeGreaterThanOrEqual(MAX_LOG_BYTES);
    reader.exec('COMMIT');
    keepLogSmall();
    writer.exec('UPDATE filler SET data = randomblob(1000)');
    expect(logBytes(), 'a second attempt within the minute').toBeGreaterThanOrEqual(MAX_LOG_BYTES);
    now = 60_000;
    keepLogSmall();
    writer.exec('UPDATE filler SET data = randomblob(1000)');
    expect(logBytes()).toBeLessThan(MAX_LOG_BYTES);
    reader.close();
  });
});

function logBytes(): number {
  return statSync(`${path}-wal`).size;
}
