/** Copies from one database to another, whatever their engines. */
import { AppError } from '#base/errors';
import {
  type CopyReport,
  type CopyWatcher,
  copyDatabase,
  describeNewDatabase,
  type NewDatabase,
} from '../copy/copy-database.ts';
import { readSchemaStatus } from '../status/schema-status.ts';
import type { EngineConfig } from '../engine/engine-config.ts';
import { claimDatabase, openReadEngine, openWriteEngine } from './open-engine.ts';

/**
 * Copies everything; no server may run on either.
 * @throws AppError `failed_precondition` with what to do: no data, another version's, in use, or not empty
 */
export async function copyBetween(from: EngineConfig, to: EngineConfig, watcher: CopyWatcher): Promise<CopyReport> {
  const claims: { release(): void | Promise<void> }[] = [];
  try {
    claims.push(await claimDatabase(from, { isArgument: true }));
    claims.push(await claimDatabase(to, { isArgument: true, mayBeUnfinished: true, willWrite: true }));
    for (const config of [from, to]) claims.push(await holdAlone(config));
    const source = await openReadEngine(from);
    try {
      await assertUpToDate(source);
      const target = await openWriteEngine(to, () => undefined);
      try {
        await target.prepare();
        return await copyDatabase(source, target, await makeAndDescribe(), watcher);
      } finally {
        await target.close();
      }
    } finally {
      await source.close();
    }
  } finally {
    for (const claim of claims) await claim.release();
  }
}

/** What a new database holds, read from one in memory. */
async function makeAndDescribe(): Promise<NewDatabase> {
  const fresh = await openWriteEngine({ engine: 'sqlite', path: ':memory:', blockAboveBytes: null }, () => undefined);
  try {
    await fresh.prepare();
    return await describeNewDatabase(fresh);
  } finally {
    await fresh.close();
  }
}

/** A file is one server's, which its claim keeps away. */
async function holdAlone(config: EngineConfig) {
  if (config.engine === 'sqlite') return { release: () => undefined };
  return (await import('../postgres/presence.ts')).holdAlone(config.address);
}

async function assertUpToDate(source: Awaited<ReturnType<typeof openReadEngine>>): Promise<void> {
  const hasData = await source.dialect.hasTable(source.db, 'schema_migrations');
  const pending = hasData ? (await readSchemaStatus(source.db)).pending : [];
  if (hasData && pending.length === 0) return;
  throw new AppError(
    'failed_precondition',
    hasData
      ? 'The data was written by an older version of Cairn: upgrade it first with cairn db migrate.'
      : 'There is no data to copy: name the data file, or the URL of the database.',
  );
}
