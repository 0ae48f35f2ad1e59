import { type Kysely, sql } from 'kysely';
import type { Tables } from '../schema/tables.ts';

/** Bytes of the tables, with their indexes. */
export async function measureUsedBytes(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    SELECT coalesce(sum(pg_total_relation_size(oid)), 0) AS bytes FROM pg_class
    WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema()) AND relkind = 'r'`.execute(db);
  return rows[0]?.bytes ?? 0;
}
