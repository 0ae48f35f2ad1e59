import type { Kysely } from 'kysely';
import { postgresDialect } from '../dialect/postgres.ts';
import type { Tables } from '../schema/tables.ts';

/** Bytes of the tables, with their indexes. */
export async function measureUsedBytes(db: Kysely<Tables>): Promise<number> {
  const tables = await postgresDialect.measureTables(db);
  return tables.reduce((sum, { bytes }) => sum + bytes, 0);
}
