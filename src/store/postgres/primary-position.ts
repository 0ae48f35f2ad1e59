import type { PostgresSession } from './session.ts';

/** How far a primary is: everything that it has acknowledged is before that, in bytes of its write-ahead log. */
export class PrimaryPosition {
  readonly #session: PostgresSession;
  #highest = 0;
  #running: Promise<unknown> = Promise.resolve();
  #next: Promise<number> | undefined;

  constructor(session: PostgresSession) {
    this.#session = session;
  }

  /** The farthest that anybody was told. */
  get highest(): number {
    return this.#highest;
  }

  /** The position at some moment after the call. One statement answers all who wait for it to be sent. */
  ask(): Promise<number> {
    this.#next ??= this.#running.then(() => {
      this.#next = undefined;
      const asked = this.#read();
      this.#running = asked.catch(() => undefined);
      return asked;
    });
    return this.#next;
  }

  async #read(): Promise<number> {
    const { rows } = await this.#session.run(FLUSHED, []);
    const { position } = rows[0] as { readonly position: number };
    this.#highest = Math.max(this.#highest, position);
    return position;
  }
}

/**
 * What is inserted and not flushed is of nobody who was acknowledged, and no replica has it.
 * @see https://www.postgresql.org/docs/current/functions-admin.html#FUNCTIONS-ADMIN-BACKUP
 */
const FLUSHED = `SELECT pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0')::bigint AS position`;
