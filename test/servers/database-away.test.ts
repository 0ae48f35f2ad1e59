/** A server whose database goes away: whoever asks meanwhile is told to ask again, and is answered when it is back. */
import { expect, it, onTestFinished } from 'vitest';
import { askGraphql } from '../harness/graphql.ts';
import { exportTraces } from '../harness/otlp-client.ts';
import { spanId, traceId, traceRequest } from '../harness/otlp-json.ts';
import { startCluster } from '../harness/postgres/cluster.ts';
import { createTestDatabase, describePostgres } from '../harness/postgres/databases.ts';
import { findPostgres } from '../harness/postgres/find-postgres.ts';
import { startTestServer } from '../harness/server.ts';
import { urlOf } from '../harness/test-data.ts';

/** What readers are asked, and the writer, reads and changes, with what is answered while the database is there. */
const REQUESTS: readonly (readonly [status: number, path: string, body?: object])[] = [
  [200, '/v1/projects'],
  [404, `/v1/traces/${traceId(1)}/original`],
  [200, '/v1/reindex'],
  [202, '/v1/reindex', { columns: true }],
  [200, '/v1/repricing'],
  [
    201,
    '/v1/model_prices',
    { name: 'own', name_pattern: 'own', prices: [price('input', true), price('output', false)] },
  ],
];

const CREATE_PROJECT = 'mutation { createProject(input: { name: "new" }) { project { name } } }';

describePostgres('a server whose database is away', () => {
  it('says so to whoever asks, and when to ask again', async ({ skip }) => {
    const found = findPostgres();
    if (found.kind !== 'binaries') return skip('the database of the environment is not to be stopped');
    const cluster = await startCluster(found);
    onTestFinished(() => cluster.end());
    const database = await createTestDatabase({ cluster: cluster.address });
    await using server = await startTestServer({ SQL_DATABASE_URL: urlOf(database.address) });
    await cluster.stop('SIGQUIT');
    expect(await askAll(server.url)).toEqual(REQUESTS.map(([, path]) => [503, path, '5']));
    const { errors } = await askGraphql(server.url, CREATE_PROJECT);
    expect(errors).toMatchObject([{ extensions: { code: 'unavailable' } }]);
    const span = { traceId: traceId(1), spanId: spanId(1), name: 'later' };
    expect(await exportTraces(server.url, traceRequest([span]))).toMatchObject({ status: 503 });
    expect(server.complaints).toContainEqual(expect.stringMatching(/^a group of export requests could not be stored /));
    expect(server.complaints.filter((line) => line.includes('\n'))).toEqual([]);
    await cluster.start();
    await expect.poll(async () => (await fetch(`${server.url}/readyz`)).status).toBe(200);
    expect(await askAll(server.url)).toEqual(REQUESTS.map(([status, path]) => [status, path, null]));
    expect(await askGraphql(server.url, CREATE_PROJECT)).toEqual({
      data: { createProject: { project: { name: 'new' } } },
    });
  });
});

async function askAll(url: string): Promise<unknown[]> {
  return Promise.all(
    REQUESTS.map(async ([, path, body]) => {
      const json = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
      const { status, headers } = await fetch(`${url}${path}`, body && json);
      return [status, path, headers.get('retry-after')];
    }),
  );
}

function price(tokenType: string, isPrompt: boolean) {
  return { token_type: tokenType, is_prompt: isPrompt, usd_per_million_tokens: 1 };
}
