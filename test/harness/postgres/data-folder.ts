/** Folders of fresh clusters: `initdb` takes 0.7 s, so it runs once a version, and its result is copied. */
import { execFile } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { PostgresAddress } from '#store/engine/postgres-address';
import type { FoundPostgres } from './find-postgres.ts';
import type { Identity } from './unprivileged.ts';

/** Whoever may do everything in a cluster of a test; no password is asked. */
export const SUPERUSER = 'cairn';

const INITDB = `-U ${SUPERUSER} --auth=trust --no-sync --no-instructions --encoding=UTF8 --locale=C`.split(' ');

const run = promisify(execFile);
const CACHE = resolve(import.meta.dirname, '../../../node_modules/.cache/cairn-postgres');

/** Makes the folder, a cluster that has never run. */
export async function makeDataFolder(
  binaries: FoundPostgres & { readonly kind: 'binaries' },
  folder: string,
  identity: Identity | undefined,
): Promise<void> {
  const cached = join(CACHE, `${binaries.version}-${identity?.uid ?? 'own'}`);
  if (!existsSync(cached)) await fillCache(binaries, cached, identity);
  await run('cp', ['-a', cached, folder]);
}

/** Makes the folder, a standby of the cluster. */
export async function copyRunningCluster(
  binaries: FoundPostgres & { readonly kind: 'binaries' },
  { host, port, user }: PostgresAddress,
  folder: string,
  identity: Identity | undefined,
): Promise<void> {
  const from = ['--host', host, '--port', `${port}`, '--username', user];
  const how = ['--write-recovery-conf', '--wal-method=stream', '--checkpoint=fast', '--no-sync'];
  await run(join(binaries.folder, 'pg_basebackup'), ['--pgdata', folder, ...from, ...how], {
    ...identity,
    cwd: dirname(folder),
  });
}

/** Whole or not at all: others may run tests, too. */
async function fillCache(
  binaries: FoundPostgres & { readonly kind: 'binaries' },
  cached: string,
  identity: Identity | undefined,
): Promise<void> {
  // Not in the cache itself: it may lie in a home that nobody else can enter.
  const folder = mkdtempSync(join(tmpdir(), 'cairn-initdb-'));
  mkdirSync(CACHE, { recursive: true });
  const unfinished = mkdtempSync(join(CACHE, 'unfinished-'));
  try {
    if (identity !== undefined) chownSync(folder, identity.uid, identity.gid);
    await run(join(binaries.folder, 'initdb'), ['-D', join(folder, 'data'), ...INITDB], { ...identity, cwd: folder });
    await run('cp', ['-a', join(folder, 'data'), join(unfinished, 'data')]);
    if (!existsSync(cached)) renameSync(join(unfinished, 'data'), cached);
  } catch (error) {
    if (!existsSync(cached)) throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
    rmSync(unfinished, { recursive: true, force: true });
  }
}
