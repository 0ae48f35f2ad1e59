/** PostgreSQL as an engine: a connection that writes spans, one that writes records, and a few a thread that read. */
import type { SqlDialect } from '../dialect/dialect.ts';
import type { ReadEngine, WriteEngine } from '../engine/engine.ts';
import { storageGuard } from '../engine/storage-guard.ts';
import type { PostgresAddress } from '../engine/postgres-address.ts';
import { openClient, type Purpose } from './connect.ts';
import { bulkUpdateOnPostgres } from './bulk-update.ts';
import { ColumnTypes } from './column-types.ts';
import { bulkInsertOnPostgres } from './copy-rows.ts';
import { notifyTouched } from './coordination-messages.ts';
import { kyselyOnPostgres } from './kysely-on-postgres.ts';
import { passwordSource } from './passwords.ts';
import { recordsOnPostgres } from './records.ts';
import { runOnPostgres } from './run-statement.ts';
import { PostgresSession } from './session.ts';
import { SessionPool } from './session-pool.ts';
import { turnsOf } from './turn.ts';
import { measureUsedBytes } from './used-bytes.ts';

/** How the data is opened for writing. */
export interface PostgresWriteOptions {
  readonly address: PostgresAddress;
  readonly dialect: SqlDialect;
  /** Tells this server from others on the same database. */
  readonly serverId: string;
  /** `null` while the data may grow as it likes. */
  readonly blockAboveBytes: number | null;
  /** Brings the schema to that of this version. */
  prepare(engine: Pick<WriteEngine, 'db' | 'dialect' | 'run'>): Promise<void>;
}

/** Opens the data for writing, on sessions of its own unless others are given; it connects with the first statement. */
export function openPostgresWriteEngine(
  options: PostgresWriteOptions,
  open: () => PostgresSession = sessionsOf(options.address, 'write'),
): WriteEngine {
  const { dialect, serverId, blockAboveBytes } = options;
  const session = open();
  const db = kyselyOnPostgres(dialect, { acquire: async () => session, release: () => undefined });
  const run = runOnPostgres(session);
  const types = new ColumnTypes(session);
  const records = recordsOnPostgres(open(), dialect, serverId);
  return {
    db,
    dialect,
    run,
    bulkInsert: bulkInsertOnPostgres(session, types),
    bulkUpdate: bulkUpdateOnPostgres(session, types),
    takeTurn: turnsOf(run, serverId),
    tell: (touched) => notifyTouched(run, serverId, touched),
    records,
    prepare: () => options.prepare({ db, dialect, run }),
    assertRoom: storageGuard(() => measureUsedBytes(db), blockAboveBytes),
    // What was committed and cannot be read any more, the next statement says.
    assertKept: () => undefined,
    // The disk is another machine's.
    makeRoom: () => false,
    assertReserve: () => undefined,
    // The server does these by itself.
    tidy: () => undefined,
    rest: () => false,
    giveBackPages: async () => 0,
    close: async () => {
      await records.close();
      await session.close();
    },
  };
}

/** Opens the data for reading; it connects with the first statements. */
export function openPostgresReadEngine(address: PostgresAddress, dialect: SqlDialect): ReadEngine {
  const sessions = new SessionPool(READERS, sessionsOf(address, 'read'));
  return { db: kyselyOnPostgres(dialect, sessions), dialect, close: () => sessions.close() };
}

/** Connections of a thread that reads. */
export const READERS = 4;

function sessionsOf(address: PostgresAddress, purpose: Purpose): () => PostgresSession {
  const password = passwordSource(address);
  return () => new PostgresSession(() => openClient(address, purpose, password));
}
