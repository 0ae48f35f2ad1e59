/** Who uses a database: each server holds a lock that all may share, and whoever must be alone takes it for itself. */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { type Kysely, sql } from 'kysely';
import { AppError } from '#base/errors';
import type { Tables } from '../schema/tables.ts';
import { describeAddress, type PostgresAddress } from '../engine/postgres-address.ts';
import { openClient } from './connect.ts';
import { passwordSource } from './passwords.ts';

/** Beside the numbers of jobs: `CAR` and what comes before a space. */
const PRESENCE = 0x4341521f;

/** The second number of a lock is the schema's; `null` where that is not there. */
const SCHEMA = '(SELECT oid::bigint::bit(32)::integer FROM pg_namespace WHERE nspname = current_schema())';

/** Notes that a server uses the database, as long as the connection lasts; whether nobody must be alone with it now. */
export const JOIN = `SELECT coalesce(pg_try_advisory_lock_shared(${PRESENCE}, ${SCHEMA}), true) AS "hasJoined"`;

const LEAVE_ALONE = `SELECT coalesce(pg_try_advisory_lock(${PRESENCE}, ${SCHEMA}), true) AS "isAlone"`;

/** How many servers use the database. */
export async function countServers(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ count: number }>`SELECT count(*) AS count FROM pg_locks
    WHERE locktype = 'advisory' AND classid = ${sql.lit(PRESENCE)} AND mode = 'ShareLock' AND granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
      AND objid = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())`.execute(db);
  return rows[0]?.count ?? 0;
}

/**
 * Keeps servers away until it is released.
 * @throws AppError `failed_precondition` while one uses the database
 */
export async function holdAlone(address: PostgresAddress): Promise<{ release(): Promise<void> }> {
  const client = await openClient(address, 'write', passwordSource(address));
  try {
    // A server that has just ended is noticed a moment later.
    for (let left = PATIENCE_MS; !(await isAlone(client)); left -= LOOK_MS) {
      if (left <= 0) {
        throw new AppError(
          'failed_precondition',
          `A Cairn server uses the database at ${describeAddress(address)}: stop all servers first. cairn db status says how many are running.`,
        );
      }
      await sleep(LOOK_MS);
    }
    return { release: () => client.end() };
  } catch (error) {
    await client.end();
    throw error;
  }
}

async function isAlone(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ isAlone: boolean }>(LEAVE_ALONE);
  return rows[0]?.isAlone === true;
}

const PATIENCE_MS = 2000;
const LOOK_MS = 100;
