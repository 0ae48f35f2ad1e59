/** Databases of tests: each its own, made from a template in some 50 ms. */
import pg from 'pg';
import { describe } from 'vitest';
import { Gate } from '#base/gate';
import type { PostgresAddress } from '#store/engine/postgres-address';
import { findPostgres } from './find-postgres.ts';
import { sharedCluster } from './shared-cluster.ts';

/** A database that nobody else uses. */
export interface TestDatabase {
  readonly address: PostgresAddress;
  /** Statements of the test itself, on a connection of its own. */
  query<Row>(text: string, parameters?: readonly unknown[]): Promise<Row[]>;
  /** Ends all its connections and removes it. */
  drop(): Promise<void>;
}

const found = findPostgres();

/** Tests that need PostgreSQL; where there is none they are skipped, and the run says why. */
export function describePostgres(name: string, tests: () => void): void {
  if (found.kind === 'none') console.warn(`Skipped: ${name}. ${found.reason}.`);
  // oxlint-disable-next-line vitest/valid-title -- the caller's
  describe.skipIf(found.kind === 'none')(name, () => {
    tests();
  });
}

/** How a template is filled: `name` says with what, so that the same is made once a cluster. */
export interface Template {
  readonly name: string;
  fill(address: PostgresAddress): Promise<void>;
}

/** Makes a database on the cluster of the run, or on another one. */
export async function createTestDatabase(
  options: { readonly cluster?: PostgresAddress; readonly template?: Template } = {},
): Promise<TestDatabase> {
  const cluster = options.cluster ?? (await sharedCluster());
  const admin = await adminOf(cluster);
  const template = options.template === undefined ? 'template0' : await templateOf(admin, cluster, options.template);
  made += 1;
  const database = `cairn_test_${process.pid}_${process.hrtime.bigint()}_${made}`;
  await gate.run(() => createFrom(admin, database, template));
  const address = { ...cluster, database };
  // Most tests ask by their engine alone.
  let client: Promise<pg.Client> | undefined;
  return {
    address,
    async query<Row>(text: string, parameters: readonly unknown[] = []) {
      client ??= connect(address);
      const { rows } = await (await client).query<Row & pg.QueryResultRow>(text, [...parameters]);
      return rows;
    },
    async drop() {
      await (await client)?.end();
      await gate.run(() => admin.query(`DROP DATABASE ${database} WITH (FORCE)`));
    },
  };
}

let made = 0;

/** A connection runs one statement after the other. */
const gate = new Gate();

const templates = new Map<string, Promise<string>>();

function templateOf(admin: pg.Client, cluster: PostgresAddress, template: Template): Promise<string> {
  const key = `${cluster.host}:${cluster.port}/${template.name}`;
  const known = templates.get(key) ?? gate.run(() => makeTemplate(admin, cluster, template));
  templates.set(key, known);
  return known;
}

/** Texts are sorted as no reader wants it, so that a table that forgets to say its order is found. */
async function createFrom(admin: pg.Client, database: string, template: string): Promise<void> {
  const locale = template === 'template0' ? ` LOCALE_PROVIDER icu ICU_LOCALE 'en-US'` : '';
  await admin.query(`CREATE DATABASE ${database} TEMPLATE ${template} STRATEGY file_copy${locale}`);
}

/** The name of the database that holds it. */
async function makeTemplate(admin: pg.Client, cluster: PostgresAddress, { name, fill }: Template): Promise<string> {
  const database = `cairn_template_${name}`;
  // Workers ask at the same time.
  await admin.query('SELECT pg_advisory_lock(hashtext($1))', [database]);
  try {
    const { rowCount } = await admin.query('SELECT 1 FROM pg_database WHERE datname = $1 AND datistemplate', [
      database,
    ]);
    if (rowCount === 0) {
      await admin.query(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`);
      await createFrom(admin, database, 'template0');
      await fill({ ...cluster, database });
      await admin.query(`ALTER DATABASE ${database} IS_TEMPLATE true`);
    }
  } finally {
    await admin.query('SELECT pg_advisory_unlock(hashtext($1))', [database]);
  }
  return database;
}

const admins = new Map<string, Promise<pg.Client>>();

/** The connection of this worker to a cluster's maintenance database. */
function adminOf(cluster: PostgresAddress): Promise<pg.Client> {
  const key = `${cluster.host}:${cluster.port}`;
  const admin = admins.get(key) ?? connect(cluster);
  admins.set(key, admin);
  return admin;
}

async function connect({ host, port, database, user, login }: PostgresAddress): Promise<pg.Client> {
  const password = login.kind === 'password' ? (login.password ?? '') : '';
  const client = new pg.Client({ host, port, database, user, password: () => password, ssl: false });
  // A test may end its server.
  client.on('error', () => undefined);
  await client.connect();
  (client as unknown as { unref(): void }).unref();
  return client;
}
