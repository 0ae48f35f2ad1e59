/** Brings a database to the schema of this version, whoever else begins at the same moment. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type pg from 'pg';
import { postgresDialect } from '../dialect/postgres.ts';
import { StorageError } from '../engine/storage-error.ts';
import { migrate, type MigrateOptions } from '../migrations/migrate.ts';
import type { Tables } from '../schema/tables.ts';
import type { PostgresAddress } from '../engine/postgres-address.ts';
import { openClient } from './connect.ts';
import { kyselyOnPostgres } from './kysely-on-postgres.ts';
import { passwordSource } from './passwords.ts';
import { PostgresSession } from './session.ts';
import { keepRecordsOut, takeTurnToMigrate } from './turn.ts';

/**
 * Creates the schema where one is named that is absent, and runs the migrations that have not run; returns their names.
 * @throws AppError, StorageError
 */
export async function preparePostgres(
  address: PostgresAddress,
  options: Omit<MigrateOptions, 'onBegun'> = {},
): Promise<readonly string[]> {
  const session = new PostgresSession(openOnce(address), MAX_TIMER_MS);
  const db = kyselyOnPostgres(postgresDialect, { acquire: async () => session, release: () => undefined });
  try {
    await lock(db, address, options);
    if (address.schema !== null && options.isDisabled !== true) await createSchema(db, address.schema);
    return await migrate(db, postgresDialect, {
      ...options,
      onBegun: async (transaction) => {
        if (await postgresDialect.hasTable(transaction, 'write_turn')) await takeTurnToMigrate(transaction);
        if (await postgresDialect.hasTable(transaction, 'record_turn')) await keepRecordsOut(transaction);
      },
    });
  } finally {
    await session.close();
  }
}

/** The lock is the connection's: with another one, somebody else may be at work already. */
function openOnce(address: PostgresAddress): () => Promise<pg.Client> {
  let isOpened = false;
  return async () => {
    if (isOpened)
      throw new StorageError('unavailable', 'the connection was lost between two schema changes', undefined);
    isOpened = true;
    return openClient(address, 'migrate', passwordSource(address));
  };
}

/**
 * One migrates, the others wait; the lock is let go of when the session ends, however it ends. It is asked for again and again: a
 * statement that waited would be one that a concurrent build of an index waits for.
 */
async function lock(db: Kysely<Tables>, { schema }: PostgresAddress, { log }: MigrateOptions): Promise<void> {
  for (let isFirst = true; ; isFirst = false) {
    const { rows } = await sql<{ isLocked: boolean }>`
      SELECT pg_try_advisory_lock(${LOCK_SPACE}, hashtext(${schema ?? 'public'})) AS "isLocked"`.execute(db);
    if (rows[0]?.isLocked === true) return;
    if (isFirst) log?.('Another server is upgrading the schema; waiting for it.');
    await sleep(ASK_EVERY_MS);
  }
}

/** Looked for first: whoever may not create schemas may use one. */
async function createSchema(db: Kysely<Tables>, schema: string): Promise<void> {
  const { rows } = await sql`SELECT 1 FROM pg_namespace WHERE nspname = ${schema}`.execute(db);
  if (rows.length === 0) await sql`CREATE SCHEMA IF NOT EXISTS ${sql.id(schema)}`.execute(db);
}

/** `CARN`. */
const LOCK_SPACE = 0x4341524e;

const ASK_EVERY_MS = 200;

/** Longer timers fire at once. */
const MAX_TIMER_MS = 0x7fffffff;
