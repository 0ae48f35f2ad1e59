/** The one connection by which a server coordinates: what holds its locks, and what hears of others. */
import type pg from 'pg';
import { Gate } from '#base/gate';
import { followClock } from '#base/moment';
import type { JobName } from '../coordination/port.ts';
import { StorageError } from '../engine/storage-error.ts';
import { JOB_NUMBERS, NOTIFY } from './coordination-messages.ts';
import { toStorageError } from './faults.ts';
import { JOIN } from './presence.ts';
import { CLOCK, findNewerChange, READ_SCHEMA } from './turn.ts';

/** Who hears of a connection. */
export interface LinkListener {
  onPayload(payload: string): void;
  /** Called once, at once: all locks are gone, or soon will be. */
  onLost(): void;
}

/** An open connection. Whatever fails on it ends it: a lock that may be held by nobody is no lock. */
export class CoordinationLink {
  readonly #client: pg.Client;
  readonly #listener: LinkListener;
  readonly #answerMs: number;
  readonly #gate = new Gate();
  readonly #lost = new AbortController();
  /** Its object id: the number of the schema in this database. */
  #schema = 0;
  #pendingCount = 0;

  private constructor(client: pg.Client, listener: LinkListener, answerMs: number) {
    this.#client = client;
    this.#listener = listener;
    this.#answerMs = answerMs;
    client.on('error', (error) => this.#lose(error));
    client.on('end', () => this.#lose(ENDED));
    client.on('notification', ({ payload }) => {
      if (!this.isLost) listener.onPayload(payload ?? '');
    });
  }

  /** Begins to listen. @param answerMs after which a server that does not answer is given up */
  static async open(client: pg.Client, listener: LinkListener, answerMs: number): Promise<CoordinationLink> {
    const link = new CoordinationLink(client, listener, answerMs);
    const [schema] = (await link.#ask(SCHEMA)) as readonly { readonly oid: number }[];
    if (schema === undefined) throw link.#lose(new StorageError('unavailable', 'the schema is not there', undefined));
    link.#schema = schema.oid;
    await link.#ask(`${SETTINGS} LISTEN cairn_${schema.oid}`);
    const [presence] = (await link.#ask(JOIN)) as readonly { readonly hasJoined: boolean }[];
    if (presence?.hasJoined !== true)
      throw link.#lose(new StorageError('unavailable', 'it is being copied', undefined));
    await link.followClock();
    return link;
  }

  /** Aborted when the connection is lost, with the reason. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  get isLost(): boolean {
    return this.#lost.signal.aborted;
  }

  /** Statements that have no answer yet. */
  get pendingCount(): number {
    return this.#pendingCount;
  }

  /** Whether the lock of the job is this connection's now, which it stays until the connection ends. */
  async tryLock(job: JobName): Promise<boolean> {
    const [row] = await this.#ask(TRY_LOCK, [LOCK_SPACE + JOB_NUMBERS[job], this.#schema | 0]);
    return (row as { readonly isLocked: boolean } | undefined)?.isLocked === true;
  }

  async notify(payload: string): Promise<void> {
    await this.#ask(NOTIFY, [payload]);
  }

  /** Has moments be those of the database. */
  async followClock(): Promise<void> {
    const [row] = await this.#ask(`SELECT ${CLOCK}`);
    followClock((row as { readonly nowUs: number }).nowUs);
  }

  /** The last change of the schema that this version does not know. */
  async findNewerChange(): Promise<string | undefined> {
    return findNewerChange(await this.#ask(READ_SCHEMA));
  }

  /** Lets go of all locks. */
  async close(): Promise<void> {
    if (this.isLost) return;
    await this.#gate.run(async () => {
      const watch = this.#watch();
      await this.#client.end().catch(() => undefined);
      clearTimeout(watch);
    });
    this.#lose(ENDED);
  }

  async #ask(text: string, values: readonly unknown[] = []): Promise<readonly unknown[]> {
    this.#pendingCount++;
    try {
      return await this.#gate.run(async () => {
        const watch = this.#watch();
        try {
          return (await this.#client.query<pg.QueryResultRow>(text, [...values])).rows;
        } finally {
          clearTimeout(watch);
        }
      });
    } catch (error) {
      throw this.#lose(toStorageError(error));
    } finally {
      this.#pendingCount--;
    }
  }

  #watch(): NodeJS.Timeout {
    return setTimeout(() => this.#lose(SILENT), this.#answerMs);
  }

  /** Returns the first reason. */
  #lose(reason: unknown): unknown {
    if (this.isLost) return this.lost.reason;
    this.#lost.abort(reason);
    // A farewell could wait for a server that is not there.
    this.#client.connection.stream.destroy();
    this.#listener.onLost();
    return reason;
  }
}

const ENDED = new StorageError('unavailable', 'the connection has ended', undefined);
const SILENT = new StorageError('unavailable', 'PostgreSQL does not answer', undefined);

const SCHEMA = 'SELECT oid FROM pg_namespace WHERE nspname = current_schema()';

/** A server that is cut off while it is being told something must let go of its locks, too. */
const SETTINGS = `SET application_name = 'cairn coordination'; SET tcp_user_timeout = 20000;`;

/** A lock is known by two numbers: which job, and of which schema. */
const TRY_LOCK = 'SELECT pg_try_advisory_lock($1, $2) AS "isLocked"';

/** `CAR` and a space. */
const LOCK_SPACE = 0x43415220;
