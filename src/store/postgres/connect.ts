/** Connections to PostgreSQL, each with the settings that this program relies on, whatever the server's are. */
import pg from 'pg';
import { StorageError } from '../engine/storage-error.ts';
import { describeAddress, type PostgresAddress } from '../engine/postgres-address.ts';
import { toConnectError } from './faults.ts';
import type { PasswordSource } from './passwords.ts';
import { isAboutTls, tlsAttempts } from './tls.ts';
import { RESULT_TYPES } from './types.ts';

/** What a connection is for: all but one are with a primary. Changes of the schema may take as long as they take. */
export type Purpose = 'write' | 'read' | 'read from a replica' | 'migrate';

/** A statement that takes longer is ended by the server. */
export const STATEMENT_TIMEOUT_MS = 60_000;

/**
 * Opens a connection.
 * @throws StorageError `unavailable` with what keeps it from being made
 */
export async function openClient(
  address: PostgresAddress,
  purpose: Purpose,
  password: PasswordSource,
): Promise<pg.Client> {
  try {
    const attempts = await tlsAttempts(address.tls, address.host);
    for (const [place, ssl] of attempts.entries()) {
      const client = new pg.Client(optionsOf(address, ssl, password));
      // Somebody must listen, or an error while nothing runs ends the process.
      client.on('error', ignore);
      const giveUp = () => client.connection.stream.destroy(new Error(`no response within ${CONNECT_TIMEOUT_MS} ms`));
      const watch = setTimeout(giveUp, CONNECT_TIMEOUT_MS);
      try {
        await client.connect();
        await client.query(settingsOf(address, purpose));
        if (purpose !== 'read from a replica') await assertPrimary(client);
        return client;
      } catch (error) {
        client.end().catch(ignore);
        if (place === attempts.length - 1 || !isAboutTls(error)) throw error;
      } finally {
        clearTimeout(watch);
      }
    }
    throw new Error('no way to connect');
  } catch (error) {
    throw toConnectError(error, describeAddress(address));
  }
}

/** What the address of a primary leads to after a failover may be a replica for a while, which shows what is old. */
async function assertPrimary(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ isStandby: boolean }>('SELECT pg_is_in_recovery() AS "isStandby"');
  if (rows[0]?.isStandby === true) throw new StorageError('unavailable', 'it is a replica', undefined, '25006');
}

function ignore(): void {}

/** All of them are given: what is not, the driver takes from the environment. */
function optionsOf(
  { host, port, database, user }: PostgresAddress,
  ssl: pg.ClientConfig['ssl'],
  password: PasswordSource,
): pg.ClientConfig {
  return {
    host,
    port,
    database,
    user,
    password,
    ssl,
    application_name: 'cairn',
    options: '',
    types: RESULT_TYPES,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  };
}

/** Of a connection with its login, wherever the password comes from, and its settings. */
const CONNECT_TIMEOUT_MS = 10_000;

/** Statements of the simple protocol: poolers refuse most settings in the first message of a connection. */
function settingsOf({ schema }: PostgresAddress, purpose: Purpose): string {
  const settings = { ...SETTINGS, ...OF_PURPOSE[purpose] };
  const texts = Object.entries(settings).map(([name, value]) => `SET ${name} = ${pg.escapeLiteral(value)};`);
  if (schema !== null) texts.push(`SET search_path = ${pg.escapeIdentifier(schema)};`);
  return texts.join('\n');
}

const SETTINGS = {
  client_encoding: 'UTF8',
  timezone: 'UTC',
  bytea_output: 'hex',
  extra_float_digits: '1',
  standard_conforming_strings: 'on',
  default_transaction_isolation: 'read committed',
  synchronous_commit: 'on',
  // Compiling takes longer than the short statements that this program makes.
  jit: 'off',
  statement_timeout: `${STATEMENT_TIMEOUT_MS}`,
  // A server that is cut off must let go of what it holds.
  tcp_keepalives_idle: '10',
  tcp_keepalives_interval: '5',
  tcp_keepalives_count: '3',
};

const WRITING = {
  default_transaction_read_only: 'off',
  // A request that waits behind another statement that waits is still refused within five seconds: exporters give up after ten.
  lock_timeout: '2000',
  idle_in_transaction_session_timeout: '15000',
  // It looks up and changes rows by their keys. A database without statistics would be read from end to end for that, and a plan that
  // was made while tables were small joins them as wholes, which they are not any more when it is used again.
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  max_parallel_workers_per_gather: '0',
};

const READING = {
  default_transaction_read_only: 'on',
  lock_timeout: '5000',
  idle_in_transaction_session_timeout: '60000',
  random_page_cost: '1.1',
};

const OF_PURPOSE: Readonly<Record<Purpose, Readonly<Record<string, string>>>> = {
  write: WRITING,
  read: READING,
  'read from a replica': READING,
  migrate: { default_transaction_read_only: 'off', statement_timeout: '0', lock_timeout: '0' },
};
