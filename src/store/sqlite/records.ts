import type { Kysely } from 'kysely';
import { sqliteDialect } from '../dialect/sqlite.ts';
import type { RecordEngine } from '../engine/records.ts';
import type { Tables } from '../schema/tables.ts';

/** Records share the connection of spans: a file has one writer, and no other server to tell or to wait for. */
export function recordsOnSqlite(db: Kysely<Tables>): RecordEngine {
  return {
    isOnWriteConnection: true,
    transact: (work) =>
      db.transaction().execute((transaction) =>
        work({
          db: transaction,
          dialect: sqliteDialect,
          lock: async () => undefined,
          tell: async () => undefined,
        }),
      ),
    close: async () => undefined,
  };
}
