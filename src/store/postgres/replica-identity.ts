/** Whether a server is a replica of another one, with the same database and schema. */
import { StorageError } from '../engine/storage-error.ts';
import type { PostgresSession } from './session.ts';

/** What a server and its streaming replicas have in common. */
interface Identity {
  readonly isStandby: boolean;
  /** Given to a server when its data folder is made. */
  readonly system: string;
  /** Object ids. */
  readonly database: number;
  readonly schema: number | null;
}

/** Asks a server who it is. */
export async function readIdentity(session: Pick<PostgresSession, 'run'>): Promise<Identity> {
  return (await session.run(IDENTITY, [])).rows[0] as Identity;
}

/** @throws StorageError `unavailable` with what the one is in place of a replica of the other */
export function assertReplica(primary: Identity, { isStandby, system, database, schema }: Identity): void {
  const isSame = primary.system === system;
  if (!isStandby) throw unusable(isSame ? 'it is a primary, not a replica' : 'it is another server, not a replica');
  if (!isSame) throw unusable('it is a replica of another server');
  if (primary.database !== database) throw unusable('it is another database on the same server');
  if (primary.schema !== schema) throw unusable('its user sees another schema');
}

function unusable(why: string): StorageError {
  return new StorageError('unavailable', why, undefined);
}

/** @see https://www.postgresql.org/docs/current/functions-info.html#FUNCTIONS-INFO-CONTROLDATA */
const IDENTITY = `SELECT pg_is_in_recovery() AS "isStandby",
  (SELECT system_identifier::text FROM pg_control_system()) AS system,
  (SELECT oid FROM pg_database WHERE datname = current_database()) AS database,
  (SELECT oid FROM pg_namespace WHERE nspname = current_schema()) AS schema`;
