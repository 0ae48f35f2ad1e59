/**
 * Row ids of the tables that grow fast, given by the writer: ascending in order of arrival and never used twice, also
 * after deletions. They are kept in memory and saved in the transaction that uses them.
 */
import type { Kysely } from 'kysely';
import type { Tables } from '../../schema/tables.ts';
import type { BulkUpdate } from '../../schema/statements.ts';

/** Tables whose ids the writer gives. */
export type NumberedTable = 'traces' | 'sessions' | 'spans' | 'blocks' | 'log_records';

/** Hands out row ids. */
export class RowIds {
  #next: Map<string, number> = new Map();
  #saved: Map<string, number> = new Map();

  /** Reads where to go on; also what to do after a transaction was rolled back. */
  async load(db: Kysely<Tables>): Promise<void> {
    const rows = await db.selectFrom('row_ids').selectAll().execute();
    this.#next = new Map(rows.map((row) => [row.table_name, row.next_id]));
    this.#saved = new Map(this.#next);
  }

  take(table: NumberedTable): number {
    const id = this.#next.get(table);
    if (id === undefined) throw new Error(`row ids of ${table} were not loaded`);
    this.#next.set(table, id + 1);
    return id;
  }

  /** Saves what was taken, inside the transaction that uses it. */
  async save({ bulkUpdate }: { readonly bulkUpdate: BulkUpdate }): Promise<void> {
    const taken = [...this.#next].filter(([table, next]) => this.#saved.get(table) !== next);
    await bulkUpdate(
      'row_ids',
      taken.map(([table_name, next_id]) => ({ table_name, next_id })),
    );
    this.#saved = new Map(this.#next);
  }
}
