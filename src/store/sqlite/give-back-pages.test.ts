import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openSqliteWriter } from '../sqlite/connection.ts';
import { giveBackPages, keptFreePages } from './give-back-pages.ts';

const MIB = 1024 * 1024;

it('cuts free pages off the file step by step, and keeps some', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-pages-'));
  const path = join(folder, 'cairn.db');
  const connection = openSqliteWriter(path);
  onTestFinished(() => {
    connection.close();
    rmSync(folder, { recursive: true });
  });
  const free = () =>
    (connection.prepare('PRAGMA freelist_count').all([])[0] as { freelist_count: number }).freelist_count;
  const bytes = () => {
    connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    return statSync(path).size;
  };
  connection.exec('CREATE TABLE things (id INTEGER PRIMARY KEY, data BLOB NOT NULL)');
  for (let id = 1; id <= 40; id++) connection.exec(`INSERT INTO things VALUES (${id}, zeroblob(${MIB}))`);
  expect(giveBackPages(connection, 100)).toBe(0);
  connection.exec('DELETE FROM things WHERE id < 40');
  const before = bytes();
  const pages = () => (connection.prepare('PRAGMA page_count').all([])[0] as { page_count: number }).page_count;
  const freeBefore = free();
  const left = giveBackPages(connection, 100);
  expect([freeBefore - free(), free() - left]).toEqual([100, keptFreePages(pages())]);
  while (giveBackPages(connection, 500) > 0);
  expect(free()).toBe(keptFreePages(pages()));
  expect(before - bytes()).toBeGreaterThan(20 * MIB);
  expect(connection.prepare('SELECT length(data) AS bytes FROM things').all([])).toEqual([{ bytes: MIB }]);
});

it('keeps a share of the pages of a file, of large ones 2 MiB', () => {
  expect([0, 5120, 51_200, 10_000_000].map(keptFreePages)).toEqual([16, 20, 200, 256]);
});
