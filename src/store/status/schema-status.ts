/** Which changes of the schema a database has. */
import type { Kysely } from 'kysely';
import { findUnknownMigrations, MIGRATIONS } from '../migrations/list.ts';
import type { Tables } from '../schema/tables.ts';

/** A migration that has run. */
export interface AppliedMigration {
  readonly name: string;
  /** In microseconds since the Unix epoch. */
  readonly appliedAtUs: number;
}

/** By name, in order. */
export interface SchemaStatus {
  readonly applied: readonly AppliedMigration[];
  /** What this version would run. */
  readonly pending: readonly string[];
  /** What a newer version ran. */
  readonly unknown: readonly string[];
}

/** Reads the journal of a database that is ours. */
export async function readSchemaStatus(db: Kysely<Tables>): Promise<SchemaStatus> {
  const rows = await db.selectFrom('schema_migrations').selectAll().orderBy('name').execute();
  const names = new Set(rows.map(({ name }) => name));
  return {
    applied: rows.map((row) => ({ name: row.name, appliedAtUs: row.applied_at_us })),
    pending: MIGRATIONS.map(({ name }) => name).filter((name) => !names.has(name)),
    unknown: findUnknownMigrations([...names]),
  };
}
