import { fork } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openSqliteReader, openSqliteWriter, type SqliteConnection } from '../connection.ts';
import { kyselyOnSqlite } from '../kysely-on-sqlite.ts';
import { prepareDataFile } from '../prepare.ts';
import { type BackupOptions, backUpDataFile } from './back-up.ts';
import { FREEZING, FrozenFile } from './frozen-file.ts';
import { assertRoomFor } from './unfinished-file.ts';

const WRITE_ON = join(import.meta.dirname, 'accounts.fixture.ts');
const ACCOUNTS = 2000;

let template: string;
let folder: string;
let path: string;
let place: string;

beforeAll(async () => {
  template = join(mkdtempSync(join(tmpdir(), 'cairn-backup-template-')), 'cairn.db');
  const connection = openSqliteWriter(template);
  await prepareDataFile(connection, kyselyOnSqlite(connection));
  connection.exec(`CREATE TABLE accounts (id INTEGER PRIMARY KEY, balance INTEGER NOT NULL, note BLOB NOT NULL);
    CREATE TABLE journal (id INTEGER PRIMARY KEY AUTOINCREMENT, note BLOB NOT NULL);
    WITH RECURSIVE ids (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM ids WHERE id < ${ACCOUNTS})
    INSERT INTO accounts SELECT id, 1000, randomblob(7000) FROM ids`);
  connection.close();
});

afterAll(() => rmSync(dirname(template), { recursive: true }));

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-backup-'));
  path = join(folder, 'cairn.db');
  place = join(folder, 'backup.db');
  copyFileSync(template, path);
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function options(given: Partial<BackupOptions> = {}): BackupOptions {
  const nothing = () => undefined;
  return {
    isReplacing: false,
    onProgress: nothing,
    onCopied: nothing,
    signal: new AbortController().signal,
    ...given,
  };
}

describe('a backup', () => {
  it('is of one moment, and keeps the log short, while another process writes all over the file', async () => {
    const writer = fork(WRITE_ON, [path]);
    try {
      await once(writer, 'message');
      const before = lastEntry(path);
      let logBytes = 0;
      // A commit of the other process is more.
      const freezing = { ...FREEZING, maxLogBytes: 100_000, minCopyBytes: 1 };
      const onProgress = () => {
        logBytes = Math.max(logBytes, statSync(`${path}-wal`).size);
        const last = lastEntry(path);
        while (lastEntry(path) === last);
      };
      const backup = await backUpDataFile(path, place, options({ freezing, onProgress }));
      expect(backup.freezeCount, 'of which each lets others write').toBeGreaterThan(2);
      expect(logBytes).toBeLessThan(40_000_000);
      const copy = openSqliteReader(place);
      expect(copy.prepare('SELECT sum(balance) AS sum FROM accounts').all([])).toEqual([{ sum: ACCOUNTS * 1000 }]);
      expect(copy.prepare('PRAGMA integrity_check').all([])).toEqual([{ integrity_check: 'ok' }]);
      copy.close();
      expect(lastEntry(place)).toBeGreaterThan(before);
      expect(lastEntry(path), 'the writer goes on').toBeGreaterThan(lastEntry(place));
    } finally {
      const ended = once(writer, 'exit');
      writer.kill('SIGKILL');
      await ended;
    }
  });

  it('is one file for this user alone, and says what is in it', async () => {
    const stages = new Set<string>();
    const backup = await backUpDataFile(path, place, options({ onProgress: ({ stage }) => stages.add(stage) }));
    expect([...stages]).toEqual(['copying', 'comparing', 'checking']);
    expect(backup.rows).toMatchObject({ accounts: ACCOUNTS, spans: 0, schema_migrations: expect.any(Number) });
    const bytes = readFileSync(place);
    expect(backup).toMatchObject({
      bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      freezeCount: 1,
    });
    expect(statSync(place).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).filter((name) => name.startsWith('backup'))).toEqual(['backup.db']);
  });

  it('replaces a file only when it is told to, and nothing of the data ever', async () => {
    writeFileSync(place, 'mine');
    await expect(backUpDataFile(path, place, options())).rejects.toThrow(/already exists.*--overwrite/);
    expect(readFileSync(place, 'utf8')).toBe('mine');
    await backUpDataFile(path, place, options({ isReplacing: true }));
    expect(lastEntry(place)).toBe(0);
    for (const own of [path, `${path}-wal`, `${path}.lock`]) {
      await expect(backUpDataFile(path, own, options({ isReplacing: true }))).rejects.toThrow(/part of the data/);
    }
    mkdirSync(join(folder, 'folder'));
    await expect(backUpDataFile(path, join(folder, 'folder'), options())).rejects.toThrow(/is not a file/);
    await expect(backUpDataFile(path, join(folder, 'none', 'b.db'), options())).rejects.toThrow(/no folder/);
    await expect(backUpDataFile(join(folder, 'none.db'), `${place}2`, options())).rejects.toThrow(/no data in/);
  });

  it('leaves nothing when it is stopped, and removes what one that was killed has left', async () => {
    const abandoned = `${place}.unfinished-999999999`;
    writeFileSync(abandoned, 'half');
    const stopping = new AbortController();
    const stopped = backUpDataFile(
      path,
      place,
      options({ signal: stopping.signal, onProgress: () => stopping.abort(new Error('stopped')) }),
    );
    await expect(stopped).rejects.toThrow('stopped');
    expect(readdirSync(folder).filter((name) => name.startsWith('backup'))).toEqual([]);
    expect(existsSync(abandoned)).toBe(false);
  });

  it('refuses a disk without room', () => {
    expect(() => assertRoomFor(1e18, folder)).toThrow(/not enough space/);
  });
});

describe('a file that stands still', () => {
  let writer: SqliteConnection;
  beforeEach(() => {
    writer = openSqliteWriter(path);
  });
  afterEach(() => writer.close());

  it('says which pages changed meanwhile, and no others', async () => {
    const file = await FrozenFile.open(path);
    const before = readFileSync(path);
    writer.exec('UPDATE accounts SET balance = 1 WHERE id IN (7, 1500)');
    expect(readFileSync(path).equals(before)).toBe(true);
    const pages = await file.refreeze();
    const after = readFileSync(path);
    const differing = [...Array(after.length / file.pageBytes).keys()].filter((page) => {
      const part = (bytes: Buffer) => bytes.subarray(page * file.pageBytes, (page + 1) * file.pageBytes);
      return !part(after).equals(part(before));
    });
    expect(pages).toEqual(differing.map((page) => page + 1));
    expect(pages).toHaveLength(2);
    expect(await file.refreeze()).toEqual([]);
    file.close();
  });

  it('waits for others that read what was before, for a time', async () => {
    const file = await FrozenFile.open(path, { ...FREEZING, patienceMs: 200 });
    const reader = openSqliteReader(path);
    writer.exec('UPDATE accounts SET balance = 1 WHERE id = 7');
    reader.exec('BEGIN; SELECT 1 FROM accounts');
    writer.exec('UPDATE accounts SET balance = 2 WHERE id = 7');
    await expect(file.refreeze()).rejects.toThrow(/try again later/);
    const frozen = file.refreeze();
    reader.exec('COMMIT');
    expect((await frozen).length).toBeGreaterThan(0);
    reader.close();
    file.close();
  });
});

/** The newest entry of the journal that the other process writes. */
function lastEntry(file: string): number {
  const connection = openSqliteReader(file);
  try {
    const [row] = connection.prepare('SELECT coalesce(max(id), 0) AS id FROM journal').all([]) as { id: number }[];
    return row?.id ?? 0;
  } finally {
    connection.close();
  }
}
