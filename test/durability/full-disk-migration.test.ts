/** A server of a new version that starts on a full disk: it says to make room, loses nothing, and starts once there is room. */
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { type Content, makeAsOf, makeSqliteDatabase } from '#store/migrations/earlier-databases.fixture';
import { MIGRATIONS } from '#store/migrations/list';
import { createTestFolder, removeTestFolder } from '../harness/leftovers.ts';
import { startServerProcess } from '../harness/server-process.ts';
import { fillWithBallast, mountSmallDisk, NO_SMALL_DISK, removeBallast } from '../harness/small-disk.ts';

const MIB = 2 ** 20;
/** Those before the change that makes the table of deletions again, which needs room for what it holds. */
const VERSIONS = MIGRATIONS.findIndex(({ name }) => name === '0010-add-foreign-keys');

it.for([
  ['not a byte is left', 0],
  ['less is left than the change needs', 4 * MIB],
] as const)('is told to make room where %s', { timeout: 180_000 }, async ([, leftBytes], { skip }) => {
  const disk = mountSmallDisk(32) ?? skip(NO_SMALL_DISK);
  const folder = createTestFolder('earlier');
  onTestFinished(() => removeTestFolder(folder));
  const before = await makeEarlier(join(folder, 'earlier.db'));
  const path = join(disk, 'cairn.db');
  copyFileSync(join(folder, 'earlier.db'), path);
  writeFileSync(`${path}.reserve`, Buffer.alloc(MIB, 1));
  fillWithBallast(disk, leftBytes);
  for (let attempt = 0; attempt < 2; attempt++) {
    const refusal = await startServerProcess(disk).then(
      () => 'it started',
      (error: unknown) => String(error),
    );
    expect(refusal).toMatch(/The disk with .*cairn\.db (?:is full|has no room for [^:]*): make room/);
    expect(refusal).not.toContain('repair');
  }
  copyFileSync(path, join(folder, 'after.db'));
  expect(await (await makeSqliteDatabase(join(folder, 'after.db'))).rows()).toEqual(before);

  removeBallast(disk);
  const server = await startServerProcess(disk);
  expect((await fetch(`${server.url}/readyz?require=storing`)).status).toBe(200);
  expect(await server.end('SIGTERM')).toBe(0);
});

/** Makes a data file of an earlier version; gives what is in it. */
async function makeEarlier(path: string): Promise<Content> {
  const database = await makeAsOf(VERSIONS, await makeSqliteDatabase(path));
  await database.exec(`UPDATE deletions SET selection = hex(zeroblob(${4 * MIB})), state = 'finished'`);
  await database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  return database.rows();
}
