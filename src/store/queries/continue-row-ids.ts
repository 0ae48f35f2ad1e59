import { type Kysely, sql } from 'kysely';
import type { Tables } from '../schema/tables.ts';

/** Has the numbers of rows continue behind the highest that is stored, where they are not further. Index: primary keys. */
export async function continueRowIds(db: Kysely<Tables>): Promise<void> {
  for (const [numbers, table] of NUMBERED) {
    await sql`INSERT INTO row_ids (table_name, next_id) SELECT ${numbers}, coalesce(max(id), 0) + 1 FROM ${sql.table(table)} WHERE TRUE
      ON CONFLICT (table_name) DO UPDATE SET next_id = max(next_id, excluded.next_id)`.execute(db);
  }
}

/** Whose numbers the ids of a table are: blocks of log records are numbered among those of spans. */
const NUMBERED = [
  ['traces', 'traces'],
  ['sessions', 'sessions'],
  ['spans', 'spans'],
  ['blocks', 'blocks'],
  ['blocks', 'log_record_blocks'],
  ['log_records', 'log_records'],
] as const;
