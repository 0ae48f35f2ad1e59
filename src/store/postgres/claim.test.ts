import { expect, it, onTestFinished } from 'vitest';
import { createTestDatabase, describePostgres } from '../../../test/harness/postgres/databases.ts';
import { claimDatabase, openWriteEngine } from '../open/open-engine.ts';
import type { ClaimOptions } from '../engine/engine.ts';
import { MIGRATIONS } from '../migrations/list.ts';
import type { PostgresAddress } from '../engine/postgres-address.ts';
import { sessionOn } from './open-session.fixture.ts';

describePostgres('a database that is to be used', () => {
  it('may be empty, ours, or have a schema of its own for us', async () => {
    const { address, query } = await database();
    expect(await refusalOf(address)).toBeNull();
    await open(address);
    expect(await refusalOf(address)).toBeNull();
    await query('CREATE SCHEMA others; CREATE TABLE others.things (id int)');
    expect(await refusalOf({ ...address, schema: 'mine' })).toBeNull();
    expect(await refusalOf({ ...address, schema: 'others' })).toContain("is another program's; Cairn leaves it alone");
  });

  it.each([
    ['CREATE TABLE alembic_version (v text); CREATE TABLE spans (); CREATE TABLE traces ()', "is a Phoenix server's"],
    [
      'CREATE TABLE schema_migrations (name text, applied_at_us bigint); CREATE TABLE copy_progress ()',
      'is an incomplete copy, which cairn db copy can finish: run that command again, or create another and name it in',
    ],
    ['CREATE TABLE schema_migrations (version text)', "is another program's"],
    [
      "CREATE TABLE schema_migrations (name text, applied_at_us bigint); INSERT INTO schema_migrations VALUES ('0999-later', 1)",
      'was written by a newer version of Cairn (it has the schema change 0999-later)',
    ],
  ])('is refused with what it is: %s', async (statements, message) => {
    const { address, query } = await database();
    await query(statements);
    const refusal = await refusalOf(address);
    expect(refusal).toContain(message);
    expect(refusal).toContain('SERVICE_SQL_DATABASE_URL');
  });

  it('is refused with what to do where it cannot be reached, is absent, or gives no rights', async () => {
    const { address, query } = await database();
    expect(await refusalOf({ ...address, host: '127.0.0.1', port: 1 })).toMatch(/127\.0\.0\.1:1\/.*: start PostgreSQL/);
    expect(await refusalOf({ ...address, database: 'nothing' })).toContain('create it (CREATE DATABASE "nothing")');
    const user = `nobody_${address.database}`;
    await query(`CREATE ROLE ${user} LOGIN; REVOKE ALL ON SCHEMA public FROM PUBLIC`);
    onTestFinished(() => query(`DROP ROLE ${user}`).then(() => undefined));
    await expect(open({ ...address, user })).rejects.toMatchObject({ fault: 'unavailable' });
    const claim = await claimDatabase(configOf({ ...address, user }));
    const error = await open({ ...address, user }).catch((thrown: unknown) => thrown);
    expect(claim.refusal('no rights', error).message).toContain(`grant the user ${user} access`);
    const standby = sessionOn(address, 'read');
    const refused = await standby.run('CREATE TABLE things ()', []).catch((thrown: unknown) => thrown);
    await standby.close();
    expect(claim.refusal('read-only', refused).message).toContain('name the primary in SERVICE_SQL_DATABASE_URL');
    for (const schema of [null, 'public', 'absent']) {
      expect(await refusalOf({ ...address, user, schema }, { willWrite: true })).toMatch(
        new RegExp(`The user ${user} may not create tables in .*: grant the user ${user} access`),
      );
      expect(await refusalOf({ ...address, schema }, { willWrite: true })).toBeNull();
    }
  });

  it('may be used without the right to create tables, once it is up to date', async () => {
    const { address, query } = await database();
    await open(address);
    const user = `guest_${address.database}`;
    await query(`CREATE ROLE ${user} LOGIN; REVOKE CREATE ON SCHEMA public FROM PUBLIC`);
    onTestFinished(() => query(`DROP OWNED BY ${user}; DROP ROLE ${user}`).then(() => undefined));
    expect(await refusalOf({ ...address, user })).toMatch(
      /permission denied for table schema_migrations \(42501\): grant the user guest_\w+ access/,
    );
    await query(`GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${user}`);
    expect(await refusalOf({ ...address, user })).toBeNull();
    const closed = await refusalOf({ ...address, user }, { willWrite: true });
    const grant = `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA "public" TO "${user}"`;
    expect(closed).toContain(`may not read and change all tables in the database ${address.database} (not `);
    expect(closed).toContain(`: ${grant}.`);
    await query(`${grant}; CREATE TABLE notes (); ALTER TABLE notes OWNER TO pg_monitor`);
    expect(await refusalOf({ ...address, user }, { willWrite: true })).toBeNull();
    await open({ ...address, user });
    await query(`DELETE FROM schema_migrations WHERE name LIKE '0007%'`);
    const [journal] = await query<{ owner: string }>(
      `SELECT tableowner AS owner FROM pg_tables WHERE tablename = 'schema_migrations'`,
    );
    expect(await refusalOf({ ...address, user }, { willWrite: true })).toContain(
      `need changes that ${user} is not allowed to make: run cairn db migrate as their owner, ${journal?.owner}`,
    );
  });

  it('is migrated once, whoever else begins at the same moment', async () => {
    const { address, query } = await database();
    await Promise.all([open(address), open(address), open(address)]);
    const [journal] = await query<{ count: number }>('SELECT count(*)::int AS count FROM schema_migrations');
    expect(journal?.count).toBe(MIGRATIONS.length);
  });
});

async function database() {
  const made = await createTestDatabase();
  onTestFinished(() => made.drop());
  return made;
}

function configOf(address: PostgresAddress) {
  return { engine: 'postgres', address, serverId: 'test', blockAboveBytes: null } as const;
}

async function refusalOf(address: PostgresAddress, options: ClaimOptions = {}): Promise<string | null> {
  return claimDatabase(configOf(address), options).then(
    () => null,
    (error: unknown) => (error as Error).message,
  );
}

/** Brings it to the schema of this version. */
async function open(address: PostgresAddress): Promise<void> {
  const engine = await openWriteEngine(configOf(address), () => undefined);
  try {
    await engine.prepare();
  } finally {
    await engine.close();
  }
}
