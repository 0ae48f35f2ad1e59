/** A server whose data another one brings to a newer schema. */
import { mkdtempSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { MIGRATED } from '../../src/store/engine/open-postgres-test-engine.fixture.ts';
import { MIGRATIONS } from '../../src/store/migrations/list.ts';
import { preparePostgres } from '../../src/store/postgres/prepare.ts';
import { exportAll } from '../harness/otlp-client.ts';
import { spanId, traceId, traceRequest } from '../harness/otlp-json.ts';
import { createTestDatabase, describePostgres } from '../harness/postgres/databases.ts';
import { startServerProcess } from '../harness/server-process.ts';
import { urlOf } from '../harness/test-data.ts';

const LATER = { name: '9999-later', statements: () => ['CREATE TABLE later (id BIGINT)'] };

describePostgres('a server whose data are brought to a newer schema', () => {
  it('writes nothing more, says so once, and ends', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cairn-newer-schema-'));
    const database = await createTestDatabase({ template: MIGRATED });
    const server = await startServerProcess(folder, { SQL_DATABASE_URL: urlOf(database.address) });
    onTestFinished(async () => {
      server.child.kill('SIGKILL');
      await database.drop();
      rmSync(folder, { recursive: true, force: true });
    });
    await exportAll(server.url, traceRequest([span(1)]));
    const exited = once(server.child, 'exit');
    await preparePostgres(database.address, { migrations: [...MIGRATIONS, LATER] });
    // Exporters are told to come again, until nobody listens.
    await expect(exportAll(server.url, traceRequest([span(2)]))).rejects.toThrow();
    expect(await exited).toEqual([1, null]);
    expect(await database.query('SELECT id FROM spans')).toEqual([{ id: '1' }]);
    const errors = server
      .output()
      .split('\n')
      .filter((line) => line.includes('"level":"error"'));
    expect(errors.map((line) => (JSON.parse(line) as { readonly message: string }).message)).toEqual([
      'Another server has upgraded the schema (9999-later): this server stops writing and shuts down. Start the newer version here, too.',
    ]);
  });
});

function span(number: number) {
  return { traceId: traceId(1), spanId: spanId(number), name: `step ${number}` };
}
