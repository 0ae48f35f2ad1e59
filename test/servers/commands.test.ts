/** Commands on data in PostgreSQL, beside servers or without any. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCairn } from '../../src/cli/child-process.ts';
import { MIGRATED } from '../../src/store/engine/open-postgres-test-engine.fixture.ts';
import { sendJson } from '../harness/accounts.ts';
import { AS_ADMIN, ASKING } from '../harness/asking-server.ts';
import { exportAll } from '../harness/otlp-client.ts';
import { spanId, traceId, traceRequest } from '../harness/otlp-json.ts';
import { createTestDatabase, describePostgres, type TestDatabase } from '../harness/postgres/databases.ts';
import { startTestServer } from '../harness/server.ts';
import { urlOf } from '../harness/test-data.ts';

const SPANS = 200;

describePostgres('a command on data in PostgreSQL', () => {
  let database: TestDatabase;
  let settings: { readonly SQL_DATABASE_URL: string };

  beforeAll(async () => {
    database = await createTestDatabase({ template: MIGRATED });
    settings = { SQL_DATABASE_URL: urlOf(database.address) };
    await using server = await startTestServer(settings);
    const spans = Array.from({ length: SPANS }, (_, place) => chat(place + 1));
    await exportAll(server.url, traceRequest(spans));
  });

  afterAll(() => database.drop());

  const cairn = (...args: readonly string[]) => runCairn(args, { SERVICE_SQL_DATABASE_URL: settings.SQL_DATABASE_URL });

  /** Leaves rows as a version that did not know the dialect would have left them. */
  const forget = () => database.query('UPDATE spans SET model_name = NULL, prompt_tokens = NULL');
  const forgotten = () => database.query('SELECT id FROM spans WHERE prompt_tokens IS NULL');

  it('explains a stored span without a server', async () => {
    const { exitCode, stdout, stderr } = await cairn('explain', spanId(1));
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toContain('is read as LLM');
    const missing = await cairn('explain', spanId(9999));
    expect(missing.stderr).toContain(`There is no span ${spanId(9999)} in PostgreSQL at `);
  });

  it('reads spans anew, and builds what is made of them, where no server runs', async () => {
    await forget();
    const read = await cairn('reindex', '--normalise');
    expect([read.exitCode, read.stderr]).toEqual([0, '']);
    expect(read.stdout).toMatch(
      /^A server that uses the data does this, or this command if there is none: stored spans are read again\.\n/,
    );
    expect(read.stdout).toContain(`Done: ${SPANS} spans read again, ${SPANS} changed.`);
    expect(await forgotten()).toEqual([]);
    const search = await cairn('reindex', '--search');
    expect([search.exitCode, search.stderr, search.stdout]).toEqual([0, '', expect.stringContaining('Done.')]);
  });

  it('has the server that leads do it, where one runs', async () => {
    await using server = await startTestServer(settings);
    await forget();
    const read = await cairn('reindex', '--normalise');
    expect([read.exitCode, read.stderr]).toEqual([0, '']);
    expect(await forgotten()).toEqual([]);
    const columns = await cairn('reindex', '--columns');
    expect([columns.exitCode, columns.stdout]).toEqual([0, expect.stringContaining('Done.')]);
    expect(server.complaints).toEqual([]);
  });

  it('copies a file into a database on which a server was started, unless somebody has an account there', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'cairn-copied-'));
    const empty = await createTestDatabase({ template: MIGRATED });
    const target = { SQL_DATABASE_URL: urlOf(empty.address) };
    const user = { auth_method: 'LOCAL', username: 'ada', email: 'ada@example.com', role: 'MEMBER', password: 'pass' };
    const copy = () => runCairn(['db', 'copy', join(folder, 'cairn.db'), target.SQL_DATABASE_URL]);
    try {
      {
        await using source = await startTestServer({ ...ASKING, WORKING_DIR: folder, SQL_DATABASE_URL: '' });
        const made = await sendJson(source.url, 'POST', '/v1/users', { user }, AS_ADMIN);
        expect(made.status).toBe(201);
      }
      {
        await using _started = await startTestServer({ ...ASKING, ...target });
      }
      const copied = await copy();
      expect([copied.exitCode, copied.stderr]).toEqual([0, expect.stringContaining('users: 3 rows')]);
      {
        await using server = await startTestServer({ ...ASKING, ...target });
        const { body } = await sendJson(server.url, 'GET', '/v1/users', undefined, AS_ADMIN);
        expect(JSON.stringify(body)).toContain('ada@example.com');
      }
      const refused = await copy();
      expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining('already contains data')]);
    } finally {
      await empty.drop();
      await rm(folder, { recursive: true });
    }
  });

  it('says what to do where the schema is older, or nothing is there', async () => {
    const [last] = await database.query<{ name: string; applied_at_us: string }>(
      'DELETE FROM schema_migrations WHERE name = (SELECT max(name) FROM schema_migrations) RETURNING *',
    );
    const results = await Promise.all([cairn('explain', spanId(1)), cairn('reindex', '--columns')]);
    for (const { exitCode, stderr } of results) {
      expect(exitCode).toBe(1);
      expect(stderr).toMatch(/was written by an older version of Cairn: upgrade it with cairn db migrate/);
    }
    await database.query('INSERT INTO schema_migrations VALUES ($1, $2)', [last?.name, last?.applied_at_us]);
    const url = `${settings.SQL_DATABASE_URL}`.replace(database.address.database, 'postgres');
    const empty = await runCairn(['explain', spanId(1)], { SERVICE_SQL_DATABASE_URL: url });
    expect([empty.exitCode, empty.stderr]).toEqual([
      1,
      expect.stringMatching(/There is no Cairn data in .*\/postgres/),
    ]);
  });
});

function chat(number: number) {
  return {
    traceId: traceId(Math.ceil(number / 10)),
    spanId: spanId(number),
    name: `chat ${number}`,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'gpt-4o',
      'gen_ai.usage.input_tokens': number,
    },
  };
}
