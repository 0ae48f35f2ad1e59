/** A table that another session has locked: exporters are told to come again before they give up by themselves. */
import { expect, it } from 'vitest';
import pg from 'pg';
import { exportTraces } from '../harness/otlp-client.ts';
import { spanId, traceId, traceRequest } from '../harness/otlp-json.ts';
import { createTestDatabase, describePostgres } from '../harness/postgres/databases.ts';
import { startTestServer } from '../harness/server.ts';
import { urlOf } from '../harness/test-data.ts';

const MOST_MS = 5000;

describePostgres('a server whose table is locked by another session', () => {
  it('refuses exports within five seconds, says so, and stores when the lock is gone', {
    timeout: 180_000,
  }, async () => {
    const database = await createTestDatabase();
    await using server = await startTestServer({ SQL_DATABASE_URL: urlOf(database.address) });
    const send = (number: number) =>
      exportTraces(server.url, traceRequest([{ traceId: traceId(number), spanId: spanId(number), name: 'span' }]));
    expect(await send(1)).toMatchObject({ status: 200 });
    const { host, port, database: name, user } = database.address;
    const other = new pg.Client({ host, port, database: name, user, ssl: false });
    await other.connect();
    await other.query('BEGIN; LOCK TABLE spans IN ACCESS EXCLUSIVE MODE');
    const startedAt = performance.now();
    const refusals = await Promise.all([2, 3, 4, 5].map(send));
    expect(refusals.map(({ status }) => status)).toEqual([503, 503, 503, 503]);
    expect(performance.now() - startedAt).toBeLessThan(MOST_MS);
    await other.query('ROLLBACK');
    await other.end();
    expect(await (await fetch(`${server.url}/readyz`)).json()).toMatchObject({ storing_problem: expect.any(String) });
    await expect.poll(async () => (await send(6)).status).toBe(200);
    expect(await (await fetch(`${server.url}/readyz`)).json()).toEqual({});
  });
});
