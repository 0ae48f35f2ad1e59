import { expect, it } from 'vitest';
import { describePostgres } from '../../../test/harness/postgres/databases.ts';
import { StorageError } from '../engine/storage-error.ts';
import { sessionOn, useTestSessions } from './open-session.fixture.ts';
import type { PostgresSession } from './session.ts';

describePostgres('a session with PostgreSQL', () => {
  const openTestSession = useTestSessions();

  it('gives back what it was given', async () => {
    const { session } = await openTestSession();
    const bytes = new Uint8Array([0, 1, 254, 255]);
    const { rows } = await session.run(
      `SELECT $1::bigint AS whole, $2::float8 AS real, $3::text AS text, $4::bytea AS bytes, $5::text AS nothing,
              $6::float8 AS nan, $7::bytea AS empty, $8::bigint[] AS list`,
      [Number.MAX_SAFE_INTEGER, -0.1, 'ä\0\ud800 🐢', bytes, null, Number.NaN, new Uint8Array(0), [1, 2]],
    );
    expect(rows).toEqual([
      {
        whole: Number.MAX_SAFE_INTEGER,
        real: -0.1,
        text: 'ä\uFFFD\uFFFD 🐢',
        bytes: Buffer.from(bytes),
        nothing: null,
        nan: null,
        empty: Buffer.alloc(0),
        list: '{1,2}',
      },
    ]);
    const [row] = rows as [{ bytes: Uint8Array }];
    expect(row.bytes.buffer.byteLength).toBe(4);
  });

  it('reads sums and averages as numbers, and refuses numbers that would change', async () => {
    const { session } = await openTestSession();
    const [row] = (
      await session.run(
        'SELECT sum(n::bigint) AS sum, avg(n) AS avg, count(*) AS count, max(n) > 1 AS is_more FROM generate_series(1, 4) AS n',
        [],
      )
    ).rows;
    expect(row).toEqual({ sum: 10, avg: 2.5, count: 4, is_more: true });
    await expect(session.run('SELECT 9007199254740993::bigint AS n', [])).rejects.toMatchObject({ fault: 'statement' });
    await expect(session.run('SELECT 9007199254740993::numeric AS n', [])).rejects.toThrow(/9007199254740993/);
    expect((await session.run('SELECT 1 AS n', [])).rows).toEqual([{ n: 1 }]);
  });

  it('says what it is an error of', async () => {
    const { session, database } = await openTestSession();
    await database.query('CREATE TABLE things (id bigint PRIMARY KEY)');
    const faults = async (text: string) => faultOf(session.run(text, []));
    expect(await faults('SELECT nothing')).toBe('statement');
    expect(await faults('SELECT 1/0')).toBe('statement');
    expect(await faults('SELECT 1 FROM absent')).toBe('unavailable');
    expect(await faults(`DO $$ BEGIN SET LOCAL ROLE pg_monitor; PERFORM FROM pg_authid; END $$`)).toBe('unavailable');
    expect(await faults(`DO $$ BEGIN RAISE SQLSTATE '53100'; END $$`)).toBe('full');
    expect(await faults(`DO $$ BEGIN RAISE SQLSTATE '40001'; END $$`)).toBe('conflict');
    expect(await faults(`DO $$ BEGIN RAISE SQLSTATE '57P03'; END $$`)).toBe('unavailable');
    await session.exec('SET statement_timeout = 20');
    expect(await faults('SELECT pg_sleep(5)')).toBe('unavailable');
    await session.exec(`SET statement_timeout = 0; SET lock_timeout = 20`);
    await database.query('BEGIN');
    await database.query('LOCK TABLE things');
    expect(await faults('INSERT INTO things VALUES (1)')).toBe('conflict');
    await database.query('ROLLBACK');
    expect(await faultOf(sessionOn(database.address, 'read').run('INSERT INTO things VALUES (1)', []))).toBe(
      'unavailable',
    );
    expect(await faultOf(sessionOn({ ...database.address, port: 1 }).run('SELECT 1', []))).toBe('unavailable');
    await expect(sessionOn({ ...database.address, database: 'absent' }).run('SELECT 1', [])).rejects.toThrow(
      /PostgreSQL at .*:5432\/absent \(schema test_\d+\) cannot be used: database "absent" does not exist/,
    );
  });

  it('runs what is asked for at the same time one after the other', async () => {
    const { session } = await openTestSession();
    const all = await Promise.all([1, 2, 3].map((n) => session.run('SELECT $1::bigint AS n', [n])));
    expect(all.map(({ rows }) => rows)).toEqual([[{ n: 1 }], [{ n: 2 }], [{ n: 3 }]]);
  });

  it('keeps a bounded number of statements prepared', async () => {
    const { session } = await openTestSession();
    for (let n = 0; n < 305; n += 1) await session.run(`SELECT ${n} AS n`, []);
    expect((await session.run('SELECT 0 AS n', [])).rows).toEqual([{ n: 0 }]);
    const [row] = (await session.run('SELECT count(*) AS n FROM pg_prepared_statements', [])).rows;
    expect(row).toEqual({ n: 300 });
    await session.begin();
    for (const text of ['SELECT wrong', 'SELECT 0 AS n', 'SELECT 306', 'SELECT 307']) {
      await expect(session.run(text, [])).rejects.toThrow(StorageError);
    }
    await session.rollback();
    expect((await session.run('SELECT 306 AS n', [])).rows).toEqual([{ n: 306 }]);
  });

  it('prepares a statement again when its table has changed', async () => {
    const { session, database } = await openTestSession();
    await database.query('CREATE TABLE things AS SELECT 1::bigint AS id');
    await session.run('SELECT * FROM things', []);
    await database.query('ALTER TABLE things ADD name text');
    expect(await faultOf(session.run('SELECT * FROM things', []))).toBe('conflict');
    expect((await session.run('SELECT * FROM things', [])).rows).toEqual([{ id: 1, name: null }]);
    await session.exec('DEALLOCATE ALL');
    expect(await faultOf(session.run('SELECT * FROM things', []))).toBe('unavailable');
    expect((await session.run('SELECT * FROM things', [])).rows).toEqual([{ id: 1, name: null }]);
  });

  it('opens a new connection when its own was ended, and fails what was running', async () => {
    const { session, database } = await openTestSession();
    const sleeping = faultOf(session.run('SELECT pg_sleep(60)', []));
    await expect.poll(() => countRunning(database.query, 'pg_sleep')).toBe(1);
    await endOthers(database.query);
    expect(await sleeping).toBe('unavailable');
    const last = await backendOf(session);
    await endOthers(database.query);
    await expect.poll(async () => backendOf(session).catch(() => last)).not.toEqual(last);
  });

  it('gives a connection up on which nothing comes back', async () => {
    const { database } = await openTestSession();
    const session = sessionOn(database.address, 'write', 300);
    const { pid } = await backendOf(session);
    process.kill(pid, 'SIGSTOP');
    try {
      expect(await faultOf(session.run('SELECT 1', []))).toBe('unavailable');
      expect(await backendOf(session)).not.toEqual({ pid });
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    await session.close();
  });

  it('opens a new connection when its server takes nothing that is written, as a former primary', async () => {
    const { session, database } = await openTestSession();
    await database.query('CREATE TABLE things (id bigint)');
    await session.exec('SET default_transaction_read_only = on');
    await session.begin();
    expect(await faultOf(session.run('INSERT INTO things VALUES (1)', []))).toBe('unavailable');
    await session.rollback();
    await session.run('INSERT INTO things VALUES (2)', []);
    expect(await database.query('SELECT id FROM things')).toEqual([{ id: '2' }]);
  });

  it('says of a transaction that failed that it was not committed', async () => {
    const { session, database } = await openTestSession();
    await database.query('CREATE TABLE things (id bigint)');
    await session.begin();
    await session.run('INSERT INTO things VALUES (1)', []);
    expect(await faultOf(session.run('SELECT 1/0', []))).toBe('statement');
    expect(await faultOf(session.commit())).toBe('statement');
    await session.begin();
    await session.run('INSERT INTO things VALUES (2)', []);
    await session.commit();
    expect(await database.query('SELECT id FROM things')).toEqual([{ id: '2' }]);
  });

  it('does not go on with a transaction on another connection', async () => {
    const { session, database } = await openTestSession();
    await database.query('CREATE TABLE things (id bigint)');
    await session.begin();
    await session.run('INSERT INTO things VALUES (1)', []);
    await endOthers(database.query);
    expect(await faultOf(session.run('INSERT INTO things VALUES (2)', []))).toBe('unavailable');
    expect(await faultOf(session.run('INSERT INTO things VALUES (3)', []))).toBe('unavailable');
    expect(await faultOf(session.commit())).toBe('unavailable');
    await session.rollback().catch(() => undefined);
    await session.run('INSERT INTO things VALUES (4)', []);
    expect(await database.query('SELECT id FROM things')).toEqual([{ id: '4' }]);
  });
});

type Query = <Row>(text: string) => Promise<Row[]>;

async function faultOf(running: Promise<unknown>): Promise<string> {
  const error = await running.then(
    () => 'none',
    (thrown: unknown) => thrown,
  );
  return error instanceof StorageError ? error.fault : String(error);
}

async function backendOf(session: PostgresSession): Promise<{ readonly pid: number }> {
  const { rows } = await session.run('SELECT pg_backend_pid() AS pid', []);
  return rows[0] as { pid: number };
}

async function countRunning(query: Query, text: string): Promise<number> {
  const rows = await query(
    `SELECT 1 FROM pg_stat_activity WHERE query LIKE '%${text}%' AND state = 'active' AND pid <> pg_backend_pid()`,
  );
  return rows.length;
}

async function endOthers(query: Query): Promise<void> {
  await query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
  );
}
