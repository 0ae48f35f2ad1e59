import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { checkDisk, checkFolder, describeUnwritable } from './storage.ts';

const folder = mkdtempSync(join(tmpdir(), 'cairn-doctor-'));
afterAll(() => rmSync(folder, { recursive: true }));

const database = (...names: string[]) =>
  ({ engine: 'sqlite', path: join(folder, ...names), isTemporary: false }) as const;

describe('the check of the folder', () => {
  it('writes to one that exists and leaves nothing behind', () => {
    mkdirSync(join(folder, 'there'));
    const [finding] = checkFolder(database('there', 'cairn.db'));
    expect(finding).toMatchObject({ status: 'ok', message: `${join(folder, 'there')} is writable` });
    expect(readdirSync(join(folder, 'there'))).toEqual([]);
  });

  it('says to make room where the disk is full, and what else to do otherwise', () => {
    expect(describeUnwritable('/data', 'ENOSPC', 'other').repair).toMatch(/^Make room/);
    expect(describeUnwritable('/data', 'EDQUOT', 'other').message).toBe('there is no room left in /data (EDQUOT)');
    expect(describeUnwritable('/data', 'EROFS', 'other').repair).toBe('other');
  });

  it('makes none that is missing', () => {
    const [finding] = checkFolder(database('a', 'b', 'cairn.db'));
    expect(finding).toMatchObject({ status: 'ok', message: `${join(folder, 'a', 'b')} will be created` });
    expect(readdirSync(folder)).not.toContain('a');
  });

  it('refuses a file in the place of a folder', () => {
    writeFileSync(join(folder, 'file'), '');
    for (const path of [database('file', 'cairn.db'), database('file', 'x', 'cairn.db')]) {
      const [finding] = checkFolder(path);
      expect(finding).toMatchObject({ status: 'problem', message: `${join(folder, 'file')} is not a folder` });
      expect(finding?.repair).toContain('SERVICE_WORKING_DIR');
    }
  });

  it.skipIf(process.platform !== 'linux')('finds a file system that nobody can write to', () => {
    const [finding] = checkFolder({ engine: 'sqlite', path: '/proc/cairn.db', isTemporary: false });
    expect(finding?.status).toBe('problem');
    expect(finding?.message).toMatch(/^\/proc is not writable \(E[A-Z]+\)$/);
  });

  it.skipIf(process.platform === 'win32' || process.getuid?.() === 0)('finds one without the right to write', () => {
    mkdirSync(join(folder, 'locked'));
    chmodSync(join(folder, 'locked'), 0o500);
    for (const path of [database('locked', 'cairn.db'), database('locked', 'x', 'cairn.db')]) {
      expect(checkFolder(path)[0]?.message).toContain('is not writable (EACCES)');
    }
  });
});

describe('the check of the disk', () => {
  it('says how much is free, at the nearest folder that exists', () => {
    const [finding] = checkDisk(database('not', 'yet', 'cairn.db'), 1);
    expect(finding?.status).toBe('ok');
    expect(finding?.message).toMatch(/^\d+\.\d GiB free at /);
    expect(finding?.message).toContain(folder);
  });

  it('asks for room when there is too little', () => {
    const [finding] = checkDisk(database('cairn.db'), 2 ** 60);
    expect(finding?.status).toBe('problem');
    expect(finding?.repair).toContain('Free at least');
  });
});
