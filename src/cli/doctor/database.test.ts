import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import { MIGRATIONS } from '#store/migrations/list';
import { APPLICATION_ID } from '#store/sqlite/inspect';
import { checkDatabase } from './database.ts';

const folder = mkdtempSync(join(tmpdir(), 'cairn-doctor-'));
afterAll(() => rmSync(folder, { recursive: true }));

let count = 0;
/** A data file of its own, made by the statements. */
function create(...statements: string[]): string {
  const path = join(folder, `${count++}.db`);
  const database = new Database(path);
  for (const statement of statements) database.exec(statement);
  database.close();
  return path;
}

const OURS = [
  `PRAGMA application_id = ${APPLICATION_ID}`,
  'CREATE TABLE schema_migrations (name TEXT PRIMARY KEY, applied_at_us INTEGER NOT NULL)',
  ...MIGRATIONS.map(({ name }) => `INSERT INTO schema_migrations VALUES ('${name}', 0)`),
];

function check(path: string, holder?: { pid: number }) {
  const [finding] = checkDatabase({ engine: 'sqlite', path, isTemporary: false }, holder);
  return finding;
}

describe('the check of the database', () => {
  it('is content with a file that a start will make', () => {
    const empty = join(folder, 'empty.db');
    writeFileSync(empty, '');
    for (const path of [join(folder, 'none.db'), join(folder, 'none', 'none.db'), empty]) {
      expect(check(path)).toEqual({ check: 'Database', status: 'ok', message: `${path} will be created` });
    }
    const [temporary] = checkDatabase({ engine: 'sqlite', path: '/x', isTemporary: true }, undefined);
    expect(temporary?.message).toContain('temporary');
  });

  it('finds our file sound, and says when the next start will change it', () => {
    const path = create(...OURS);
    expect(check(path)).toEqual({
      check: 'Database',
      status: 'ok',
      message: `${path} can be read, and a quick check of its pages found no damage`,
    });
    expect(check(create(...OURS.slice(0, -1)))?.message).toMatch(
      /found no damage; the next start brings its schema up to date$/,
    );
  });

  it('says that a running server has it, and that this is fine', () => {
    const finding = check(create(...OURS), { pid: 4711 });
    expect(finding?.status).toBe('ok');
    expect(finding?.message).toMatch(/open in a running server \(process 4711\), which is fine/);
  });

  it('finds a damaged file', () => {
    const rows =
      "INSERT INTO t SELECT hex(randomblob(100)) FROM json_each('[' || substr(replace(hex(zeroblob(400)), '0', ',1'), 2) || ']')";
    const path = create(...OURS, 'CREATE TABLE t (a TEXT)', 'CREATE INDEX i ON t (a)', rows);
    expect(check(path)?.status).toBe('ok');
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(0x5a, Math.floor(statSync(path).size / 2)));
    const finding = check(path);
    expect(finding?.status).toBe('problem');
    expect(finding?.message).toContain('is damaged');
    expect(finding?.repair).toContain('backup');
  });

  it('refuses a file of a newer version', () => {
    const finding = check(create(...OURS, "INSERT INTO schema_migrations VALUES ('9999-add-something', 0)"));
    expect(finding?.status).toBe('problem');
    expect(finding?.message).toMatch(/newer version of Cairn.*9999-add-something/);
    expect(finding?.repair).toContain('Run the newer version');
  });

  it("recognises Phoenix's database and any other program's, and leaves both alone", () => {
    const phoenix = create('CREATE TABLE alembic_version (a)', 'CREATE TABLE traces (a)', 'CREATE TABLE spans (a)');
    const other = create('CREATE TABLE bookmarks (a)');
    for (const [path, name] of [
      [phoenix, "a Phoenix server's database"],
      [other, "another program's database"],
    ] as const) {
      const before = readFileSync(path);
      expect(check(path)).toMatchObject({ status: 'problem', message: `${path} is ${name}` });
      expect(readFileSync(path).equals(before)).toBe(true);
    }
  });

  it('refuses what is no database', () => {
    const text = join(folder, 'text.db');
    writeFileSync(text, 'dear diary,\n'.repeat(1000));
    mkdirSync(join(folder, 'folder.db'));
    expect(check(text)?.message).toContain('cannot be read: file is not a database');
    expect(check(join(folder, 'folder.db'))?.message).toContain('cannot be read: it is not a file');
  });
});
