import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openSqliteWriter } from './connection.ts';
import { DiskReserve, freeBytesBeside } from './disk-reserve.ts';
import { holdCheckpoints, makeRoomToDelete } from './full-disk.ts';

const MIB = 1024 * 1024;

let disk: string;

beforeEach(() => {
  disk = mkdtempSync(join(tmpdir(), 'cairn-full-disk-'));
});

afterEach(() => {
  spawnSync('umount', [disk]);
  rmSync(disk, { recursive: true, force: true });
});

it('leaves the last room to smaller steps where what the log holds does not fit into the data file', ({ skip }) => {
  const isMounted =
    process.platform === 'linux' && spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', disk]).status === 0;
  if (!isMounted) skip('a small disk cannot be mounted here');
  const path = join(disk, 'cairn.db');
  const connection = openSqliteWriter(path);
  try {
    connection.exec('CREATE TABLE things (id INTEGER PRIMARY KEY, data BLOB); PRAGMA wal_checkpoint(TRUNCATE)');
    holdCheckpoints(connection);
    for (let id = 0; id < 3; id++) connection.prepare('INSERT INTO things VALUES (?, zeroblob(?))').run([id, MIB]);
    const before = statSync(path).size;
    writeFileSync(join(disk, 'ballast'), Buffer.alloc(freeBytesBeside(path) - MIB / 2));
    expect(makeRoomToDelete(connection, path, new DiskReserve(path))).toBe(false);
    expect([statSync(path).size, freeBytesBeside(path)]).toEqual([before, MIB / 2]);
    rmSync(join(disk, 'ballast'));
    expect(makeRoomToDelete(connection, path, new DiskReserve(path))).toBe(true);
    expect([statSync(`${path}-wal`).size, statSync(path).size > before]).toEqual([0, true]);
    expect(makeRoomToDelete(connection, path, new DiskReserve(path))).toBe(false);
  } finally {
    connection.close();
  }
});

it('leaves the log alone while another transaction is open', () => {
  const path = join(disk, 'cairn.db');
  const connection = openSqliteWriter(path);
  try {
    connection.exec('CREATE TABLE things (id INTEGER PRIMARY KEY); BEGIN IMMEDIATE; INSERT INTO things VALUES (1)');
    expect(makeRoomToDelete(connection, path, new DiskReserve(path))).toBe(false);
    connection.exec('COMMIT');
    expect(connection.prepare('PRAGMA busy_timeout').all([])).toEqual([{ timeout: 5000 }]);
    expect(makeRoomToDelete(connection, path, new DiskReserve(path))).toBe(true);
  } finally {
    connection.close();
  }
});
