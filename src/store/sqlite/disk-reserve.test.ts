import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { freeBytesBeside } from './disk-reserve.ts';
import { openSqliteWriteEngine } from './engine.ts';

it('a file system that does not say how much room it has is not called full', () => {
  expect(freeBytesBeside('/proc/cairn.db')).toBe(Number.POSITIVE_INFINITY);
  expect(freeBytesBeside(join(tmpdir(), 'cairn.db'))).toBeLessThan(Number.POSITIVE_INFINITY);
});

it('nothing is done at rest while the room that was set aside is given up', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-reserve-'));
  try {
    const path = join(folder, 'cairn.db');
    const engine = openSqliteWriteEngine({ path, blockAboveBytes: null }, () => undefined);
    await engine.prepare();
    const logBytes = () => statSync(`${path}-wal`).size;
    await engine.assertRoom();
    expect(engine.makeRoom()).toBe(true);
    await engine.db.insertInto('spent_states').values({ hash: 'a', expires_at_us: 1 }).execute();
    const before = logBytes();
    expect(before).toBeGreaterThan(0);
    expect([engine.rest(true), logBytes()]).toEqual([false, before]);
    engine.tidy();
    await engine.db.insertInto('spent_states').values({ hash: 'b', expires_at_us: 1 }).execute();
    expect([engine.rest(true), logBytes()]).toEqual([false, 0]);
    await engine.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
