/**
 * One cluster for all tests of a run, started when the first of them asks: vitest's own process waits on a socket for that,
 * because the worker that asks may end before the others.
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { NO_TLS, type PostgresAddress } from '#store/engine/postgres-address';
import { type PostgresCluster, startCluster } from './cluster.ts';
import { findPostgres } from './find-postgres.ts';

let end: (() => Promise<void>) | undefined;

/** Vitest calls this once for each project; what it sets, its workers have. */
export async function setup(): Promise<void> {
  if (findPostgres().kind !== 'binaries' || process.env[STARTER] !== undefined) return;
  const folder = mkdtempSync('/tmp/cairn-pg-starter-');
  let cluster: Promise<PostgresCluster> | undefined;
  const starter = createServer((socket) => {
    socket.on('error', () => undefined);
    cluster ??= startOwn();
    cluster.then(
      ({ address }) => socket.end(JSON.stringify({ address })),
      (error: unknown) => socket.end(JSON.stringify({ failure: String(error) })),
    );
  });
  starter.listen(join(folder, 'socket'));
  await once(starter, 'listening');
  process.env[STARTER] = join(folder, 'socket');
  end = async () => {
    delete process.env[STARTER];
    starter.close();
    await cluster?.then(
      (started) => started.end(),
      () => undefined,
    );
    rmSync(folder, { recursive: true, force: true });
  };
}

/** Vitest calls this when the project's tests have ended. */
export async function teardown(): Promise<void> {
  await end?.();
  end = undefined;
}

const STARTER = 'CAIRN_TEST_POSTGRES_STARTER';

let known: Promise<PostgresAddress> | undefined;

/**
 * The maintenance database of the run's cluster, or of the server that the environment names.
 * @throws Error where there is no PostgreSQL
 */
export function sharedCluster(): Promise<PostgresAddress> {
  known ??= findShared();
  return known;
}

async function findShared(): Promise<PostgresAddress> {
  const found = findPostgres();
  if (found.kind === 'server') return addressOfUrl(found.url);
  const starter = process.env[STARTER];
  if (starter === undefined) return (await startOwn()).address;
  const answer = JSON.parse(await text(connect(starter))) as { address?: PostgresAddress; failure?: string };
  if (answer.address === undefined) throw new Error(answer.failure);
  return answer.address;
}

function startOwn(): Promise<PostgresCluster> {
  const found = findPostgres();
  if (found.kind !== 'binaries') throw new Error(found.kind === 'none' ? found.reason : 'its server runs already');
  return startCluster(found);
}

function addressOfUrl(text: string): PostgresAddress {
  const url = new URL(text);
  return {
    host: url.searchParams.get('host') ?? url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(url.port === '' ? 5432 : url.port),
    database: decodeURIComponent(url.pathname.slice(1)),
    user: decodeURIComponent(url.username),
    login: { kind: 'password', password: url.password === '' ? null : decodeURIComponent(url.password) },
    tls: NO_TLS,
    schema: null,
  };
}
