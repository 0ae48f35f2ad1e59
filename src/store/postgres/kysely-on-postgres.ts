/** Kysely over sessions of this thread. */
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';
import type { SqlDialect } from '../dialect/dialect.ts';
import type { Tables } from '../schema/tables.ts';
import type { PostgresSession } from './session.ts';

/** Where statements find a session. */
export interface Sessions {
  acquire(): Promise<PostgresSession>;
  release(session: PostgresSession): void;
}

/** Typed queries on the sessions. Destroying it does not close them. */
export function kyselyOnPostgres(dialect: SqlDialect, sessions: Sessions): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: dialect.compileFor(new SessionDriver(sessions)) });
}

class SessionDriver implements Driver {
  readonly #sessions: Sessions;

  constructor(sessions: Sessions) {
    this.#sessions = sessions;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<SessionConnection> {
    return new SessionConnection(await this.#sessions.acquire());
  }

  async beginTransaction(connection: SessionConnection, settings: TransactionSettings): Promise<void> {
    const { isolationLevel, accessMode } = settings;
    const level = isolationLevel === undefined ? '' : ` ISOLATION LEVEL ${isolationLevel}`;
    await connection.session.begin(`BEGIN${level}${accessMode === undefined ? '' : ` ${accessMode}`}`);
  }

  async commitTransaction({ session }: SessionConnection): Promise<void> {
    await session.commit();
  }

  async rollbackTransaction({ session }: SessionConnection): Promise<void> {
    await session.rollback();
  }

  async savepoint({ session }: SessionConnection, name: string): Promise<void> {
    await session.exec(`SAVEPOINT ${quoted(name)}`);
  }

  async rollbackToSavepoint({ session }: SessionConnection, name: string): Promise<void> {
    await session.exec(`ROLLBACK TO SAVEPOINT ${quoted(name)}`);
  }

  async releaseSavepoint({ session }: SessionConnection, name: string): Promise<void> {
    await session.exec(`RELEASE SAVEPOINT ${quoted(name)}`);
  }

  async releaseConnection({ session }: SessionConnection): Promise<void> {
    this.#sessions.release(session);
  }

  async destroy(): Promise<void> {}
}

class SessionConnection implements DatabaseConnection {
  readonly session: PostgresSession;

  constructor(session: PostgresSession) {
    this.session = session;
  }

  async executeQuery<R>({ sql: text, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const { rows, rowCount } = await this.session.run(text, parameters);
    return { rows: rows as R[], numAffectedRows: BigInt(rowCount) };
  }

  // biome-ignore lint/correctness/useYield: the interface wants a generator; no caller streams
  async *streamQuery(): AsyncGenerator<never> {
    throw new Error('rows are read page by page, not streamed');
  }
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
