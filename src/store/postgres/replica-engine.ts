/**
 * A streaming replica as an engine. What it answers holds all that was acknowledged when the question came, whoever wrote it: the
 * primary is asked for its latest turns, and the connection that answers must have those, too. It waits for it a moment.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { SqlDialect } from '../dialect/dialect.ts';
import type { ReplicaEngine } from '../engine/engine.ts';
import { StorageError } from '../engine/storage-error.ts';
import { describeAddress, type PostgresAddress } from '../engine/postgres-address.ts';
import { openClient } from './connect.ts';
import { READERS } from './engine.ts';
import { toConnectError } from './faults.ts';
import { kyselyOnPostgres, type Sessions } from './kysely-on-postgres.ts';
import { hasReached, LatestTurn, NO_TURNS, readTurns, type Turns } from './latest-turn.ts';
import { passwordSource } from './passwords.ts';
import { assertReplica, readIdentity } from './replica-identity.ts';
import { PostgresSession } from './session.ts';
import { SessionPool } from './session-pool.ts';

/** Opens a replica of the primary for reading; both are connected to with the first statements. */
export function openPostgresReplicaEngine(
  primary: PostgresAddress,
  replica: PostgresAddress,
  dialect: SqlDialect,
): ReplicaEngine {
  const ofPrimary = passwordSource(primary);
  const onPrimary = new PostgresSession(() => openClient(primary, 'read', ofPrimary), ANSWER_MS);
  const latest = new LatestTurn(onPrimary);
  const ofReplica = passwordSource(replica);
  const open = async (): Promise<pg.Client> => {
    const client = await openClient(replica, 'read from a replica', ofReplica);
    const watch = setTimeout(() => client.connection.stream.destroy(), ANSWER_MS);
    const run = async (text: string) =>
      (await client.query<pg.QueryResultRow>(text)) as { rows: unknown[]; rowCount: number };
    try {
      assertReplica(await readIdentity(onPrimary), await readIdentity({ run }));
      // A replica that was started anew may have forgotten what others on this thread have seen.
      await reach(() => readTurns({ run }), latest.known);
      return client;
    } catch (error) {
      client.connection.stream.destroy();
      throw toConnectError(error, describeAddress(replica));
    } finally {
      clearTimeout(watch);
    }
  };
  const watching = new PostgresSession(open, ANSWER_MS);
  const sessions = new CaughtUpSessions(() => new PostgresSession(open));
  return {
    db: kyselyOnPostgres(dialect, sessions),
    dialect,
    asOfNow: async (read) => sessions.withTurns(await latest.read(), read),
    measureLag: async () => {
      const turns = await latest.read();
      return reach(() => readTurns(watching), turns);
    },
    close: async () => {
      // Whoever still tries to connect to what is not there is not waited for.
      const closed = Promise.all([onPrimary, watching, sessions].map((of) => of.close()));
      await Promise.race([closed, sleep(CLOSE_MS, undefined, { ref: false })]);
    },
  };
}

/** Sessions that have what those who use them must see. */
class CaughtUpSessions implements Sessions {
  readonly #pool: SessionPool;
  readonly #wanted = new AsyncLocalStorage<Turns>();
  /** The turns that each has at least; one that connects anew has it, too, or does not open. */
  readonly #reached = new WeakMap<PostgresSession, Turns>();

  constructor(make: () => PostgresSession) {
    this.#pool = new SessionPool(READERS, make);
  }

  /** Runs reads that must see the turns. */
  withTurns<T>(turns: Turns, read: () => Promise<T>): Promise<T> {
    return this.#wanted.run(turns, read);
  }

  async acquire(): Promise<PostgresSession> {
    const wanted = this.#wanted.getStore();
    if (wanted === undefined) throw new Error('a read of a replica says what it must see');
    const session = await this.#pool.acquire();
    if (hasReached(this.#reached.get(session) ?? NO_TURNS, wanted)) return session;
    try {
      await reach(() => readTurns(session), wanted);
      this.#reached.set(session, wanted);
      return session;
    } catch (error) {
      this.#pool.release(session);
      throw error;
    }
  }

  release(session: PostgresSession): void {
    this.#pool.release(session);
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}

/**
 * Waits until a replica has the turns; says how long, in milliseconds, and 0 where it had it already.
 * @throws StorageError `unavailable` where it does not have it in time
 */
async function reach(read: () => Promise<Turns>, wanted: Turns): Promise<number> {
  const startedAtMs = performance.now();
  for (let pauseMs = 0; ; pauseMs = Math.min(2 * pauseMs + 1, MAX_PAUSE_MS)) {
    const waitedMs = performance.now() - startedAtMs;
    if (hasReached(await read(), wanted)) return pauseMs === 0 ? 0 : waitedMs;
    if (waitedMs > MAX_LAG_MS) throw new StorageError('unavailable', LAGS, undefined);
    await sleep(pauseMs);
  }
}

/** How long a read waits for what was acknowledged before it: a page that takes longer feels slow. */
const MAX_LAG_MS = 500;
const LAGS = `the replica is more than ${MAX_LAG_MS} ms behind the primary`;
const MAX_PAUSE_MS = 15;

const CLOSE_MS = 1000;

/** How far a server is it says at once, or it is not well. */
const ANSWER_MS = 2000;
