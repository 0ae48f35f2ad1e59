/** A server that keeps its data in PostgreSQL: in a cluster of its own, which keeps what it acknowledged. */
import type { PostgresAddress } from '#store/engine/postgres-address';
import { postgresDialect } from '#store/dialect/postgres';
import { kyselyOnPostgres } from '#store/postgres/kysely-on-postgres';
import type { PostgresSession } from '#store/postgres/session';
import { startCluster } from '../test/harness/postgres/cluster.ts';
import { findPostgres } from '../test/harness/postgres/find-postgres.ts';
import type { MeasuredSpace } from './disk/space.ts';
import type { DiskUsage } from './disk-usage.ts';
import type { MeasuredServer, MeasuredServerPlan } from './measured-server.ts';
import { measurePostgresCeiling } from './postgres-ceiling.ts';
import { openBenchSession } from './postgres-session.ts';
import { readFamilyCpuSeconds } from './process-usage.ts';
import { startBenchServer } from './server-process.ts';

/** Starts both; the database is empty. */
export async function startOnPostgres({ nodeOptions }: MeasuredServerPlan): Promise<MeasuredServer> {
  const found = findPostgres();
  if (found.kind !== 'binaries') throw new Error(found.kind === 'none' ? found.reason : 'it must start its own server');
  const cluster = await startCluster(found, { isDurable: true, settings: SETTINGS });
  try {
    const admin = openBenchSession(cluster.address);
    await admin.exec(`CREATE DATABASE ${NAME}`);
    const address = { ...cluster.address, database: NAME };
    const server = await startBenchServer(undefined, nodeOptions, { SERVICE_SQL_DATABASE_URL: urlOf(address) });
    const watcher = openBenchSession(address);
    return {
      server,
      change: (statement) => watcher.exec(statement),
      // Each transaction that writes takes the turn.
      countCommits: async () => Number(await readOne(watcher, 'SELECT turn FROM write_turn')) % 2 ** 32,
      readDatabaseCpuSeconds: () => readFamilyCpuSeconds(cluster.pid()),
      measureDisk: () => measureDisk(watcher),
      measureSpace: () => measureSpace(watcher),
      measureCeiling: (commitCount) => measurePostgresCeiling({ admin, written: watcher, address, commitCount }),
      async remove() {
        await Promise.all([watcher.close(), admin.close()]);
        server.remove();
        await cluster.end();
      },
    };
  } catch (error) {
    await cluster.end();
    throw error;
  }
}

const NAME = 'cairn';

/** PostgreSQL's own defaults, where tests have others. */
const SETTINGS = {
  autovacuum_naptime: '1min',
  shared_buffers: '128MB',
};

function urlOf({ host, port, database, user }: PostgresAddress): string {
  return `postgresql://${user}@:${port}/${database}?sslmode=disable&host=${encodeURIComponent(host)}`;
}

async function readOne(session: PostgresSession, text: string): Promise<unknown> {
  const { rows } = await session.run(text, []);
  return Object.values(rows[0] as Readonly<Record<string, unknown>>)[0];
}

/** Tables with what they keep elsewhere of long values; an index is that of any table. */
async function measureDisk(session: PostgresSession): Promise<DiskUsage> {
  const { rows } = await session.run(
    `SELECT sum(pg_table_size(oid)) FILTER (WHERE relname = 'blocks') AS blocks,
            sum(pg_table_size(oid)) FILTER (WHERE relname <> 'blocks') AS rows,
            sum(pg_indexes_size(oid)) AS indexes
     FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
    [],
  );
  return rows[0] as DiskUsage;
}

/** Of the database its tables, and the log of the whole cluster. */
async function measureSpace(session: PostgresSession): Promise<MeasuredSpace> {
  const db = kyselyOnPostgres(postgresDialect, { acquire: async () => session, release: () => undefined });
  const { tables } = await postgresDialect.measureSpace(db);
  const logBytes = Number(await readOne(session, 'SELECT sum(size) FROM pg_ls_waldir()'));
  return { tables: tables ?? [], logBytes, otherBytes: 0 };
}
