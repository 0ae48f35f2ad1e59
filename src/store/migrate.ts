/** Brings a database to the schema of this version. */
import { type Kysely, sql } from 'kysely';
import type { SqlDialect } from './dialect/dialect.ts';
import { MIGRATIONS } from './migrations/list.ts';
import type { Tables } from './schema/tables.ts';

/** Runs the migrations that have not run, each in a transaction of its own; returns their names. */
export async function migrate(db: Kysely<Tables>, dialect: SqlDialect): Promise<readonly string[]> {
  await sql.raw(dialect.define(JOURNAL)).execute(db);
  const applied = new Set((await db.selectFrom('schema_migrations').select('name').execute()).map((row) => row.name));
  const pending = MIGRATIONS.filter((migration) => !applied.has(migration.name));
  for (const migration of pending) {
    await db.transaction().execute(async (transaction) => {
      for (const statement of migration.statements(dialect)) await sql.raw(statement).execute(transaction);
      await transaction
        .insertInto('schema_migrations')
        .values({ name: migration.name, applied_at_us: Date.now() * 1000 })
        .execute();
    });
  }
  return pending.map((migration) => migration.name);
}

const JOURNAL = 'CREATE TABLE IF NOT EXISTS schema_migrations (name TEXT PRIMARY KEY, applied_at_us INTEGER NOT NULL)';
