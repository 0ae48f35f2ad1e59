/** What a start says of a PostgreSQL database that it cannot use: one line, with what to do. */
import pg from 'pg';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { runCairn } from '../../src/cli/child-process.ts';
import { findFreePort } from '../harness/free-port.ts';
import { type PostgresCluster, startCluster } from '../harness/postgres/cluster.ts';
import { describePostgres } from '../harness/postgres/databases.ts';
import { findPostgres } from '../harness/postgres/find-postgres.ts';
import { startTestServer } from '../harness/server.ts';

const found = findPostgres();
const PASSWORD = 'hunter2';
const MAX_CONNECTIONS = 8;

describePostgres('a start on a database that cannot be used', () => {
  let cluster: PostgresCluster;
  let admin: pg.Client;
  let port: number;

  beforeAll(async () => {
    if (found.kind !== 'binaries') return;
    port = await findFreePort();
    cluster = await startCluster(found, {
      tcp: { hosts: '127.0.0.1', port },
      settings: { max_connections: `${MAX_CONNECTIONS}`, superuser_reserved_connections: '1' },
      access: ['host all all 127.0.0.1/32 scram-sha-256'],
    });
    const { host, database, user } = cluster.address;
    admin = new pg.Client({ host, port, database, user });
    await admin.connect();
    await admin.query(`CREATE ROLE tenant LOGIN PASSWORD '${PASSWORD}'`);
    await admin.query(`CREATE ROLE guest LOGIN PASSWORD '${PASSWORD}'`);
    await admin.query('CREATE DATABASE tenant OWNER tenant');
  });

  afterAll(async () => {
    await admin?.end();
    await cluster?.end();
  });

  function urlOf(user: string, database = 'tenant', password = PASSWORD): string {
    return `postgresql://${user}:${password}@127.0.0.1:${port}/${database}?sslmode=disable`;
  }

  /** What it says, which has no line breaks and no password. */
  async function refusalOf(user: string, database = 'tenant', password = PASSWORD): Promise<string> {
    const url = urlOf(user, database, password);
    const error: unknown = await startTestServer({ SQL_DATABASE_URL: url }).then(
      (server) => server[Symbol.asyncDispose](),
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ code: 'failed_precondition' });
    const { message } = error as Error;
    expect(message).not.toMatch(/\n|hunter2/);
    return message;
  }

  /** Statements in the database `tenant`, undone when the test ends. */
  async function change(statements: string, undo: string): Promise<void> {
    const client = new pg.Client({ host: '127.0.0.1', port, database: 'tenant', user: 'tenant', password: PASSWORD });
    await client.connect();
    await client.query(statements);
    onTestFinished(async () => {
      await client.query(undo);
      await client.end();
    });
  }

  it.skipIf(found.kind !== 'binaries')('tells a wrong password', async () => {
    expect(await refusalOf('tenant', 'tenant', 'wrong')).toMatch(
      /password authentication failed for user "tenant" \(28P01\): check user and password in SERVICE_SQL_DATABASE_URL/,
    );
  });

  it.skipIf(found.kind !== 'binaries')('tells a database that is not there', async () => {
    expect(await refusalOf('tenant', 'nothing')).toMatch(
      /database "nothing" does not exist \(3D000\): create it \(CREATE DATABASE "nothing"\)/,
    );
  });

  it.skipIf(found.kind !== 'binaries')('tells who may not create tables, and the doctor foresees it', async () => {
    expect(await refusalOf('guest')).toMatch(
      /The user guest may not create tables in the database tenant: grant .* \(GRANT CREATE.*run cairn db migrate as a user who may/,
    );
    const settings = { SERVICE_SQL_DATABASE_URL: urlOf('guest'), SERVICE_PORT: '0', SERVICE_GRPC_PORT: '0' };
    const { exitCode, stdout } = await runCairn(['doctor'], settings);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(
      /✗ Database: The user guest may not create tables in the database tenant: grant .* \(GRANT CREATE/,
    );
  });

  it.skipIf(found.kind !== 'binaries')("tells the limit of the user's connections", async () => {
    await admin.query('ALTER ROLE tenant CONNECTION LIMIT 0');
    onTestFinished(async () => void (await admin.query('ALTER ROLE tenant CONNECTION LIMIT -1')));
    expect(await refusalOf('tenant')).toMatch(
      /too many connections for role "tenant" \(53300\): a server needs up to 15 connections: .*ALTER ROLE "tenant" CONNECTION LIMIT/,
    );
  });

  it.skipIf(found.kind !== 'binaries')('tells that PostgreSQL has no connection left', async () => {
    const others = Array.from({ length: MAX_CONNECTIONS - 2 }, () => {
      const { host, user } = cluster.address;
      return new pg.Client({ host, port, database: 'tenant', user });
    });
    onTestFinished(async () => void (await Promise.all(others.map((other) => other.end()))));
    for (const other of others) await other.connect();
    expect(await refusalOf('tenant')).toMatch(
      /remaining connection slots are reserved .* \(53300\): a server needs up to 15 connections: raise max_connections/,
    );
  });

  it.skipIf(found.kind !== 'binaries')('tells data of a newer version', async () => {
    await change(
      `CREATE TABLE schema_migrations (name text, applied_at_us bigint);
       INSERT INTO schema_migrations VALUES ('9999-later', 1)`,
      'DROP TABLE schema_migrations',
    );
    expect(await refusalOf('tenant')).toMatch(
      /The database tenant was written by a newer version of Cairn \(it has the schema change 9999-later\): start that version/,
    );
  });

  it.skipIf(found.kind !== 'binaries')('tells data of another product', async () => {
    await change('CREATE TABLE recipes (id int)', 'DROP TABLE recipes');
    expect(await refusalOf('tenant')).toMatch(
      /The database tenant is another program's; Cairn leaves it alone: create another and name it in SERVICE_SQL_DATABASE_URL/,
    );
  });

  it.skipIf(found.kind !== 'binaries')('tells an older schema where migrations are disabled', async () => {
    const start = startTestServer({ SQL_DATABASE_URL: urlOf('tenant'), DANGEROUSLY_DISABLE_MIGRATIONS: 'true' });
    await expect(start).rejects.toThrow(/^The schema of the data lacks \d+ changes .*: run cairn db migrate/);
  });
});
