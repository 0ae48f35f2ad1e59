/** Kysely whose statements run in another thread. */
import {
  type CompiledQuery,
  type DatabaseConnection,
  type DialectAdapter,
  type Driver,
  Kysely,
  type QueryResult,
} from 'kysely';
import type { SqlDialect } from '../dialect/dialect.ts';
import type { Tables } from '../schema/tables.ts';

/**
 * Typed queries that the function runs elsewhere, each statement by itself: it commits before it returns. None waits for another:
 * there are several threads, and what one caller asks must not hold up the others.
 */
export function remoteKysely(
  dialect: SqlDialect,
  run: (query: CompiledQuery) => Promise<QueryResult<unknown>>,
): Kysely<Tables> {
  const connection: DatabaseConnection = {
    executeQuery: (query) => run(query) as Promise<QueryResult<never>>,
    // biome-ignore lint/correctness/useYield: the interface wants a generator; no caller streams
    async *streamQuery() {
      throw new Error('rows are read page by page, not streamed');
    },
  };
  const noTransaction = () => Promise.reject(new Error('a transaction runs in the thread that holds the connection'));
  const driver: Driver = {
    init: async () => {},
    acquireConnection: async () => connection,
    beginTransaction: noTransaction,
    commitTransaction: noTransaction,
    rollbackTransaction: noTransaction,
    releaseConnection: async () => {},
    destroy: async () => {},
  };
  const compiled = dialect.compileFor(driver);
  return new Kysely<Tables>({ dialect: { ...compiled, createAdapter: () => withoutTurns(compiled.createAdapter()) } });
}

/** For an adapter of one connection Kysely begins a statement when the one before is answered. */
function withoutTurns(adapter: DialectAdapter): DialectAdapter {
  return Object.defineProperty(adapter, 'supportsMultipleConnections', { value: true });
}
