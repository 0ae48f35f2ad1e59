import type { RunStatement } from '../schema/statements.ts';
import type { PostgresSession } from './session.ts';

/** Statements straight on the session: what Kysely does around each costs as much as a small one takes. */
export function runOnPostgres(session: PostgresSession): RunStatement {
  return async (text, parameters) => (await session.run(text, parameters)).rows;
}
