/** A server whose reads go to a streaming replica of its database: which of both answers what is read off their logs. */
import { Worker } from 'node:worker_threads';
import pg from 'pg';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { readOnly } from '#base/read-only';
import { threadEntry } from '#base/thread-entry';
import { checkPostgres } from '#cli/doctor/postgres';
import { deriveConfig } from '#config/load';
import type { PostgresConfig } from '#config/postgres-config';
import type { ReaderThreadData } from '#server/reader-thread';
import { postgresDialect } from '#store/dialect/postgres';
import type { PostgresAddress } from '#store/engine/postgres-address';
import { openPostgresReplicaEngine } from '#store/postgres/replica-engine';
import type { ReaderCalls } from '#store/reader-calls';
import { ReaderPool } from '#store/threads/reader-pool';
import { ReplicaReaders } from '#store/replica-readers';
import { MIGRATED } from '../../src/store/engine/open-postgres-test-engine.fixture.ts';
import { postGraphql, queryGraphql, readEvents } from '../harness/graphql.ts';
import { exportAll } from '../harness/otlp-client.ts';
import { spanId, traceId, traceRequest } from '../harness/otlp-json.ts';
import type { PostgresCluster } from '../harness/postgres/cluster.ts';
import { createTestDatabase, type TestDatabase } from '../harness/postgres/databases.ts';
import { describeReplica, type ReplicatedClusters, startReplicatedClusters } from '../harness/postgres/replication.ts';
import { getJson } from '../harness/rest.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { environmentOf, urlOf } from '../harness/test-data.ts';

describeReplica('a server with a read replica', () => {
  let clusters: ReplicatedClusters;
  let database: TestDatabase;
  let replica: PostgresAddress;
  let onStandby: pg.Client;
  let server: TestServer;
  let spans = 0;

  beforeAll(async () => {
    clusters = await startReplicatedClusters();
    database = await createTestDatabase({ cluster: clusters.primary.address, template: MIGRATED });
    replica = { ...database.address, host: clusters.standby.address.host };
    onStandby = await connect(clusters.standby);
    server = await startTestServer(settingsOf(replica));
    await untilUsed();
  });

  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
    await clusters?.standby.end();
    await clusters?.primary.end();
  });

  function settingsOf(of: PostgresAddress, primary = database.address): Record<string, string> {
    return { SQL_DATABASE_URL: urlOf(primary), SQL_DATABASE_READ_REPLICA_URL: urlOf(of) };
  }

  /** As another server does that is on the same database; who watches the project hears of it. */
  async function writeElsewhere(description: string): Promise<void> {
    await database.query(`BEGIN; SET LOCAL synchronous_commit = on; UPDATE write_turn SET turn = turn + 1;
      UPDATE projects SET description = '${description}' WHERE id = 1;
      SELECT pg_notify('cairn_' || oid, '{"s":"other","t":[[1,null]]}') FROM pg_namespace WHERE nspname = 'public'; COMMIT`);
  }

  /** Threads that read, and what is told of their replica. */
  function openReaders(of: PostgresAddress) {
    const engine = { engine: 'postgres', address: database.address, serverId: '', blockAboveBytes: null } as const;
    const told: string[] = [];
    const poolOf = (where: PostgresAddress | null) =>
      new ReaderPool<ReaderCalls>(1, {
        spawn: () =>
          new Worker(threadEntry(import.meta.url, 'reader-thread'), {
            workerData: { engine, replica: where, isBackground: false } satisfies ReaderThreadData,
          }),
        onDeath: (reason) => told.push(reason),
        onLog: ({ message }) => told.push(message),
      });
    const primary = poolOf(null);
    const readers = new ReplicaReaders(primary, poolOf(of), {
      onRead: (server) => told.push(server),
      onLag: () => undefined,
      onUsed: () => told.push('used'),
      onUnused: (reason) => told.push(reason),
    });
    return {
      told,
      read: (text: string) => readOnly(() => readers.call('query', [text, []])),
      [Symbol.asyncDispose]: async () => {
        await readers.close();
        await primary.close();
      },
    };
  }

  async function metric(name: string): Promise<number> {
    const text = await (await fetch(`${server.url}/metrics`)).text();
    return Number(new RegExp(`^cairn_replica_${name} (.*)$`, 'm').exec(text)?.[1]);
  }

  /** What the replica answered, and what the primary did. */
  async function countReads(): Promise<readonly [number, number]> {
    return [await metric('reads_total\\{server="replica"\\}'), await metric('reads_total\\{server="primary"\\}')];
  }

  async function untilUsed(): Promise<void> {
    await vi.waitFor(async () => expect(await metric('used')).toBe(1), { timeout: 50_000 });
  }

  async function send(): Promise<string> {
    spans += 1;
    await exportAll(
      server.url,
      traceRequest([{ traceId: traceId(spans), spanId: spanId(spans), name: `no ${spans}` }]),
    );
    return traceId(spans);
  }

  /** Names of the spans of a trace, over REST. */
  async function namesOf(trace: string): Promise<readonly string[]> {
    const { data } = await getJson<{ data: { name: string }[] }>(
      `${server.url}/v1/projects/default/spans?trace_id=${trace}`,
    );
    return data.map(({ name }) => name);
  }

  async function askProject(): Promise<Record<string, unknown>> {
    const { getProjectByName } = await queryGraphql<{ getProjectByName: Record<string, unknown> }>(server.url, PROJECT);
    return getProjectByName;
  }

  /** What this server asked either of them meanwhile, apart from how far they are. */
  async function statementsOf(run: () => Promise<unknown>): Promise<{ primary: string[]; standby: string[] }> {
    const { primary, standby } = clusters;
    const before = [primary.log().length, standby.log().length];
    await run();
    return { primary: readStatements(primary, before[0]), standby: readStatements(standby, before[1]) };
  }

  it('reads over REST, GraphQL and loaders from the replica, and nothing of that from the primary', async () => {
    const trace = await send();
    // Until its texts are indexed, the primary reads them for that.
    await expect.poll(async () => (await askProject())['search']).toMatchObject(INDEXED);
    const asked = await statementsOf(async () => {
      expect(await namesOf(trace)).toEqual(['no 1']);
      expect(await askProject()).toMatchObject({
        recordCount: 1,
        spans: { edges: [{ node: { name: 'no 1', trace: { numSpans: 1 } } }] },
      });
    });
    for (const table of ['projects', 'spans', 'traces']) {
      const reads = asked.standby.filter((text) => text.includes(`from "${table}"`));
      expect(reads).not.toEqual([]);
      expect(asked.primary.filter((text) => reads.includes(text))).toEqual([]);
    }
  });

  it('writes, and reads what a change answers with, on the primary', async () => {
    const asked = await statementsOf(async () => {
      await send();
      await queryGraphql(
        server.url,
        'mutation { createProject(input: { name: "other" }) { project { name recordCount traceCount } } }',
      );
      const deleted = await fetch(`${server.url}/v1/traces/${traceId(spans)}`, { method: 'DELETE' });
      expect(deleted.status).toBeLessThan(300);
    });
    expect(asked.standby).toEqual([]);
    // The first line of a statement that sums up a project.
    expect(asked.primary.filter((text) => text.includes('"projectRowId"'))).not.toEqual([]);
  });

  it('shows what was acknowledged, at once and from the replica', async () => {
    const [, before] = await countReads();
    for (let time = 0; time < 5; time++) expect(await namesOf(await send())).toHaveLength(1);
    expect((await countReads())[1]).toBe(before);
  });

  it('shows what another server wrote, at once', async () => {
    const engine = openPostgresReplicaEngine(database.address, replica, postgresDialect);
    const project = engine.db.selectFrom('projects').select('description').where('id', '=', 1);
    for (let time = 1; time <= 20; time++) {
      await writeElsewhere(`${time}`);
      expect(await engine.asOfNow(() => project.execute())).toEqual([{ description: `${time}` }]);
    }
    await engine.close();
  });

  it('shows what a live update tells of, from the replica', async () => {
    const query = `subscription { projectChanges(projectId: "UHJvamVjdDox") { project { description } } }`;
    const response = await postGraphql(server.url, { query }, { accept: 'text/event-stream' });
    const events = readEvents<{ projectChanges: { project: { description: string } } }>(response);
    await events.next();
    const [ofReplica, ofPrimary] = await countReads();
    for (const description of ['seen', 'seen at once', 'seen again']) {
      await writeElsewhere(description);
      const { value } = await events.next();
      expect(value?.data?.projectChanges.project).toEqual({ description });
    }
    await response.body?.cancel().catch(() => undefined);
    expect(await countReads()).toEqual([ofReplica + 3, ofPrimary]);
  });

  it('asks the primary again where replay ends a read', async () => {
    await using readers = openReaders(replica);
    await expect.poll(() => readers.told).toEqual(['used']);
    const answer = readers.read(SLOW_ON_REPLICA);
    const running = `SELECT 1 FROM pg_stat_activity WHERE query LIKE '%pg_sleep%' AND wait_event = 'PgSleep'`;
    await expect.poll(async () => (await onStandby.query(running)).rowCount).toBe(1);
    await database.query('BEGIN; LOCK TABLE sessions IN ACCESS EXCLUSIVE MODE; COMMIT');
    expect(await answer).toMatchObject({ rows: [{ slept: null }] });
    expect(readers.told).toEqual(['used', 'primary']);
  });

  it('reads from the primary where a replica never could be used', async () => {
    await using readers = openReaders({ ...replica, database: 'absent' });
    expect(await readers.read('SELECT pg_is_in_recovery() AS is_replica')).toMatchObject({
      rows: [{ is_replica: false }],
    });
    await expect.poll(() => readers.told).toEqual(['primary', expect.stringContaining('"absent" does not exist')]);
  });

  it('says what is named in place of a replica', async () => {
    const other = await createTestDatabase({ cluster: clusters.primary.address, template: MIGRATED });
    await expect
      .poll(() => onStandby.query(`SELECT 1 FROM pg_database WHERE datname = '${other.address.database}'`))
      .toMatchObject({ rowCount: 1 });
    const look = async (of: PostgresAddress, primary = database.address) => {
      const { config } = deriveConfig(environmentOf(settingsOf(of, primary)));
      return (await checkPostgres(config?.database as PostgresConfig))[1]?.message;
    };
    const host = replica.host;
    const messages = [
      look(replica),
      look(database.address),
      look({ ...other.address, host }),
      look({ ...replica, database: 'absent' }),
      look({ ...replica, database: 'postgres' }, clusters.primary.address),
    ];
    expect(await Promise.all(messages)).toEqual([
      expect.stringMatching(/^ready, \d+ ms behind the primary$/),
      expect.stringMatching(/cannot be used: it is a primary, not a replica$/),
      expect.stringMatching(/cannot be used: it is another database on the same server$/),
      expect.stringMatching(/cannot be used: database "absent" does not exist/),
      'the tables are not there yet',
    ]);
    await other.drop();
  });

  it('does not take a replica for the primary', async () => {
    await expect(startTestServer({ SQL_DATABASE_URL: urlOf(replica) })).rejects.toMatchObject({
      code: 'failed_precondition',
      message: expect.stringMatching(/cannot be used: it is a replica: name the primary/),
    });
  });

  it('reads from the primary while the replica lags, and comes back by itself', async () => {
    await onStandby.query('SELECT pg_wal_replay_pause()');
    await queryGraphql(server.url, 'mutation { createProject(input: { name: "late" }) { project { id } } }');
    const { data: projects } = await getJson<{ data: { name: string }[] }>(`${server.url}/v1/projects`);
    expect(projects.map(({ name }) => name)).toContain('late');
    const asked = await statementsOf(async () => expect(await namesOf(await send())).toHaveLength(1));
    expect(asked.primary.filter((text) => text.includes('from "spans"'))).not.toEqual([]);
    await expect.poll(() => metric('used')).toBe(0);
    expect(server.complaints).toEqual([expect.stringMatching(/^Reads go to the primary.*more than 500 ms behind/)]);
    await onStandby.query('SELECT pg_wal_replay_resume()');
    await untilUsed();
    const after = await statementsOf(async () => expect(await namesOf(traceId(spans))).toHaveLength(1));
    expect(after.standby.filter((text) => text.includes('from "spans"'))).not.toEqual([]);
  });

  it('reads from the primary while the replica is down, and comes back by itself', async () => {
    await clusters.standby.stop('SIGINT');
    expect(await namesOf(await send())).toHaveLength(1);
    await expect.poll(() => metric('used')).toBe(0);
    expect(server.complaints.slice(1)).toEqual([expect.stringMatching(/^Reads go to the primary.*cannot be used/)]);
    await clusters.standby.start();
    onStandby = await connect(clusters.standby);
    await untilUsed();
    const after = await statementsOf(async () => expect(await namesOf(traceId(spans))).toHaveLength(1));
    expect(after.standby.filter((text) => text.includes('from "spans"'))).not.toEqual([]);
    expect(server.complaints).toHaveLength(2);
  });

  it('does not wait for a replica that has gone silent', async () => {
    const { rows } = await onStandby.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE application_name = 'cairn'`,
    );
    const signal = (name: NodeJS.Signals) => rows.forEach(({ pid }) => process.kill(pid, name));
    onTestFinished(() => signal('SIGCONT'));
    signal('SIGSTOP');
    expect(await namesOf(traceId(spans))).toHaveLength(1);
    expect(server.complaints.slice(2)).toEqual([expect.stringMatching(/^Reads go to the primary/)]);
  });

  /** A database that nobody else writes to, and what its replica shows of what is written. */
  async function openAlone() {
    const alone = await createTestDatabase({ cluster: clusters.primary.address, template: MIGRATED });
    const onReplica = { ...alone.address, host: clusters.standby.address.host };
    const engine = openPostgresReplicaEngine(alone.address, onReplica, postgresDialect);
    onTestFinished(() => engine.close());
    const project = engine.db.selectFrom('projects').select('description').where('id', '=', 1);
    return {
      query: alone.query,
      read: () => engine.asOfNow(() => project.executeTakeFirst()).then((row) => row?.description, String),
      write: (description: string) =>
        alone.query(`BEGIN; SET LOCAL synchronous_commit = on; UPDATE write_turn SET turn = turn + 1;
          UPDATE projects SET description = '${description}' WHERE id = 1; COMMIT`),
    };
  }

  it('shows nothing older than what was acknowledged, on connections that it has', async () => {
    const { read, write } = await openAlone();
    await write('before');
    await expect.poll(read).toBe('before');
    await onStandby.query('SELECT pg_wal_replay_pause()');
    await write('after');
    expect(await read()).toContain('more than 500 ms behind');
    await onStandby.query('SELECT pg_wal_replay_resume()');
    await expect.poll(read).toBe('after');
  });

  it('shows nothing older than before where a replica comes back without what it had', async () => {
    // A later turn of somebody else would be waited for anyway.
    const { query, read, write } = await openAlone();
    await query('CHECKPOINT');
    await write('kept');
    await expect.poll(read).toBe('kept');
    // From here it begins when it comes back, and waits with what was committed later.
    await onStandby.query('CHECKPOINT');
    await onStandby.query(`ALTER SYSTEM SET recovery_min_apply_delay = '1h'`);
    await write('forgotten');
    expect(await read()).toBe('forgotten');
    await clusters.standby.stop('SIGQUIT');
    await clusters.standby.start();
    // That the connection has ended may be noticed first.
    await expect.poll(read).toContain('more than 500 ms behind');
  });
});

/** On the replica it is ended before it answers. */
const SLOW_ON_REPLICA = `SELECT CASE WHEN pg_is_in_recovery() THEN pg_sleep(60) END AS slept
  FROM (SELECT count(*) FROM sessions) AS read`;

const PROJECT = `{ getProjectByName(name: "default") {
  recordCount
  search(text: "no") { edges { cursor } currency { pendingSpanCount } }
  spans(first: 10) { edges { node { name trace { traceId numSpans } } } }
} }`;

const INDEXED = { edges: [{}], currency: { pendingSpanCount: 0 } };

/** What each connection begins with, and is asked of how far it is. */
const OF_CONNECTIONS = /^SET |^SELECT (?:\(SELECT )?turn FROM write_turn|pg_is_in_recovery/;

function readStatements(cluster: PostgresCluster, from = 0): string[] {
  const statements = cluster
    .log()
    .slice(from)
    .matchAll(/^cairn\|LOG: {2}(?:execute \w+|statement): (.*)$/gm);
  return [...statements].map(([, text = '']) => text).filter((text) => !OF_CONNECTIONS.test(text));
}

async function connect({ address: { host, port, database, user } }: PostgresCluster): Promise<pg.Client> {
  const client = new pg.Client({ host, port, database, user, ssl: false });
  // The server is stopped meanwhile.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
