import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSqliteWriter, type SqliteConnection } from './connection.ts';
import { fileGuard } from './file-guard.ts';

let folder: string;
let path: string;
let connection: SqliteConnection;
let assertInPlace: () => void;
let losses: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-file-guard-'));
  path = join(folder, 'cairn.db');
  connection = openSqliteWriter(path);
  connection.exec('CREATE TABLE notes (text)');
  losses = [];
  assertInPlace = fileGuard(path, (message) => losses.push(message));
});

afterEach(() => {
  connection.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('the guard of an open data file', () => {
  it('is content while the file is written and checkpointed', () => {
    connection.exec("INSERT INTO notes VALUES ('a')");
    connection.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all([]);
    connection.exec("INSERT INTO notes VALUES ('b')");
    expect(assertInPlace).not.toThrow();
    expect(losses).toEqual([]);
  });

  it.each([
    ['is deleted', () => rmSync(path)],
    ['loses its write-ahead log', () => rmSync(`${path}-wal`)],
    [
      'is exchanged',
      () => {
        renameSync(path, `${path}.old`);
        writeFileSync(path, '');
      },
    ],
  ])('refuses when the file %s, although SQLite would go on writing', (_what, change) => {
    change();
    connection.exec("INSERT INTO notes VALUES ('lost')");
    expect(assertInPlace).toThrow(expect.objectContaining({ code: 'unavailable' }));
    expect(assertInPlace).toThrow();
    expect(losses).toEqual([expect.stringContaining(`The data file ${path} was deleted`)]);
  });

  it('is content again when the file is put back', () => {
    renameSync(path, `${path}.old`);
    expect(assertInPlace).toThrow();
    renameSync(`${path}.old`, path);
    expect(assertInPlace).not.toThrow();
  });
});
