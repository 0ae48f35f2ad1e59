import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import pg from 'pg';
import { expect, it } from 'vitest';
import { startCluster } from './cluster.ts';
import { createTestDatabase, describePostgres } from './databases.ts';
import { findPostgres } from './find-postgres.ts';

describePostgres('PostgreSQL for tests', () => {
  it('makes databases from a template that is filled once', async () => {
    let filled = 0;
    const template = {
      name: `of_${process.pid}`,
      async fill(address: { host: string; port: number; database: string; user: string }) {
        filled += 1;
        const client = new pg.Client({ ...pick(address), ssl: false });
        await client.connect();
        await client.query('CREATE TABLE things (id bigint)');
        await client.end();
      },
    };
    const [first, second] = await Promise.all([createTestDatabase({ template }), createTestDatabase({ template })]);
    await first.query('INSERT INTO things VALUES (1)');
    expect(await second.query('SELECT id FROM things')).toEqual([]);
    expect(filled).toBe(1);
    expect(await first.query(`SELECT 'a' < 'B' AS is_by_language`)).toEqual([{ is_by_language: true }]);
    await Promise.all([first.drop(), second.drop()]);
  });

  it('ends with the process that started it, however that ends', async () => {
    const starter = spawn(process.execPath, ['--input-type=module', '-e', STARTER], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [chunk] = (await once(starter.stdout, 'data')) as [Buffer];
    const folder = chunk.toString().trim();
    expect(existsSync(folder)).toBe(true);
    starter.kill('SIGKILL');
    await expect.poll(() => existsSync(folder)).toBe(false);
  });

  it('keeps what it acknowledged when it is killed and started again', async () => {
    const found = findPostgres();
    if (found.kind !== 'binaries') return;
    const cluster = await startCluster(found, { isDurable: true });
    const database = await createTestDatabase({ cluster: cluster.address });
    await database.query('CREATE TABLE things (id bigint)');
    await cluster.stop('SIGKILL');
    await cluster.start();
    const client = new pg.Client({ ...pick(database.address), ssl: false });
    await client.connect();
    expect((await client.query('SELECT id FROM things')).rows).toEqual([]);
    await client.end();
    await cluster.end();
    expect(existsSync(cluster.address.host)).toBe(false);
  });
});

const STARTER = `
  const { startCluster } = await import(${JSON.stringify(new URL('cluster.ts', import.meta.url).href)});
  const { findPostgres } = await import(${JSON.stringify(new URL('find-postgres.ts', import.meta.url).href)});
  const { address } = await startCluster(findPostgres());
  console.log(address.host);
  setInterval(() => {}, 1000);
`;

function pick({ host, port, database, user }: { host: string; port: number; database: string; user: string }) {
  return { host, port, database, user };
}
