/** The one connection by which a server coordinates: what renews its leases, and what hears of others. */
import type pg from 'pg';
import { Gate } from '#base/gate';
import { followClock } from '#base/moment';
import { StorageError } from '../engine/storage-error.ts';
import { NOTIFY } from './coordination-messages.ts';
import { toStorageError } from './faults.ts';
import { type LeasedJob, leaseParameters, type LeaseRequest, RELEASE_LEASES, RENEW_LEASES } from './leases.ts';
import { JOIN } from './presence.ts';
import { CLOCK, findNewerChange, READ_SCHEMA } from './turn.ts';

/** Who hears of a connection. */
export interface LinkListener {
  onPayload(payload: string): void;
  /** Called once, at once: leases cannot be renewed, and will soon be over. */
  onLost(): void;
}

/** An open connection. Whatever fails on it ends it. */
export class CoordinationLink {
  readonly #client: pg.Client;
  readonly #listener: LinkListener;
  readonly #answerMs: number;
  readonly #gate = new Gate();
  readonly #lost = new AbortController();
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

  /** All jobs that are not over, and which of them the server has from now on. */
  async renewLeases(request: LeaseRequest): Promise<readonly LeasedJob[]> {
    return (await this.#ask(RENEW_LEASES, leaseParameters(request))) as readonly LeasedJob[];
  }

  /** Lets others have the jobs of the server. */
  async releaseLeases(serverId: string): Promise<void> {
    await this.#ask(RELEASE_LEASES, [serverId]);
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

/** A server that is cut off while it is being told something counts as present no longer than others. */
const SETTINGS = `SET application_name = 'cairn coordination'; SET tcp_user_timeout = 20000;`;
