import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSqlite, openSqliteReader, openSqliteWriter } from './connection.ts';
import { inspectDataFile } from './inspect.ts';
import { kyselyOnSqlite } from './kysely-on-sqlite.ts';
import { prepareDataFile } from './prepare.ts';
import { acquireServerLock, findLockHolder } from './server-lock.ts';

const HOLD_LOCK = join(import.meta.dirname, 'hold-lock.fixture.ts');

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-data-file-'));
  path = join(folder, 'cairn.db');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('keeps as much of a data file in memory as it may', () => {
  const writer = openSqliteWriter(path, 4 * 1024 * 1024);
  const reader = openSqliteReader(path, 4 * 1024 * 1024);
  const caches = [writer, reader].map((connection) => connection.prepare('PRAGMA cache_size').all([]));
  expect(caches).toEqual([[{ cache_size: -8192 }], [{ cache_size: -4096 }]]);
  reader.close();
  writer.close();
});

describe('inspecting a data file', () => {
  it('tells an absent, an empty and a prepared file', async () => {
    expect(inspectDataFile(path)).toEqual({ state: 'absent' });
    writeFileSync(path, '');
    expect(inspectDataFile(path)).toEqual({ state: 'empty' });
    await prepare();
    expect(inspectDataFile(path)).toEqual({ state: 'ours', pendingMigrations: 0 });
  });

  it('recognises a file of a newer version by a schema change it does not know', async () => {
    await prepare("INSERT INTO schema_migrations VALUES ('9999-from-the-future', 0)");
    expect(inspectDataFile(path)).toEqual({ state: 'newer', what: 'it has the schema change 9999-from-the-future' });
  });

  it("recognises a Phoenix server's database and any other", () => {
    execute('CREATE TABLE alembic_version (v); CREATE TABLE spans (id); CREATE TABLE traces (id)');
    expect(inspectDataFile(path)).toEqual({ state: 'foreign', what: "a Phoenix server's database" });
    rmSync(path);
    execute('CREATE TABLE recipes (id)');
    expect(inspectDataFile(path)).toEqual({ state: 'foreign', what: "another program's database" });
  });

  it('says that text and folders are no database', () => {
    writeFileSync(path, 'Dear diary, this is not a database but it is long enough to look like one. '.repeat(20));
    expect(inspectDataFile(path)).toMatchObject({
      state: 'unreadable',
      what: expect.stringContaining('not a database'),
    });
    expect(inspectDataFile(folder)).toEqual({ state: 'unreadable', what: 'it is not a file' });
  });
});

describe('a prepared data file', () => {
  it('syncs every commit, and gives freed pages back', async () => {
    const connection = openSqliteWriter(path);
    await prepareDataFile(connection, kyselyOnSqlite(connection));
    const pragma = (name: string) => Object.values(connection.prepare(`PRAGMA ${name}`).all([])[0] as object)[0];
    expect(pragma('synchronous')).toBe(2);
    expect(pragma('journal_mode')).toBe('wal');
    expect(pragma('auto_vacuum')).toBe(2);
    expect(pragma('page_size')).toBe(8192);
    connection.close();
  });

  it('has a write-ahead log that is cut back after a long read has let it grow', async () => {
    const connection = openSqliteWriter(path);
    await prepareDataFile(connection, kyselyOnSqlite(connection));
    connection.exec('CREATE TABLE large (data); BEGIN');
    const insert = connection.prepare('INSERT INTO large VALUES (zeroblob(1000000))');
    for (let row = 0; row < 80; row++) insert.run([]);
    connection.exec('COMMIT');
    expect(statSync(`${path}-wal`).size).toBeGreaterThan(80_000_000);
    connection.exec('PRAGMA wal_checkpoint; DELETE FROM large WHERE rowid = 1');
    expect(statSync(`${path}-wal`).size).toBeLessThanOrEqual(67_108_864);
    connection.close();
  });

  it('is prepared a second time without a change', async () => {
    await prepare();
    const connection = openSqliteWriter(path);
    expect(await prepareDataFile(connection, kyselyOnSqlite(connection))).toEqual([]);
    connection.close();
  });
});

describe('the lock of a data file', () => {
  it('is held by one process, which the other can name, until it is released', () => {
    const lock = acquireServerLock(path, 4711);
    expect(acquireServerLock(path, 4712)).toEqual({ pid: 4711 });
    expect(findLockHolder(path)).toEqual({ pid: 4711 });
    if ('release' in lock) lock.release();
    expect(findLockHolder(path)).toBeUndefined();
  });

  it('is one for all links that lead to the file', async () => {
    await prepare();
    const link = join(folder, 'link.db');
    symlinkSync(path, link);
    const linkedFolder = `${folder}-link`;
    symlinkSync(folder, linkedFolder);
    const lock = acquireServerLock(path, 4711);
    expect(acquireServerLock(link, 4712)).toEqual({ pid: 4711 });
    expect(findLockHolder(join(linkedFolder, 'cairn.db'))).toEqual({ pid: 4711 });
    if ('release' in lock) lock.release();
    rmSync(linkedFolder);
  });

  it('goes to exactly one of many that come at once, and the others learn who has it', async () => {
    const at = String(Date.now() + 1500);
    const children = Array.from({ length: 8 }, () => fork(HOLD_LOCK, [path, at]));
    const holders = await Promise.all(children.map(async (child) => ((await once(child, 'message')) as [number])[0]));
    expect(new Set(holders).size).toBe(1);
    expect(children.map((child) => child.pid)).toContain(holders[0]);
    for (const child of children) child.kill('SIGKILL');
    await Promise.all(children.map((child) => once(child, 'exit')));
  }, 30_000);

  it('is let go of when its process is killed', async () => {
    const child = fork(HOLD_LOCK, [path]);
    await once(child, 'message');
    expect(findLockHolder(path)).toEqual({ pid: child.pid });
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(findLockHolder(path)).toBeUndefined();
  });
});

async function prepare(more = ''): Promise<void> {
  const connection = openSqliteWriter(path);
  await prepareDataFile(connection, kyselyOnSqlite(connection));
  connection.exec(more);
  connection.close();
}

function execute(statements: string): void {
  const connection = openSqlite(path, { readOnly: false });
  connection.exec(statements);
  connection.close();
}
