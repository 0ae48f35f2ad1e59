/** A month in each engine, as a server is started on it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { MIGRATED } from '#store/engine/open-postgres-test-engine.fixture';
import { copyBetween } from '#store/open/copy-between';
import { migrateDatabase } from '#store/open/administer';
import type { PostgresAddress } from '#store/engine/postgres-address';
import { startCluster } from '../../test/harness/postgres/cluster.ts';
import { createTestDatabase } from '../../test/harness/postgres/databases.ts';
import { findPostgres } from '../../test/harness/postgres/find-postgres.ts';
import { copySynced } from '../copy-synced.ts';
import { readCpuSeconds, readFamilyCpuSeconds } from '../process-usage.ts';
import { type BenchServer, startBenchServer } from '../server-process.ts';
import { timeOnPostgres, timeOnSqlite } from './bare-sql.ts';
import { monthFile } from './month-file.ts';
import { waitUntilCaughtUp } from './open-month.ts';
import type { Question } from './question.ts';

/** Which engines there are. */
export type BenchEngine = 'sqlite' | 'postgres';

/** A month that a server has opened; what the server does to it, the next one does not find. */
export interface StoredMonth {
  readonly server: BenchServer;
  /** What the server and its database used of the processor so far, in seconds. */
  readonly readCpuSeconds: () => number;
  /** Milliseconds that bare SQL takes for the question. */
  readonly timeSql: (question: Question) => Promise<number>;
  /** Ends the server. */
  close(): Promise<void>;
}

/** Where months are kept, and how they are opened. */
export interface MonthOptions {
  readonly folder: string;
  readonly spanCount: number;
  readonly nodeOptions: readonly string[];
}

/** Opens the month; made if the folder has none of this schema. */
export const OPEN_MONTH: Readonly<Record<BenchEngine, (options: MonthOptions) => Promise<StoredMonth>>> = {
  sqlite: openSqliteMonth,
  postgres: openPostgresMonth,
};

async function openSqliteMonth({ folder, spanCount, nodeOptions }: MonthOptions): Promise<StoredMonth> {
  const server = await startBenchServer(await monthFile(folder, spanCount), nodeOptions);
  return {
    server,
    readCpuSeconds: () => readCpuSeconds(server.pid),
    timeSql: (question) => timeOnSqlite(question, server.dataFile),
    close: () => endServer(server),
  };
}

/** A database is made from a template, which a copy of the file has filled, as a data file is copied. */
async function openPostgresMonth({ folder, spanCount, nodeOptions }: MonthOptions): Promise<StoredMonth> {
  const file = await monthFile(folder, spanCount);
  const found = findPostgres();
  if (found.kind !== 'binaries') throw new Error(found.kind === 'none' ? found.reason : 'it must be started here');
  const cluster = await startCluster(found, {
    isDurable: true,
    settings: SETTINGS,
    dataFolder: join(folder, `postgres-${found.version}`),
  });
  // Connections of tests let a process end that waits for nothing else.
  const awake = setInterval(() => undefined, 60_000);
  const end = async () => {
    await cluster.stop('SIGINT');
    await cluster.end();
    clearInterval(awake);
  };
  try {
    const database = await createTestDatabase({
      cluster: cluster.address,
      template: { name: `month_${spanCount}_${MIGRATED.name}`, fill: (address) => fill(file, address) },
    });
    const server = await startBenchServer(undefined, nodeOptions, environmentOf(database.address));
    return {
      server,
      readCpuSeconds: () => readCpuSeconds(server.pid) + readFamilyCpuSeconds(cluster.pid()),
      timeSql: (question) => timeOnPostgres(question, database.address),
      async close() {
        await endServer(server);
        await database.drop();
        await end();
      },
    };
  } catch (error) {
    await end();
    throw error;
  }
}

/** A quarter of the memory of a small server, as PostgreSQL's documentation has it; the rest are its defaults. */
const SETTINGS = { shared_buffers: '1GB', max_wal_size: '4GB' };

async function fill(file: string, address: PostgresAddress): Promise<void> {
  console.log('copying the month to PostgreSQL; the next run finds it');
  const startedAt = performance.now();
  const seconds = () => Math.round((performance.now() - startedAt) / 1000);
  const folder = mkdtempSync(join(tmpdir(), 'cairn-bench-'));
  try {
    // The file may be of a version before the last migration, and others use it.
    const source = { engine: 'sqlite', path: join(folder, 'month.db'), blockAboveBytes: null } as const;
    copySynced(file, source.path);
    await migrateDatabase(source);
    const target = { engine: 'postgres', address, serverId: 'copy', blockAboveBytes: null } as const;
    await copyBetween(source, target, { onProgress: () => undefined, signal: new AbortController().signal });
  } finally {
    rmSync(folder, { recursive: true });
  }
  console.log(`copied after ${seconds()} s`);
  const server = await startBenchServer(undefined, [], environmentOf(address));
  await waitUntilCaughtUp(server.httpUrl);
  await endServer(server);
  console.log(`words were indexed after ${seconds()} s`);
  await tidyUp(address);
}

/** What PostgreSQL itself does within minutes. */
async function tidyUp({ host, port, database, user }: PostgresAddress): Promise<void> {
  const client = new pg.Client({ host, port, database, user, password: () => '', ssl: false });
  await client.connect();
  await client.query('VACUUM ANALYZE');
  await client.end();
}

function environmentOf({ host, database, user }: PostgresAddress): Readonly<Record<string, string>> {
  return { SERVICE_SQL_DATABASE_URL: `postgresql://${user}@/${database}?host=${host}` };
}

async function endServer(server: BenchServer): Promise<void> {
  await server.stop();
  server.remove();
}
