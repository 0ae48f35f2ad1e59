/** A database that this server may use, and what to say of one that it may not. */
import { AppError } from '#base/errors';
import { postgresDialect } from '../dialect/postgres.ts';
import { UNFINISHED_COPY } from '../copy/unfinished.ts';
import type { ClaimOptions, DatabaseClaim } from '../engine/engine.ts';
import type { PostgresConfig } from '../engine/engine-config.ts';
import { describeAddress, type PostgresAddress } from '../engine/postgres-address.ts';
import { openPostgresReadEngine } from './engine.ts';
import { sqlStateOf } from './faults.ts';
import { inspectPostgres, type PostgresContent } from './inspect.ts';
import { readRights, type Rights } from './rights.ts';

/**
 * Looks at the database; several servers may use it.
 * @throws AppError `failed_precondition` with what to do: not to be reached or logged in to, of a newer version, not ours
 */
export async function claimPostgres({ address }: PostgresConfig, options: ClaimOptions = {}): Promise<DatabaseClaim> {
  await lookAtPostgres(address, options);
  return {
    release: () => undefined,
    refusal: (why, error) => refuse(`The database cannot be opened (${why}): ${adviceFor(error, address)}.`, error),
  };
}

/**
 * Looks at the database for a command that works beside servers, and must not change the schema under them.
 * @throws AppError `failed_precondition` with what to do: the same, no data, or of an older version
 */
export async function assertPostgresIsCurrent({ address }: Pick<PostgresConfig, 'address'>): Promise<void> {
  const content = await lookAtPostgres(address);
  if (content.state === 'empty') throw refuse(`There is no Cairn data in ${describeAddress(address)}.`);
  if (content.pendingMigrations > 0) {
    throw refuse(
      `The data in ${describeAddress(address)} was written by an older version of Cairn: upgrade it with cairn db migrate, or by starting the server.`,
    );
  }
}

/**
 * What there is in a database that this version can use.
 * @throws AppError `failed_precondition` with what to do
 */
export async function lookAtPostgres(
  address: PostgresAddress,
  { mayBeUnfinished = false, isArgument = false, willWrite = false }: ClaimOptions = {},
): Promise<Extract<PostgresContent, { state: 'empty' | 'ours' }>> {
  const engine = openPostgresReadEngine(address, postgresDialect);
  try {
    const content = await inspectPostgres(engine.db);
    const name = nameOf(address);
    const elsewhere = isArgument ? 'name another' : ELSEWHERE;
    switch (content.state) {
      case 'empty':
      case 'ours':
        if (willWrite) assertRights(await readRights(engine.db, address.schema), needsChange(content), address);
        return content;
      case 'newer':
        throw refuse(
          `The database ${name} was written by a newer version of Cairn (${content.what}): start that version, or ${elsewhere}.`,
        );
      case 'foreign':
        if (content.what !== UNFINISHED_COPY)
          throw refuse(`The database ${name} is ${content.what}; Cairn leaves it alone: ${elsewhere}.`);
        if (mayBeUnfinished) return { state: 'empty' };
        throw refuse(`The database ${name} is ${content.what}: run that command again, or ${elsewhere}.`);
      case 'outdated':
        throw refuse(`PostgreSQL ${content.version} is too old: Cairn needs 15 or newer.`);
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw toRefusal(error, address);
  } finally {
    await engine.close();
  }
}

/** @throws AppError `failed_precondition` where the user may not write, or not make the changes of the schema that are due */
function assertRights(rights: Rights, isChangeDue: boolean, address: PostgresAddress): void {
  const { mayCreate, closedTable, otherOwner } = rights;
  const [user, name] = [address.user, nameOf(address)];
  if (isChangeDue && otherOwner !== null)
    throw refuse(
      `The tables in the database ${name} need changes that ${user} is not allowed to make: run cairn db migrate as their owner, ${otherOwner}.`,
    );
  if (isChangeDue && !mayCreate)
    throw refuse(
      `The user ${user} may not create tables in the database ${name}: ${rightsFor(address)}, or run cairn db migrate as a user who may.`,
    );
  if (closedTable !== null)
    throw refuse(
      `The user ${user} may not read and change all tables in the database ${name} (not ${closedTable.name}): GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA "${closedTable.schema}" TO "${user}".`,
    );
}

function nameOf({ database, schema }: PostgresAddress): string {
  return `${database}${schema === null ? '' : ` (schema ${schema})`}`;
}

function needsChange(content: Extract<PostgresContent, { state: 'empty' | 'ours' }>): boolean {
  return content.state === 'empty' || content.pendingMigrations > 0;
}

const ELSEWHERE =
  'create another and name it in SERVICE_SQL_DATABASE_URL, or name a schema in SERVICE_SQL_DATABASE_SCHEMA';

/** What to tell whoever named the database: what the server said, and what to do. */
export function toRefusal(error: unknown, address: PostgresAddress): AppError {
  const message = error instanceof Error ? error.message : String(error);
  return refuse(`${message}: ${adviceFor(error, address)}.`, error);
}

/** @see https://www.postgresql.org/docs/current/errcodes-appendix.html */
function adviceFor(error: unknown, address: PostgresAddress): string {
  const { database, user } = address;
  switch (sqlStateOf(error)) {
    case '28P01':
    case '28000':
      return 'check user and password in SERVICE_SQL_DATABASE_URL or SERVICE_POSTGRES_USER and _PASSWORD, and which users may log in (pg_hba.conf)';
    case '3D000':
      return `create it (CREATE DATABASE "${database}"), or name another in SERVICE_SQL_DATABASE_URL`;
    case '42501':
    case '3F000':
      return rightsFor(address);
    case '53300':
      return `a server needs up to 15 connections: raise max_connections of PostgreSQL, or the limit of the user (ALTER ROLE "${user}" CONNECTION LIMIT 20) or of the database, or close other connections`;
    case '25006':
      return 'name the primary in SERVICE_SQL_DATABASE_URL, and a replica in SERVICE_SQL_DATABASE_READ_REPLICA_URL';
    case '57P03':
      return 'it is starting or stopping; start Cairn again in a moment';
    default:
      return 'start PostgreSQL, or check address and TLS in SERVICE_SQL_DATABASE_URL or SERVICE_POSTGRES_HOST and _PORT';
  }
}

function rightsFor({ user }: PostgresAddress): string {
  return `grant the user ${user} access (GRANT CREATE, USAGE ON SCHEMA …, and to its tables), or name another schema in SERVICE_SQL_DATABASE_SCHEMA`;
}

function refuse(message: string, cause?: unknown): AppError {
  return new AppError('failed_precondition', message, { cause });
}
