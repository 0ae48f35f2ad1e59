import type { RunStatement } from '../schema/statements.ts';
import type { SqliteConnection } from './connection.ts';

/** Statements straight on the connection: what Kysely does around each costs as much as a small one takes. */
export function runOnSqlite(connection: SqliteConnection): RunStatement {
  return async (text, parameters) => {
    const statement = connection.prepare(text);
    if (statement.returnsRows) return statement.all(parameters);
    statement.run(parameters);
    return [];
  };
}
