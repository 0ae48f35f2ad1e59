/** Counts what is asked of a connection. */
import type { SqliteConnection } from './connection.ts';

/** Statements run, and rows read or changed by them. */
export interface Work {
  readonly statements: number;
  readonly rows: number;
}

/** Stands between an engine and its connection. */
export class WorkCounter {
  #work: Work = NOTHING;

  /** The connection, watched. */
  readonly watch = (connection: SqliteConnection): SqliteConnection => ({
    ...connection,
    get inTransaction() {
      return connection.inTransaction;
    },
    prepare: (text) => {
      const statement = connection.prepare(text);
      return {
        returnsRows: statement.returnsRows,
        all: (parameters) => {
          const rows = statement.all(parameters);
          this.#count(rows.length);
          return rows;
        },
        run: (parameters) => {
          const result = statement.run(parameters);
          this.#count(result.changes);
          return result;
        },
      };
    },
  });

  /** What was done since the last time. */
  take(): Work {
    const taken = this.#work;
    this.#work = NOTHING;
    return taken;
  }

  #count(rows: number): void {
    this.#work = { statements: this.#work.statements + 1, rows: this.#work.rows + rows };
  }
}

const NOTHING: Work = { statements: 0, rows: 0 };
