import { StorageError } from '../engine/storage-error.ts';
import { sqlStateOf } from './faults.ts';
import type { PostgresSession } from './session.ts';

/**
 * What a server has: the turn of the last transaction that wrote. Turns are committed in their order, so whoever sees one sees
 * all that was written before it, by whichever server.
 */
export async function readTurn(session: Pick<PostgresSession, 'run'>): Promise<number> {
  try {
    const { rows } = await session.run(TURN, []);
    return (rows[0] as { readonly turn: number }).turn;
  } catch (error) {
    if (sqlStateOf(error) === UNDEFINED_TABLE)
      throw new StorageError('unavailable', 'the tables are not there yet', error);
    throw error;
  }
}

/** The latest turn of a primary. */
export class LatestTurn {
  readonly #session: Pick<PostgresSession, 'run'>;
  #known = 0;
  #running: Promise<unknown> = Promise.resolve();
  #next: Promise<number> | undefined;

  constructor(session: Pick<PostgresSession, 'run'>) {
    this.#session = session;
  }

  /** The latest that was read. */
  get known(): number {
    return this.#known;
  }

  /** The latest at some moment after the call: one statement answers all who called before it was sent. */
  read(): Promise<number> {
    this.#next ??= this.#running.then(() => {
      this.#next = undefined;
      const reading = this.#read();
      this.#running = reading.catch(() => undefined);
      return reading;
    });
    return this.#next;
  }

  async #read(): Promise<number> {
    this.#known = Math.max(this.#known, await readTurn(this.#session));
    return this.#known;
  }
}

/** Before the first start, and until what it made has arrived. */
const UNDEFINED_TABLE = '42P01';

const TURN = 'SELECT turn FROM write_turn';
