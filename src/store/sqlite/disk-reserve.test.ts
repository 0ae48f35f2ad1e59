import { mkdirSync, mkdtempSync, renameSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { DiskReserve, freeBytesBeside, reserveBytesFor } from './disk-reserve.ts';
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

it('what is set aside follows the size of the data, between 1 and 8 MiB', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-reserve-'));
  try {
    const path = join(folder, 'cairn.db');
    const heldBytes = () => statSync(`${path}.reserve`, { throwIfNoEntry: false })?.size ?? 0;
    const held: number[] = [];
    const reserve = new DiskReserve(path);
    expect(reserve.isHeld).toBe(false);
    for (const dataMib of [0, 1, 191, 193, 100_000, 300]) {
      expect(reserve.fit(dataMib * MIB)).toBe(true);
      held.push(heldBytes() / MIB);
    }
    expect(held).toEqual([1, 1, 1, 2, 8, 2]);
    expect(new DiskReserve(path).isHeld).toBe(true);
    expect([reserve.release(), reserve.release(), reserve.isHeld, heldBytes()]).toEqual([true, false, false, 0]);
    // A server that was killed while it wrote the file.
    reserve.fit(0);
    truncateSync(`${path}.reserve`, 1000);
    const next = new DiskReserve(path);
    expect([next.isHeld, next.fit(0), heldBytes()]).toEqual([false, true, reserveBytesFor(0)]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it('what cannot be set aside fails nothing', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-reserve-'));
  try {
    const path = join(folder, 'cairn.db');
    const reserve = new DiskReserve(path);
    reserve.fit(0);
    rmSync(`${path}.reserve`);
    mkdirSync(`${path}.reserve`);
    expect([reserve.fit(300 * MIB), new DiskReserve(path).fit(0)]).toEqual([true, false]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it('that a data file was moved is said after what is written to it, not before', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-reserve-'));
  try {
    const path = join(folder, 'cairn.db');
    const losses: string[] = [];
    const engine = openSqliteWriteEngine({ path, blockAboveBytes: null }, (message) => losses.push(message));
    await engine.prepare();
    await engine.assertRoom();
    renameSync(path, `${path}.moved`);
    await engine.assertRoom();
    expect(() => engine.assertKept()).toThrow(expect.objectContaining({ code: 'unavailable' }));
    expect(losses).toHaveLength(1);
    await engine.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

const MIB = 1024 * 1024;
