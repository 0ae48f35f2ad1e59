import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it, onTestFinished } from 'vitest';
import { startCluster } from '../../../test/harness/postgres/cluster.ts';
import { createTestDatabase, describePostgres, type TestDatabase } from '../../../test/harness/postgres/databases.ts';
import { findPostgres } from '../../../test/harness/postgres/find-postgres.ts';
import type { Message } from '../coordination/port.ts';
import type { PostgresAddress } from '../engine/postgres-address.ts';
import { COORDINATED, LeadingRecord, startServer, type TestServer } from './coordination.fixture.ts';
import { notifyTouched } from './coordination-messages.ts';
import { sessionOn } from './open-session.fixture.ts';
import { runOnPostgres } from './run-statement.ts';

async function openDatabase(cluster?: PostgresAddress): Promise<TestDatabase> {
  const database = await createTestDatabase(cluster && { cluster });
  onTestFinished(() => database.drop());
  await database.query(COORDINATED);
  return database;
}

function start(...given: Parameters<typeof startServer>): TestServer {
  const server = startServer(...given);
  onTestFinished(() => server.coordination.close());
  return server;
}

/** Ends all connections, as an administrator does. */
function endConnections({ query }: TestDatabase): Promise<unknown> {
  return query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'cairn coordination'`);
}

/** As if another server had found the lease to be over, which is gone itself soon after. */
function passLease({ query }: TestDatabase): Promise<unknown> {
  return query(`UPDATE jobs SET owner = 'nobody',
    leased_until_us = (extract(epoch FROM clock_timestamp()) * 1000000)::bigint + 200000`);
}

describePostgres('servers on one database', () => {
  it('work on a job one at a time, also when connections are ended', async () => {
    const database = await openDatabase();
    const record = new LeadingRecord();
    const servers = [start(database.address, 'a', record), start(database.address, 'b', record)];
    for (let turn = 1; turn <= 6; turn++) {
      await expect.poll(() => [record.leaders.length, record.history.length]).toEqual([1, turn]);
      const isRunning = servers.map(({ coordination }) => coordination.isRunning('compaction'));
      expect(isRunning.filter(Boolean)).toHaveLength(1);
      await (turn % 2 === 0 ? endConnections(database) : passLease(database));
    }
    const first = record.leaders[0] === 'a' ? 0 : 1;
    await servers[first]?.coordination.close();
    await expect.poll(() => record.leaders).toEqual([first === 0 ? 'b' : 'a']);
    expect(record.overlaps).toEqual([]);
  });

  it('lead nothing while PostgreSQL is gone, and one does when it is back', async () => {
    const found = findPostgres();
    if (found.kind !== 'binaries') return;
    const cluster = await startCluster(found);
    onTestFinished(() => cluster.end());
    const admin = sessionOn(cluster.address);
    await admin.exec(COORDINATED);
    await admin.close();
    const record = new LeadingRecord();
    const servers = [start(cluster.address, 'a', record), start(cluster.address, 'b', record)];
    await expect.poll(() => record.leaders.length).toBe(1);
    await cluster.stop('SIGKILL');
    await expect.poll(() => record.leaders).toEqual([]);
    for (const { heard } of servers) heard.length = 0;
    await cluster.start();
    await expect.poll(() => record.leaders.length).toBe(1);
    await expect.poll(() => servers.map(({ heard }) => kindsOf(heard))).toEqual([['anything'], ['anything']]);
    // Of whatever was before, both know as little.
    const [a, b] = servers;
    await expect.poll(() => knownSinceUs(a)).toBe(knownSinceUs(b));
    expect(record.overlaps).toEqual([]);
    const once = [expect.stringMatching(/^servers on this database cannot coordinate for now: /)];
    expect(servers.map(({ errors }) => errors)).toEqual([once, once]);
  });

  it('never overlap from one process to another, and take over from one that is killed', async () => {
    const database = await openDatabase();
    const others = [startProcess(database.address), startProcess(database.address)];
    const begins = () => others.map(({ lines }) => lines.filter(({ word }) => word === 'begin').length);
    const sum = () => begins().reduce((a, b) => a + b);
    for (let turn = 1; turn <= 8; turn++) {
      await expect.poll(sum, { interval: 5 }).toBe(turn);
      await endConnections(database);
    }
    await expect.poll(sum, { interval: 5 }).toBe(9);
    const all = others.flatMap(({ lines }) => lines).toSorted((a, b) => (a.at < b.at ? -1 : 1));
    expect(all.map(({ word }) => word).join(' ')).toBe(`${'begin stop '.repeat(8)}begin`);
    const [leader] = others.toSorted((a, b) => Number((b.lines.at(-1)?.at ?? 0n) - (a.lines.at(-1)?.at ?? 0n)));
    const killedAt = performance.now();
    leader?.child.kill('SIGKILL');
    await expect.poll(sum, { interval: 5 }).toBe(10);
    expect(performance.now() - killedAt).toBeLessThan(5000);
  });

  it('stop what they lead when PostgreSQL falls silent, before anybody else can lead it', async () => {
    const database = await openDatabase();
    const record = new LeadingRecord();
    const line = await openLine(database.address);
    start(line.address, 'a', record);
    await expect.poll(() => record.leaders).toEqual(['a']);
    start(database.address, 'b', record);
    line.cut();
    // Soon after, the other one leads.
    await expect.poll(() => record.leaders, { interval: 5 }).toEqual([]);
    // PostgreSQL sees it later.
    line.end();
    await expect.poll(() => record.leaders).toEqual(['b']);
    expect(record.overlaps).toEqual([]);
  });

  it('hold a lease until the job has stopped', async () => {
    const database = await openDatabase();
    const record = new LeadingRecord();
    const hanging = Promise.withResolvers<void>();
    const a = start(database.address, 'a', record, () => hanging.promise);
    await expect.poll(() => record.leaders).toEqual(['a']);
    start(database.address, 'b', record);
    const closed = a.coordination.close();
    await untilLooked(database);
    expect(record.history).toEqual(['a']);
    hanging.resolve();
    await closed;
    await expect.poll(() => record.leaders).toEqual(['b']);
  });

  it('do not begin again what has not stopped', async () => {
    const database = await openDatabase();
    const record = new LeadingRecord();
    const hanging = Promise.withResolvers<void>();
    start(database.address, 'a', record, () => hanging.promise);
    await expect.poll(() => record.leaders).toEqual(['a']);
    await endConnections(database);
    await expect.poll(() => record.leaders).toEqual([]);
    const b = start(database.address, 'b', record);
    await expect.poll(() => record.leaders).toEqual(['b']);
    await b.coordination.close();
    await untilLooked(database);
    expect(record.history).toEqual(['a', 'b']);
    hanging.resolve();
    await expect.poll(() => record.leaders).toEqual(['a']);
  });

  it('keep apart by schema', async () => {
    const database = await openDatabase();
    await database.query(`CREATE SCHEMA other; SET search_path TO other; ${COORDINATED}`);
    const record = new LeadingRecord();
    const a = start(database.address, 'a', record);
    const b = start({ ...database.address, schema: 'other' }, 'b');
    const c = start({ ...database.address, schema: 'public' }, 'c', record);
    await expect.poll(() => b.coordination.isRunning('compaction')).toBe(true);
    await expect.poll(() => record.leaders.length).toBe(1);
    await ready(a, b, c);
    a.coordination.tell({ kind: 'erased', deletionRowId: 7 });
    await expect.poll(() => c.heard).toEqual([{ kind: 'erased', deletionRowId: 7 }]);
    expect(b.heard).toEqual([]);
    expect(record.overlaps).toEqual([]);
  });

  it('lead nothing once the schema is a newer one, and let their leases run out', async () => {
    const database = await openDatabase();
    const a = start(database.address, 'a');
    await expect.poll(() => a.coordination.isRunning('compaction')).toBe(true);
    await database.query(`INSERT INTO schema_migrations VALUES ('9999-later')`);
    expect(await a.coordination.outdated).toBe('9999-later');
    expect(a.coordination.isRunning('compaction')).toBe(false);
    const leased = () =>
      database.query(`SELECT kind FROM jobs WHERE leased_until_us > extract(epoch FROM clock_timestamp()) * 1000000`);
    await expect.poll(leased).toEqual([]);
    await untilLooked(database);
    expect(await leased()).toEqual([]);
  });

  it('stop a job within a second when it is paused on another, and go on when it is resumed', async () => {
    const database = await openDatabase();
    const record = new LeadingRecord();
    // Nobody looks by itself for as long as this takes.
    const times = { lookMs: 20_000, answerMs: 20_000, leaseMs: 60_000 };
    const a = start(database.address, 'a', record, undefined, times);
    await expect.poll(() => record.leaders).toEqual(['a']);
    const b = start(database.address, 'b', record, undefined, times);
    await ready(a, b);
    await database.query(`UPDATE jobs SET state = 'paused', owner = NULL, leased_until_us = 0`);
    const pausedAt = performance.now();
    b.coordination.announce('compaction');
    await expect.poll(() => record.leaders, { interval: 5 }).toEqual([]);
    expect(performance.now() - pausedAt).toBeLessThan(1000);
    await database.query(`UPDATE jobs SET state = 'running'`);
    b.coordination.announce('compaction');
    await expect.poll(() => record.leaders.length).toBe(1);
    expect(record.overlaps).toEqual([]);
  });

  it('wake the leader, wherever it is', async () => {
    const database = await openDatabase();
    const a = start(database.address, 'a');
    await expect.poll(() => a.coordination.isRunning('compaction')).toBe(true);
    const b = start(database.address, 'b');
    await ready(a, b);
    a.woken.length = 0;
    b.coordination.wake('compaction');
    await expect.poll(() => a.woken).toEqual(['compaction']);
    a.coordination.wake('compaction');
    expect(a.woken).toHaveLength(2);
    expect(b.woken).toEqual([]);
  });

  it('hear what others commit, once, in the order of commits, and nothing of what is rolled back', async () => {
    const database = await openDatabase();
    await database.query('CREATE TABLE turn AS SELECT 0 AS n');
    const a = start(database.address, 'a');
    const b = start(database.address, 'b');
    await ready(a, b);
    await Promise.all(['a', 'c', 'd'].map((serverId) => commit(database.address, serverId, 300)));
    const numbers = ({ heard }: TestServer) =>
      heard.flatMap((message): readonly unknown[] => (message.kind === 'touched' ? message.touched : [message.kind]));
    const last = { projectRowId: 900, traceIds: ['trace of 900'], changedAtUs: 900 };
    await expect.poll(() => numbers(b).at(-1)).toEqual(last);
    expect(numbers(b)).toEqual(
      Array.from({ length: 900 }, (_, at) => ({
        projectRowId: at + 1,
        traceIds: [`trace of ${at + 1}`],
        changedAtUs: at + 1,
      })),
    );
    // Those of its own it knows already.
    await expect.poll(() => numbers(a).length).toBe(600);
  });

  it('hear that anything may have changed when they were cut off, or something was not told', async () => {
    const database = await openDatabase();
    const [a, b] = [start(database.address, 'a'), start(database.address, 'b')];
    await ready(a, b);
    await database.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'cairn coordination'`);
    await expect.poll(() => [kindsOf(a.heard), kindsOf(b.heard)]).toEqual([['anything'], ['anything']]);
    await expect.poll(() => knownSinceUs(a)).toBe(knownSinceUs(b));
    await ready(a, b);
    // More at once than is kept waiting.
    for (let number = 0; number < 1000; number++) a.coordination.tell({ kind: 'erased', deletionRowId: number });
    await expect.poll(() => b.heard.at(-1)?.kind).toBe('anything');
    await expect.poll(() => knownSinceUs(a)).toBe(knownSinceUs(b));
    expect(b.heard.length).toBeLessThan(200);
  });
});

/** Resolves when each hears the others, and has heard nothing yet. */
async function ready(...servers: readonly TestServer[]): Promise<void> {
  await Promise.all(servers.map(({ coordination }) => coordination.attempted));
  for (const { heard } of servers) heard.length = 0;
}

function kindsOf(heard: readonly Message[]): readonly string[] {
  return [...new Set(heard.map(({ kind }) => kind))];
}

/** The last moment until which it was told that anything may have changed. */
function knownSinceUs(server: TestServer | undefined): number {
  return Math.max(...(server?.heard ?? []).map((message) => (message.kind === 'anything' ? message.changedAtUs : 0)));
}

/** Resolves when every server has looked for jobs. */
async function untilLooked({ query }: TestDatabase): Promise<void> {
  const looked = async () => {
    const [row] = await query<{ at: string }>(`SELECT min(query_start)::text AS at FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'cairn coordination'`);
    return row?.at;
  };
  // The first may have been under way.
  for (let times = 0; times < 3; times++) {
    const before = await looked();
    await expect.poll(looked, { interval: 5 }).not.toBe(before);
  }
}

/** Commits that many transactions one after the other among those of others; each tells its place among all. */
async function commit(address: PostgresAddress, serverId: string, count: number): Promise<void> {
  const session = sessionOn(address);
  const run = runOnPostgres(session);
  const take = async () => {
    const [row] = (await run('UPDATE turn SET n = n + 1 RETURNING n', [])) as readonly { readonly n: number }[];
    const projectRowId = row?.n ?? 0;
    await notifyTouched(run, serverId, [
      { projectRowId, traceIds: [`trace of ${projectRowId}`], changedAtUs: projectRowId },
    ]);
  };
  for (let number = 0; number < count; number++) {
    if (number % 10 === 0) {
      await session.begin();
      await take();
      await session.rollback();
    }
    await session.begin();
    await take();
    await session.commit();
  }
  await session.close();
}

interface Line {
  readonly word: string;
  readonly at: bigint;
}

function startProcess(address: PostgresAddress): { readonly child: ChildProcess; readonly lines: readonly Line[] } {
  const file = new URL('coordination-process.fixture.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [file, JSON.stringify(address)], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines: Line[] = [];
  createInterface(child.stdout).on('line', (line) => {
    const [word = '', at = ''] = line.split(' ');
    lines.push({ word, at: BigInt(at) });
  });
  return { child, lines };
}

/** A way to the database that can be cut without either side being told. */
async function openLine(address: PostgresAddress) {
  const folder = mkdtempSync('/tmp/cairn-line-');
  const sockets: Socket[] = [];
  const name = `.s.PGSQL.${address.port}`;
  const server = createServer((near) => {
    const far = connect(join(address.host, name));
    sockets.push(near, far);
    for (const socket of [near, far]) socket.on('error', () => undefined);
    near.pipe(far).pipe(near);
  });
  server.listen(join(folder, name));
  await once(server, 'listening');
  const end = () => {
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(() => {
    end();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    address: { ...address, host: folder },
    cut() {
      // Nobody comes through again, either.
      server.close();
      for (const socket of sockets) {
        socket.unpipe();
        socket.removeAllListeners('end');
        socket.pause();
      }
    },
    end,
  };
}
