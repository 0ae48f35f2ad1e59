import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openSqlite, openSqliteReader, openSqliteWriter } from '../connection.ts';
import { kyselyOnSqlite } from '../kysely-on-sqlite.ts';
import { prepareDataFile } from '../prepare.ts';
import { acquireServerLock } from '../server-lock.ts';
import { backUpDataFile } from './back-up.ts';
import { type RestoreOptions, restoreDataFile } from './restore.ts';

let templates: string;
let folder: string;
let path: string;
let backup: string;

beforeAll(async () => {
  templates = mkdtempSync(join(tmpdir(), 'cairn-restore-templates-'));
  const data = join(templates, 'cairn.db');
  await prepare(data, 'backed up');
  const nothing = () => undefined;
  await backUpDataFile(data, join(templates, 'backup.db'), {
    isReplacing: false,
    onProgress: nothing,
    onCopied: nothing,
    signal: new AbortController().signal,
  });
  note(data, 'later');
});

afterAll(() => rmSync(templates, { recursive: true }));

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-restore-'));
  path = join(folder, 'cairn.db');
  backup = join(folder, 'backup.db');
  for (const name of ['cairn.db', 'backup.db']) copyFileSync(join(templates, name), join(folder, name));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const OPTIONS: RestoreOptions = {
  isDiscarding: false,
  sha256: null,
  onProgress: () => undefined,
  signal: new AbortController().signal,
};

describe('restoring', () => {
  it('puts the backup in place, and keeps what was there before', async () => {
    const restored = await restoreDataFile(path, backup, OPTIONS);
    expect(notes(path)).toEqual(['backed up']);
    expect(restored).toMatchObject({ bytes: statSync(backup).size, pendingMigrations: 0 });
    expect(restored.keptAs).toMatch(/cairn\.db\.before-restore-\d{4}-\d\d-\d\dT/);
    expect(notes(restored.keptAs as string)).toEqual(['backed up', 'later']);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readFileSync(path).equals(readFileSync(backup))).toBe(true);
  });

  it.each([false, true])(
    'leaves what is known to be damaged with the old data, discarded: %s',
    async (isDiscarding) => {
      writeFileSync(`${path}.damage`, '[]');
      const { keptAs } = await restoreDataFile(path, backup, { ...OPTIONS, isDiscarding });
      const names = readdirSync(folder).filter((name) => name.endsWith('.damage'));
      expect(names).toEqual(keptAs === null ? [] : [`${basename(keptAs)}.damage`]);
    },
  );

  it('keeps nothing when it is told so, and makes a file where there is none', async () => {
    expect((await restoreDataFile(path, backup, { ...OPTIONS, isDiscarding: true })).keptAs).toBeNull();
    expect(readdirSync(folder).sort()).toEqual(['backup.db', 'cairn.db', 'cairn.db.lock']);
    const elsewhere = join(folder, 'new', 'cairn.db');
    expect((await restoreDataFile(elsewhere, backup, OPTIONS)).keptAs).toBeNull();
    expect(notes(elsewhere)).toEqual(['backed up']);
  });

  it('takes no log of the old data for the new, and the log of a file that was copied by hand with it', async () => {
    const writer = openSqliteWriter(path);
    writer.exec("INSERT INTO notes VALUES ('in the log')");
    const copy = join(folder, 'copy.db');
    for (const suffix of ['', '-wal']) copyFileSync(`${path}${suffix}`, `${copy}${suffix}`);
    writer.close();
    await restoreDataFile(path, copy, { ...OPTIONS, isDiscarding: true });
    expect(notes(path)).toEqual(['backed up', 'later', 'in the log']);

    const log = readFileSync(`${copy}-wal`);
    rmSync(path);
    writeFileSync(`${path}-wal`, log);
    await restoreDataFile(path, backup, OPTIONS);
    expect(notes(path)).toEqual(['backed up']);
  });

  it('puts data aside that are too damaged to be opened', async () => {
    writeFileSync(path, 'no database any more'.repeat(1000));
    const { keptAs } = await restoreDataFile(path, backup, OPTIONS);
    expect(notes(path)).toEqual(['backed up']);
    expect(readFileSync(keptAs as string, 'utf8')).toContain('no database');
  });

  it.each<readonly [string, (file: string) => void, RegExp]>([
    ['text', (file) => writeFileSync(file, 'dear diary,\n'.repeat(1000)), /not a backup of Cairn, or is damaged/],
    ['nothing', (file) => writeFileSync(file, ''), /is empty/],
    ["another program's", (file) => execute(file, 'PRAGMA application_id = 7'), /not a backup of Cairn/],
    [
      'newer',
      (file) => execute(file, "INSERT INTO schema_migrations VALUES ('9999-later', 0)"),
      /newer version of Cairn \(it has the schema change 9999-later\)/,
    ],
    ['damaged', (file) => writeFileSync(file, readFileSync(file).fill(0x5a, 8192, 3 * 8192)), /is damaged/],
    ['cut off', (file) => writeFileSync(file, readFileSync(file).subarray(0, -8192)), /damaged/],
    ['absent', (file) => rmSync(file), /There is no file/],
  ])('refuses a file that is %s, and says so', async (_what, change, message) => {
    change(backup);
    await expect(restoreDataFile(path, backup, OPTIONS)).rejects.toThrow(message);
    expectUntouched();
  });

  it('refuses a file of another SHA-256, and the data itself', async () => {
    await expect(restoreDataFile(path, backup, { ...OPTIONS, sha256: 'ab' })).rejects.toThrow(
      /SHA-256: its SHA-256 is/,
    );
    await expect(restoreDataFile(path, path, OPTIONS)).rejects.toThrow(/is the data file itself/);
    expectUntouched();
  });

  it('refuses while a server or anybody else has the data open', async () => {
    const lock = acquireServerLock(path, 4711);
    await expect(restoreDataFile(path, backup, OPTIONS)).rejects.toThrow(/A server \(process 4711\)/);
    if ('release' in lock) lock.release();
    const reader = openSqliteReader(path);
    reader.exec('SELECT 1 FROM notes');
    await expect(restoreDataFile(path, backup, OPTIONS)).rejects.toThrow(/Another program has/);
    reader.close();
    expectUntouched();
  });

  it('leaves what belongs to another program alone', async () => {
    execute(path, 'PRAGMA application_id = 7');
    await expect(restoreDataFile(path, backup, OPTIONS)).rejects.toThrow(/leaves it alone/);
  });
});

function expectUntouched(): void {
  expect(notes(path)).toEqual(['backed up', 'later']);
  expect(readdirSync(folder).filter((name) => /before|unfinished/.test(name))).toEqual([]);
}

async function prepare(file: string, text: string): Promise<void> {
  const connection = openSqliteWriter(file);
  await prepareDataFile(connection, kyselyOnSqlite(connection));
  connection.exec('CREATE TABLE notes (text TEXT)');
  connection.close();
  note(file, text);
}

function note(file: string, text: string): void {
  execute(file, `INSERT INTO notes VALUES ('${text}')`);
}

function execute(file: string, statements: string): void {
  const connection = openSqlite(file, { readOnly: false });
  connection.exec(statements);
  connection.close();
}

function notes(file: string): readonly string[] {
  const connection = openSqlite(file, { readOnly: false });
  try {
    return (connection.prepare('SELECT text FROM notes').all([]) as { text: string }[]).map(({ text }) => text);
  } finally {
    connection.close();
  }
}
