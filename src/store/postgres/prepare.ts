/** Brings a database to the schema of this version, whoever else begins at the same moment. */
import { type Kysely, sql } from 'kysely';
import type { SqlDialect } from '../dialect/dialect.ts';
import { migrate } from '../migrate.ts';
import type { Tables } from '../schema/tables.ts';
import type { PostgresAddress } from './address.ts';
import { openClient } from './connect.ts';
import { kyselyOnPostgres } from './kysely-on-postgres.ts';
import { passwordSource } from './passwords.ts';
import { PostgresSession } from './session.ts';

/** Creates the schema where one is named that is absent, and runs the migrations that have not run; returns their names. */
export async function preparePostgres(address: PostgresAddress, dialect: SqlDialect): Promise<readonly string[]> {
  const session = new PostgresSession(() => openClient(address, 'migrate', passwordSource(address)), MAX_TIMER_MS);
  const db = kyselyOnPostgres(dialect, { acquire: async () => session, release: () => undefined });
  try {
    // Let go of when the session ends, however it ends.
    await sql`SELECT pg_advisory_lock(${LOCK_SPACE}, hashtext(${address.schema ?? 'public'}))`.execute(db);
    if (address.schema !== null) await createSchema(db, address.schema);
    return await migrate(db, dialect);
  } finally {
    await session.close();
  }
}

/** Looked for first: whoever may not create schemas may use one. */
async function createSchema(db: Kysely<Tables>, schema: string): Promise<void> {
  const { rows } = await sql`SELECT 1 FROM pg_namespace WHERE nspname = ${schema}`.execute(db);
  if (rows.length === 0) await sql`CREATE SCHEMA IF NOT EXISTS ${sql.id(schema)}`.execute(db);
}

/** `CARN`. */
const LOCK_SPACE = 0x4341524e;

/** Longer timers fire at once. */
const MAX_TIMER_MS = 0x7fffffff;
