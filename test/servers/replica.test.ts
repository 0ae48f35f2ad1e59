/** A server whose reads go to a streaming replica of its database: which of both answers what is read off their logs. */
import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { MIGRATED } from '../../src/store/engine/open-postgres-test-engine.fixture.ts';
import { queryGraphql } from '../harness/graphql.ts';
import { exportAll } from '../harness/otlp-client.ts';
import { spanId, traceId, traceRequest } from '../harness/otlp-json.ts';
import type { PostgresCluster } from '../harness/postgres/cluster.ts';
import { createTestDatabase, type TestDatabase } from '../harness/postgres/databases.ts';
import { describeReplica, type ReplicatedClusters, startReplicatedClusters } from '../harness/postgres/replication.ts';
import { getJson } from '../harness/rest.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { urlOf } from '../harness/test-data.ts';

describeReplica('a server with a read replica', () => {
  let clusters: ReplicatedClusters;
  let database: TestDatabase;
  let server: TestServer;
  let spans = 0;

  beforeAll(async () => {
    clusters = await startReplicatedClusters();
    database = await createTestDatabase({ cluster: clusters.primary.address, template: MIGRATED });
    const replica = { ...database.address, host: clusters.standby.address.host };
    server = await startTestServer({
      SQL_DATABASE_URL: urlOf(database.address),
      SQL_DATABASE_READ_REPLICA_URL: urlOf(replica),
    });
    await untilUsed();
  });

  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
    await clusters?.standby.end();
    await clusters?.primary.end();
  });

  async function metric(name: string): Promise<number> {
    const text = await (await fetch(`${server.url}/metrics`)).text();
    return Number(new RegExp(`^cairn_replica_${name} (.*)$`, 'm').exec(text)?.[1]);
  }

  async function untilUsed(): Promise<void> {
    await vi.waitFor(async () => expect(await metric('used')).toBe(1), { timeout: 20_000, interval: 50 });
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
    await vi.waitFor(async () => expect((await askProject())['search']).toMatchObject(INDEXED), { timeout: 20_000 });
    const asked = await statementsOf(async () => {
      expect(await namesOf(trace)).toEqual(['no 1']);
      expect(await askProject()).toMatchObject({
        recordCount: 1,
        spans: { edges: [{ node: { name: 'no 1', trace: { numSpans: 1 } } }] },
      });
    });
    expect(asked.standby.filter((text) => text.includes('from "spans"')).length).toBeGreaterThan(1);
    expect(asked.standby.filter((text) => text.includes('from "traces"'))).not.toEqual([]);
    expect(asked.primary.filter((text) => asked.standby.includes(text))).toEqual([]);
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
    expect(asked.primary.filter((text) => text.includes('count(')).length).toBeGreaterThan(0);
  });

  it('shows what was acknowledged, at once and from the replica', async () => {
    const before = await metric('reads_total\\{server="primary"\\}');
    for (let time = 0; time < 5; time++) expect(await namesOf(await send())).toHaveLength(1);
    expect(await metric('reads_total\\{server="primary"\\}')).toBe(before);
  });

  it('reads from the primary while the replica lags, and comes back by itself', async () => {
    const replay = await connect(clusters.standby);
    await replay.query('SELECT pg_wal_replay_pause()');
    const asked = await statementsOf(async () => expect(await namesOf(await send())).toHaveLength(1));
    expect(asked.primary.filter((text) => text.includes('from "spans"'))).not.toEqual([]);
    await vi.waitFor(async () => expect(await metric('used')).toBe(0));
    expect(server.complaints).toEqual([expect.stringMatching(/^Reads go to the primary.*more than 500 ms behind/)]);
    await replay.query('SELECT pg_wal_replay_resume()');
    await replay.end();
    await untilUsed();
    const after = await statementsOf(async () => expect(await namesOf(traceId(spans))).toHaveLength(1));
    expect(after.standby.filter((text) => text.includes('from "spans"'))).not.toEqual([]);
  });

  it('reads from the primary while the replica is down, and comes back by itself', async () => {
    await clusters.standby.stop('SIGINT');
    expect(await namesOf(await send())).toHaveLength(1);
    await vi.waitFor(async () => expect(await metric('used')).toBe(0));
    expect(server.complaints.slice(1)).toEqual([expect.stringMatching(/^Reads go to the primary.*cannot be used/)]);
    await clusters.standby.start();
    await untilUsed();
    const after = await statementsOf(async () => expect(await namesOf(traceId(spans))).toHaveLength(1));
    expect(after.standby.filter((text) => text.includes('from "spans"'))).not.toEqual([]);
    expect(server.complaints).toHaveLength(2);
  });
});

const PROJECT = `{ getProjectByName(name: "default") {
  recordCount
  search(text: "no") { edges { cursor } currency { pendingSpanCount } }
  spans(first: 10) { edges { node { name trace { traceId numSpans } } } }
} }`;

const INDEXED = { edges: [{}], currency: { pendingSpanCount: 0 } };

/** What each connection begins with, and is asked of how far it is. */
const OF_CONNECTIONS = /^SET |^SELECT turn FROM write_turn$|pg_is_in_recovery/;

function readStatements(cluster: PostgresCluster, from = 0): string[] {
  const statements = cluster
    .log()
    .slice(from)
    .matchAll(/^cairn\|LOG: {2}(?:execute \w+|statement): (.*)$/gm);
  return [...statements].map(([, text = '']) => text).filter((text) => !OF_CONNECTIONS.test(text));
}

async function connect({ address: { host, port, database, user } }: PostgresCluster): Promise<pg.Client> {
  const client = new pg.Client({ host, port, database, user, ssl: false });
  await client.connect();
  return client;
}
