/**
 * A streaming replica as an engine. What it answers holds all that was acknowledged when the question came, whoever wrote it: the
 * primary is asked how far it is, and the connection that answers must have replayed as much. It waits for that a moment.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SqlDialect } from '../dialect/dialect.ts';
import type { ReplicaEngine } from '../engine/engine.ts';
import { StorageError } from '../engine/storage-error.ts';
import { describeAddress, type PostgresAddress } from './address.ts';
import { openClient } from './connect.ts';
import { READERS } from './engine.ts';
import { toConnectError } from './faults.ts';
import { kyselyOnPostgres, type Sessions } from './kysely-on-postgres.ts';
import { passwordSource } from './passwords.ts';
import { PrimaryPosition } from './primary-position.ts';
import { PostgresSession } from './session.ts';
import { SessionPool } from './session-pool.ts';

/** Opens a replica of the primary for reading; both are connected to with the first statements. */
export function openPostgresReplicaEngine(
  primary: PostgresAddress,
  replica: PostgresAddress,
  dialect: SqlDialect,
): ReplicaEngine {
  const ofPrimary = passwordSource(primary);
  const primarySession = new PostgresSession(() => openClient(primary, 'read', ofPrimary), ANSWER_MS);
  const position = new PrimaryPosition(primarySession);
  const identity = async () => (await primarySession.run(IDENTITY, [])).rows[0] as Identity;
  const ofReplica = passwordSource(replica);
  const open = async () => {
    const client = await openClient(replica, 'read', ofReplica);
    try {
      assertSame(await identity(), (await client.query<Identity>(IDENTITY)).rows[0]);
      // A replica that was restarted may have forgotten what others on this thread have seen.
      await reach(() => client.query<Replayed>(REPLAYED), position.highest);
      return client;
    } catch (error) {
      client.connection.stream.destroy();
      throw toConnectError(error, describeAddress(replica));
    }
  };
  const watching = new PostgresSession(open, ANSWER_MS);
  const sessions = new CaughtUpSessions(() => new PostgresSession(open));
  return {
    db: kyselyOnPostgres(dialect, sessions),
    dialect,
    asOfNow: async (read) => sessions.from(await position.ask(), read),
    measureLag: async () => {
      const wanted = await position.ask();
      return reach(() => replayedOn(watching), wanted);
    },
    close: async () => {
      await Promise.all([primarySession.close(), watching.close(), sessions.close()]);
    },
  };
}

/** Sessions that have replayed what those who use them must see. */
class CaughtUpSessions implements Sessions {
  readonly #pool: SessionPool;
  readonly #wanted = new AsyncLocalStorage<number>();
  /** How far each is at least; one that connects anew is as far, or does not open. */
  readonly #reached = new WeakMap<PostgresSession, number>();

  constructor(make: () => PostgresSession) {
    this.#pool = new SessionPool(READERS, make);
  }

  /** Runs reads that must see what is before the position. */
  from<T>(position: number, read: () => Promise<T>): Promise<T> {
    return this.#wanted.run(position, read);
  }

  async acquire(): Promise<PostgresSession> {
    const wanted = this.#wanted.getStore() ?? 0;
    const session = await this.#pool.acquire();
    if ((this.#reached.get(session) ?? -1) >= wanted) return session;
    try {
      await reach(() => replayedOn(session), wanted);
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
 * Waits until the replica has replayed what is before the position; says how long, in milliseconds, and 0 where it had already.
 * @throws StorageError `unavailable` where it has not in time, or is no replica
 */
async function reach(look: () => Promise<{ readonly rows: readonly unknown[] }>, position: number): Promise<number> {
  const startedAtMs = performance.now();
  for (let pauseMs = 0; ; pauseMs = Math.min(2 * pauseMs + 1, MAX_PAUSE_MS)) {
    const waitedMs = performance.now() - startedAtMs;
    const { replayed } = (await look()).rows[0] as Replayed;
    if (replayed === null) throw unusable('it is no standby');
    if (replayed >= position) return pauseMs === 0 ? 0 : waitedMs;
    if (waitedMs > MAX_LAG_MS) throw unusable(`it is more than ${MAX_LAG_MS} ms behind the primary`);
    await sleep(pauseMs);
  }
}

function replayedOn(session: PostgresSession): Promise<{ readonly rows: readonly unknown[] }> {
  return session.run(REPLAYED, []);
}

function assertSame(primary: Identity, replica: Identity | undefined): void {
  if (primary.system !== replica?.system) throw unusable('it is a replica of another server');
  if (primary.database !== replica.database) throw unusable('it is another database of the server');
  if (primary.schema !== replica.schema) throw unusable('the schema of the tables is not there');
}

function unusable(why: string): StorageError {
  return new StorageError('unavailable', why, undefined);
}

/** How long a read waits for what was acknowledged before it; more than it takes PostgreSQL to flush what nobody waits for (0.2 s). */
const MAX_LAG_MS = 500;
const MAX_PAUSE_MS = 15;

/** Questions about positions are answered at once, or not at all. */
const ANSWER_MS = 2000;

interface Replayed {
  readonly replayed: number | null;
}

const REPLAYED = `SELECT CASE WHEN pg_is_in_recovery()
  THEN pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::bigint END AS replayed`;

/** A streaming replica has the numbers of its primary. */
interface Identity {
  readonly system: string;
  readonly database: number;
  readonly schema: number | null;
}

const IDENTITY = `SELECT (SELECT system_identifier::text FROM pg_control_system()) AS system,
  (SELECT oid FROM pg_database WHERE datname = current_database()) AS database,
  (SELECT oid FROM pg_namespace WHERE nspname = current_schema()) AS schema`;
