/** The types of the columns of tables, which are asked for once a table. */
import { StorageError } from '../engine/storage-error.ts';
import type { PostgresSession } from './session.ts';

/** A column of a table. */
export interface TypedColumn {
  readonly name: string;
  /** The object id of its type. */
  readonly type: number;
  /** Its type in SQL. */
  readonly typeName: string;
}

/** Of the tables of a session's schema. */
export class ColumnTypes {
  readonly #session: PostgresSession;
  readonly #tables = new Map<string, ReadonlyMap<string, TypedColumn>>();

  constructor(session: PostgresSession) {
    this.#session = session;
  }

  /** The columns of those names, in their order. @throws StorageError `statement` for one that is not there */
  async columnsOf(table: string, names: readonly string[]): Promise<readonly TypedColumn[]> {
    const columns = this.#tables.get(table) ?? (await this.#read(table));
    this.#tables.set(table, columns);
    return names.map((name) => {
      const column = columns.get(name);
      if (column === undefined)
        throw new StorageError('statement', `there is no column ${name} in ${table}`, undefined);
      return column;
    });
  }

  /** Asks anew the next time: the table may have been changed. */
  forget(table: string): void {
    this.#tables.delete(table);
  }

  async #read(table: string): Promise<ReadonlyMap<string, TypedColumn>> {
    const { rows } = await this.#session.run(SELECT, [`"${table}"`]);
    return new Map((rows as readonly TypedColumn[]).map((column) => [column.name, column]));
  }
}

const SELECT = `SELECT attname AS name, atttypid AS type, format_type(atttypid, NULL) AS "typeName" FROM pg_attribute
  WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped`;
