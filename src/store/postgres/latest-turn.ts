import { StorageError } from '../engine/storage-error.ts';
import { sqlStateOf } from './faults.ts';
import type { PostgresSession } from './session.ts';

/**
 * What a server has: the last transaction that wrote spans, and the last that wrote records. Each of the two is committed in its
 * order, so whoever sees one sees all of its kind that was written before it, by whichever server. The two are in no order with each
 * other: a primary may show a later commit of one kind before an earlier one of the other, so both are compared.
 */
export interface Turns {
  readonly spans: number;
  readonly records: number;
}

/** Before any. */
export const NO_TURNS: Turns = { spans: -1, records: -1 };

/** Whether who has `turns` has all of `wanted`. */
export function hasReached(turns: Turns, wanted: Turns): boolean {
  return turns.spans >= wanted.spans && turns.records >= wanted.records;
}

/** What the server of the session has. */
export async function readTurns(session: Pick<PostgresSession, 'run'>): Promise<Turns> {
  try {
    const { rows } = await session.run(TURNS, []);
    return rows[0] as Turns;
  } catch (error) {
    if (sqlStateOf(error) === UNDEFINED_TABLE)
      throw new StorageError('unavailable', 'the tables are not there yet', error);
    throw error;
  }
}

/** The latest turns of a primary. */
export class LatestTurn {
  readonly #session: Pick<PostgresSession, 'run'>;
  #known = NO_TURNS;
  #running: Promise<unknown> = Promise.resolve();
  #next: Promise<Turns> | undefined;

  constructor(session: Pick<PostgresSession, 'run'>) {
    this.#session = session;
  }

  /** The latest that was read. */
  get known(): Turns {
    return this.#known;
  }

  /** The latest at some moment after the call: one statement answers all who called before it was sent. */
  read(): Promise<Turns> {
    this.#next ??= this.#running.then(() => {
      this.#next = undefined;
      const reading = this.#read();
      this.#running = reading.catch(() => undefined);
      return reading;
    });
    return this.#next;
  }

  async #read(): Promise<Turns> {
    const { spans, records } = await readTurns(this.#session);
    this.#known = { spans: Math.max(this.#known.spans, spans), records: Math.max(this.#known.records, records) };
    return this.#known;
  }
}

/** Before the first start, and until what it made has arrived. */
const UNDEFINED_TABLE = '42P01';

const TURNS = 'SELECT (SELECT turn FROM write_turn) AS spans, (SELECT turn FROM record_turn) AS records';
