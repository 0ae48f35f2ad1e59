/**
 * Records on PostgreSQL: a connection of their own, so that they wait for no commit of spans. Their transactions run beside each other,
 * and beside those of other servers. The one row of `record_turn` orders them for readers of a replica, and keeps them out of a
 * transaction that changes the schema.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '#base/errors';
import { Gate } from '#base/gate';
import type { SqlDialect } from '../dialect/dialect.ts';
import type { RecordEngine } from '../engine/records.ts';
import { StorageError } from '../engine/storage-error.ts';
import { notifyTouched } from './coordination-messages.ts';
import { kyselyOnPostgres } from './kysely-on-postgres.ts';
import { runOnPostgres } from './run-statement.ts';
import type { PostgresSession } from './session.ts';
import { findNewerChange, READ_SCHEMA } from './turn.ts';

/** Runs them on the session, one after the other. */
export function recordsOnPostgres(session: PostgresSession, dialect: SqlDialect, serverId: string): RecordEngine {
  const db = kyselyOnPostgres(dialect, { acquire: async () => session, release: () => undefined });
  const run = runOnPostgres(session);
  const gate = new Gate();
  let waiting = 0;
  const transactOnce: RecordEngine['transact'] = (work) =>
    db.transaction().execute(async (transaction) => {
      await run(KEEP_SCHEMA, []);
      // A statement of its own: the one that waited sees what was there before it waited.
      const newer = findNewerChange(await run(READ_SCHEMA, []));
      if (newer !== undefined)
        throw new StorageError('outdated', `the data have the schema change ${newer}`, undefined);
      const result = await work({
        db: transaction,
        dialect,
        lock: async (name) => void (await run(LOCK, [name])),
        tell: (touched) => notifyTouched(run, serverId, touched),
      });
      await run(COUNT, []);
      return result;
    });
  return {
    isOnWriteConnection: false,
    transact: async (work) => {
      if (waiting >= MAX_WAITING) throw new AppError('resource_exhausted', TOO_MANY, { retryAfterSeconds: 1 });
      waiting += 1;
      try {
        return await gate.run(() => retryConflicts(() => transactOnce(work)));
      } finally {
        waiting -= 1;
      }
    },
    // What was begun is finished first.
    close: () => gate.run(() => session.close()),
  };
}

/** Commands behave as if one ran after the other: one that PostgreSQL ends for the sake of another runs again. */
async function retryConflicts<T>(transact: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transact();
    } catch (error) {
      const isConflict = error instanceof StorageError && CONFLICTS.has(error.state ?? '');
      if (!isConflict || attempt === MAX_ATTEMPTS) throw error;
      await sleep(Math.random() * attempt * PAUSE_MS);
    }
  }
}

/**
 * Serialization, a deadlock, a prepared statement whose tables have changed. Not a lock that was not given in time: whoever has it
 * may keep it, and other commands wait behind this one.
 */
const CONFLICTS: ReadonlySet<string> = new Set(['40001', '40P01', '0A000']);

/** Commands that wait for the connection; clients can send more than a server has room for. */
const MAX_WAITING = 500;
const TOO_MANY = 'Too many changes wait already. Try again later.';

const MAX_ATTEMPTS = 8;
const PAUSE_MS = 20;

/** Shared with other commands, and not with a change of the schema, which locks the row for itself. */
const KEEP_SCHEMA = 'SELECT 1 FROM record_turn FOR KEY SHARE';

/** Last of all, since whoever counts next waits for the commit. */
const COUNT = 'UPDATE record_turn SET turn = turn + 1';

/** `CARR`, and a name within the schema. */
const LOCK = `SELECT pg_advisory_xact_lock(${0x43415252}, hashtext(current_schema() || ':' || $1))`;
