/** One connection that is opened when it is needed, and anew when it was lost. */
import type pg from 'pg';
import { Gate } from '#base/gate';
import { StorageError } from '../engine/storage-error.ts';
import { STATEMENT_TIMEOUT_MS } from './connect.ts';
import { CopyIn } from './copy-in.ts';
import { sqlStateOf, toStorageError } from './faults.ts';
import { toParameters } from './parameters.ts';
import { StatementNames } from './statement-names.ts';

/** What a statement gave. */
export interface SessionResult {
  readonly rows: readonly unknown[];
  /** Rows that it changed, or returned. */
  readonly rowCount: number;
}

/** Runs statements one after the other; whatever fails throws a `StorageError`. */
export class PostgresSession {
  readonly #open: () => Promise<pg.Client>;
  readonly #timeoutMs: number;
  readonly #gate = new Gate();
  #connection: OpenConnection | undefined;
  /** That of the transaction under way. */
  #transaction: OpenConnection | undefined;
  #isClosed = false;

  /**
   * `open` is called for the first statement, and for the first after the connection was lost.
   * @param timeoutMs after which a statement that the server does not end is given up
   */
  constructor(open: () => Promise<pg.Client>, timeoutMs = STATEMENT_TIMEOUT_MS + GRACE_MS) {
    this.#open = open;
    this.#timeoutMs = timeoutMs;
  }

  /** Runs one statement, which stays prepared. */
  run(text: string, parameters: readonly unknown[]): Promise<SessionResult> {
    return this.#use(async ({ client, names }) => {
      const statement = { name: names.nameOf(text), text, values: toParameters(parameters) };
      try {
        const { rows, rowCount } = await client.query<pg.QueryResultRow>(statement);
        return { rows, rowCount: rowCount ?? 0 };
      } catch (error) {
        if (isOneOf(STALE, error)) names.forget(text);
        throw error;
      }
    });
  }

  /** Runs statements without parameters, all or none of them. */
  exec(text: string): Promise<void> {
    return this.#use(async ({ client }) => {
      await client.query(text);
    });
  }

  /** Runs `COPY … FROM STDIN` with its data. */
  copyIn(text: string, chunks: readonly Buffer[]): Promise<void> {
    return this.#use(({ client }) => client.query(new CopyIn(text, chunks)).done);
  }

  /** Begins a transaction: until it ends, no statement runs on another connection. */
  begin(text = 'BEGIN'): Promise<void> {
    return this.#use(async (connection) => {
      // PostgreSQL would only warn, and end both with the first that ends.
      if (this.#transaction !== undefined) throw new Error('a transaction is open already');
      await connection.client.query(text);
      this.#transaction = connection;
    });
  }

  /**
   * @throws StorageError `unavailable` too where nobody knows whether it was committed; `statement` where it was not, because one of
   * its statements failed
   */
  async commit(): Promise<void> {
    const done = await this.#end('COMMIT');
    // PostgreSQL takes it for a ROLLBACK then, and calls that no error.
    if (done !== 'COMMIT') throw new StorageError('statement', 'the transaction had failed', undefined);
  }

  /** Of what was lost with the connection, too. */
  async rollback(): Promise<void> {
    if (this.#transaction?.isLost === true) this.#transaction = undefined;
    else await this.#end('ROLLBACK');
  }

  /** Ends the connection when what runs has ended; what is asked for later fails. */
  close(): Promise<void> {
    return this.#gate.run(async () => {
      this.#isClosed = true;
      const connection = this.#connection;
      if (connection === undefined) return;
      const watch = setTimeout(() => connection.lose(), GRACE_MS);
      await connection.client.end();
      clearTimeout(watch);
    });
  }

  /** Returns what the server did. */
  #end(text: string): Promise<string> {
    return this.#use(async ({ client }) => (await client.query(text)).command).finally(() => {
      this.#transaction = undefined;
    });
  }

  #use<T>(task: (connection: OpenConnection) => Promise<T>): Promise<T> {
    return this.#gate.run(async () => {
      const connection = await this.#current();
      // The server ends statements that take long, unless it cannot be reached.
      const watch = setTimeout(() => connection.lose(), this.#timeoutMs);
      try {
        return await task(connection);
      } catch (error) {
        if (isOneOf(LAST, error)) connection.lose();
        throw toStorageError(error);
      } finally {
        clearTimeout(watch);
      }
    });
  }

  async #current(): Promise<OpenConnection> {
    if (this.#isClosed) throw new StorageError('unavailable', 'the database is closed', undefined);
    if (this.#transaction !== undefined) {
      if (!this.#transaction.isLost) return this.#transaction;
      throw new StorageError('unavailable', 'the connection was lost within a transaction', undefined);
    }
    if (this.#connection === undefined || this.#connection.isLost) {
      this.#connection = new OpenConnection(await this.#open());
    }
    return this.#connection;
  }
}

const GRACE_MS = 5_000;

/** A table of the statement has changed, or the server does not know the statement any more. */
const STALE: ReadonlySet<string> = new Set(['0A000', '26000']);

/**
 * The server has ended the connection, which the socket says a moment later; or it is no primary any more, and whoever connects anew
 * is led to the one that is.
 */
const LAST: ReadonlySet<string> = new Set(['57P01', '57P02', '57P03', '57P05', '25P03', '25P04', '25006']);

function isOneOf(codes: ReadonlySet<string>, error: unknown): boolean {
  return codes.has(sqlStateOf(error) ?? '');
}

/** Statements kept prepared; list queries vary with their filters, and each takes memory of the server. */
const MAX_STATEMENTS = 300;

class OpenConnection {
  readonly client: pg.Client;
  readonly names: StatementNames;
  isLost = false;

  constructor(client: pg.Client) {
    this.client = client;
    this.names = new StatementNames(client, MAX_STATEMENTS);
    client.on('error', () => this.lose());
    client.on('end', () => this.lose());
  }

  /** It is not used any more. */
  lose(): void {
    this.isLost = true;
    // Whoever still waits for it hears that; a farewell could wait for a server that is not there.
    this.client.connection.stream.destroy();
  }
}
