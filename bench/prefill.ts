/** Databases that hold many spans already, made once by the real writer and kept. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { normalizeRequest } from '#normalize/normalize-request';
import { decodeExportTraceRequest } from '#otlp/protobuf/request';
import { sqliteDialect } from '#store/dialect/sqlite';
import { bulkInsertOnSqlite } from '#store/spans/relational/bulk-insert';
import { RelationalSpanWriter } from '#store/spans/relational/writer';
import { openSqliteWriter } from '#store/sqlite/connection';
import { kyselyOnSqlite } from '#store/sqlite/kysely-dialect';
import { prepareDataFile } from '#store/sqlite/prepare';
import { exporterRequests, SHAPES, type TrafficRequest } from './shapes.ts';

const SCHEMA = fileURLToPath(new URL('../src/store/schema/sqlite.sql', import.meta.url));

/** Requests of one transaction. */
const GROUP = 20;

/** Seeds that no run uses. */
const FIRST_SEED = 1_000_000_000;

/** A data file with that many spans of agents; made if the folder has none of this schema. */
export async function prefilledFile(folder: string, spanCount: number): Promise<string> {
  const schema = createHash('sha256').update(readFileSync(SCHEMA)).digest('hex').slice(0, 8);
  const path = join(folder, `agent-${spanCount}-${schema}.db`);
  if (existsSync(path)) return path;
  console.log(`filling ${path}; the next run finds it`);
  mkdirSync(folder, { recursive: true });
  const unfinished = `${path}.unfinished`;
  rmSync(unfinished, { force: true });
  await fill(unfinished, spanCount);
  renameSync(unfinished, path);
  return path;
}

async function fill(path: string, spanCount: number): Promise<void> {
  const connection = openSqliteWriter(path);
  // A file that is not finished is made again, so it need not survive a crash.
  connection.exec('PRAGMA synchronous = OFF');
  const db = kyselyOnSqlite(connection);
  await prepareDataFile(connection, db);
  const onError = (message: string, cause: unknown) => {
    throw new Error(message, { cause });
  };
  const bulkInsert = bulkInsertOnSqlite(connection, db);
  const writer = new RelationalSpanWriter({ db, dialect: sqliteDialect, bulkInsert, onError });
  const context = { receivedUnixNano: 0n, projectOverride: null, defaultProject: 'default' };
  const exporters = Array.from({ length: SHAPES.agent.exporters }, (_, place) =>
    exporterRequests(SHAPES.agent, FIRST_SEED + place),
  );
  for (let stored = 0, request = 0; stored < spanCount; ) {
    const group = Array.from({ length: GROUP }, () => {
      const { body } = exporters[request++ % exporters.length]?.next().value as TrafficRequest;
      return normalizeRequest(decodeExportTraceRequest(body), context);
    });
    for (const outcome of await writer.write(group)) stored += outcome.stored;
  }
  connection.close();
}
