import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, expect, it } from 'vitest';
import { findDamage } from './check-integrity.ts';

const folder = mkdtempSync(join(tmpdir(), 'cairn-integrity-'));
afterAll(() => rmSync(folder, { recursive: true }));

const HEADER_SIZE = 100;
const PAGE_SIZE = 4096;

function create(name: string): string {
  const path = join(folder, name);
  const database = new Database(path);
  database.exec('CREATE TABLE t (a TEXT); INSERT INTO t VALUES (1), (2), (3)');
  database.close();
  return path;
}

it('finds nothing in a sound file, and leaves it as it is', () => {
  const path = create('sound.db');
  const before = readFileSync(path);
  expect(findDamage(path)).toBeUndefined();
  expect(readFileSync(path).equals(before)).toBe(true);
});

it('names what is wrong with a page of a table', () => {
  const path = create('page.db');
  writeFileSync(path, readFileSync(path).fill(0x5a, PAGE_SIZE));
  expect(findDamage(path)).toMatch(/page 2/);
});

it('names a row that its index does not lead to any more, if it is to compare both', () => {
  const path = create('index.db');
  const database = new Database(path);
  database.exec("CREATE INDEX t_by_a ON t (a); INSERT INTO t VALUES ('apple')");
  database.close();
  const file = readFileSync(path);
  file[file.lastIndexOf('apple')] = 'b'.charCodeAt(0);
  writeFileSync(path, file);
  expect(findDamage(path)).toBeUndefined();
  expect(findDamage(path, 'integrity_check')).toBe('row 4 missing from index t_by_a');
});

it('names a row that refers to nothing', () => {
  const path = create('keys.db');
  const database = new Database(path);
  database.pragma('foreign_keys = OFF');
  database.exec('CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE c (p INTEGER REFERENCES p (id))');
  database.exec('INSERT INTO p VALUES (1); INSERT INTO c VALUES (1), (NULL), (7)');
  database.close();
  expect(findDamage(path)).toBe('row 3 of c refers to a row of p that does not exist');
});

it('throws where the file cannot even be opened', () => {
  const path = create('schema.db');
  writeFileSync(path, readFileSync(path).fill(0x5a, HEADER_SIZE, PAGE_SIZE));
  expect(() => findDamage(path)).toThrow(/malformed/);
});
