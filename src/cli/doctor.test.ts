import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import { acquireServerLock } from '#store/sqlite/server-lock';
import { runCairn } from './child-process.ts';
import type { Finding } from './doctor/finding.ts';

const folder = mkdtempSync(join(tmpdir(), 'cairn-doctor-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Ports of this machine may be taken by anything, so the doctor is asked about any free one. */
const FREE = { SERVICE_PORT: '0', SERVICE_GRPC_PORT: '0' };

describe('cairn doctor', () => {
  it('finds nothing to repair before a first start, makes nothing, and exits with 0', async () => {
    const data = join(folder, 'new');
    const { exitCode, stdout, stderr } = await runCairn(['doctor', '--data', data], FREE);
    expect([exitCode, stderr]).toEqual([0, '']);
    for (const check of ['Node', 'Configuration', 'Folder', 'Disk', 'Database', 'HTTP port', 'gRPC port']) {
      expect(stdout).toContain(`✓ ${check}: `);
    }
    expect(stdout).toContain(`${data} will be created`);
  });

  it('lists every problem of the configuration and exits with 1', async () => {
    const { exitCode, stdout } = await runCairn(['doctor'], { SERVICE_PORT: 'x', SERVICE_ENABLE_AUTH: 'true' });
    expect(exitCode).toBe(1);
    expect(stdout.match(/^✗ Configuration: SERVICE_\w+/gm)).toHaveLength(2);
    expect(stdout).toContain('Problems to fix: 2.');
  });

  it('says of accounts, mail and addresses what a start says, and nothing secret', async () => {
    const settings = {
      ...FREE,
      SERVICE_ENABLE_AUTH: 'true',
      SERVICE_SECRET: 'hunter2',
      SERVICE_ADMIN_SECRET: 'hunter3',
      SERVICE_ADMINS: 'ada',
      SERVICE_SMTP_HOSTNAME: 'localhost',
      SERVICE_SMTP_PASSWORD: 'hunter4',
      SERVICE_ROOT_URL: 'https://me:hun/ter@5@localhost?password=hunter6',
      SERVICE_SQL_DATABASE_URL: 'postgresql://cairn:hunter7@localhost/cairn?sslpassword=hunter8&ssl=hunter9',
    };
    const [doctor, start] = await Promise.all([runCairn(['doctor'], settings), runCairn(['serve'], settings)]);
    const problems = (text: string) =>
      [...text.matchAll(/^(?:✗ Configuration:| ) (SERVICE_\w+ .*)$/gm)].map(([, line]) => line);
    expect(problems(doctor.stdout)).toHaveLength(6);
    expect(problems(doctor.stdout)).toEqual(problems(start.stderr));
    expect([doctor.exitCode, start.exitCode]).toEqual([1, 2]);
    const said = [doctor, start].map(({ stdout, stderr }) => stdout + stderr).join('');
    expect(said).not.toMatch(/hun|ter@/);
  });

  it('warns before a first start that lets everybody sign in', async () => {
    const settings = {
      ...FREE,
      SERVICE_HOST: '0.0.0.0',
      SERVICE_ENABLE_AUTH: 'true',
      SERVICE_SECRET: 'correct-horse-battery-staple-0123',
    };
    const random = { ...settings, SERVICE_DEFAULT_ADMIN_INITIAL_PASSWORD: 'random' };
    const args = ['doctor', '--data', join(folder, 'reached')];
    const [open, closed] = await Promise.all([runCairn(args, settings), runCairn(args, random)]);
    expect(open.stdout).toMatch(/^! Configuration: SERVICE_HOST is 0\.0\.0\.0, without TLS: /m);
    expect(open.stdout).toMatch(/^! Accounts: .* SERVICE_DEFAULT_ADMIN_INITIAL_PASSWORD=random/m);
    expect(open.stdout).toMatch(/\n2 warnings; nothing else needs fixing\.\n$/);
    expect(closed.stdout).not.toContain('! Accounts');
    expect([open.exitCode, closed.exitCode]).toEqual([0, 0]);
  });

  it('shows no password of an address when it cannot reach the database, nor does a start', async () => {
    const settings = {
      ...FREE,
      SERVICE_LOGGING_LEVEL: 'debug',
      SERVICE_SQL_DATABASE_URL: 'postgresql://cairn:hunter2@127.0.0.1:1/cairn?sslpassword=hunter3&password=hunter4',
      SERVICE_SQL_DATABASE_READ_REPLICA_URL: 'postgresql://cairn:hunter5@127.0.0.1:1/cairn?password=hunter6',
    };
    const both = await Promise.all([runCairn(['doctor'], settings), runCairn(['serve'], settings)]);
    for (const { exitCode, stdout, stderr } of both) {
      expect(exitCode).toBe(1);
      expect(stdout + stderr).toContain('127.0.0.1:1');
      expect(stdout + stderr).not.toContain('hunter');
    }
  });

  it('finds a port in use and a foreign database, as JSON when asked', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const path = join(folder, 'phoenix.db');
    const database = new Database(path);
    database.exec('CREATE TABLE alembic_version (a); CREATE TABLE traces (a); CREATE TABLE spans (a)');
    const { exitCode, stdout } = await runCairn(['doctor', '--json'], {
      ...FREE,
      SERVICE_PORT: String(port),
      PHOENIX_SQL_DATABASE_URL: `sqlite:///${path}`,
    });
    database.close();
    server.close();
    expect(exitCode).toBe(1);
    const { isHealthy, findings } = JSON.parse(stdout) as { isHealthy: boolean; findings: Finding[] };
    const problems = findings.filter((finding) => finding.status === 'problem');
    expect(isHealthy).toBe(false);
    expect(problems.map((finding) => finding.check)).toEqual(['Database', 'HTTP port']);
  });

  it('runs beside a server and says that it does', async () => {
    const path = join(folder, 'cairn.db');
    const lock = acquireServerLock(path, 4711);
    const { exitCode, stdout } = await runCairn(['doctor', '--data', folder], FREE);
    if ('release' in lock) lock.release();
    expect(exitCode).toBe(0);
    expect(stdout).toContain('✓ Server: process 4711 has the data open');
  });
});
