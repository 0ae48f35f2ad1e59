import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import { claimDataFile } from '#store/sqlite/claim-data-file';
import { migrateDataFile } from '#store/sqlite/migrate-data-file';
import { runCopy } from './copy.ts';

const folder = mkdtempSync(join(tmpdir(), 'cairn-copy-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('a copy that cannot be made', () => {
  const copy = (from: string) => runCopy(from, join(folder, 'target.db'), { isJson: true });

  it('says that the file is absent, and makes nothing', async () => {
    const path = join(folder, 'absent', 'cairn.db');
    await expect(copy(path)).rejects.toThrow(`There is no file ${path}.`);
    expect(existsSync(join(folder, 'absent'))).toBe(false);
  });

  it('says who has the file, and advises nothing that holds for servers alone', async () => {
    const path = join(folder, 'open.db');
    await migrateDataFile({ path });
    const claim = claimDataFile(path);
    await expect(copy(path)).rejects.toThrow(`Another Cairn (process ${process.pid}) uses ${path}: stop it.`);
    claim.release();
  });

  it('gives one order where one was begun and not finished', async () => {
    const path = join(folder, 'unfinished.db');
    await migrateDataFile({ path });
    const database = new Database(path);
    database.exec('CREATE TABLE copy_progress (table_name TEXT)');
    database.close();
    const order = `${path} is an incomplete copy, which cairn db copy can finish: run that command again, or`;
    expect(() => claimDataFile(path)).toThrow(`${order} choose another with SERVICE_WORKING_DIR`);
    await expect(copy(path)).rejects.toThrow(`${order} name another.`);
  });
});
