import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { normalizeRequest } from '#normalize/normalize-request';
import { transcodeJsonRequest } from '#otlp/json/transcode';
import { decodeExportTraceRequest } from '#otlp/protobuf/request';
import { traceBody } from '../../../../test/harness/otlp-json.ts';
import { sqliteDialect } from '../../dialect/sqlite.ts';
import { openSqliteReader, openSqliteWriter } from '../../sqlite/connection.ts';
import { kyselyOnSqlite } from '../../sqlite/kysely-dialect.ts';
import { prepareDataFile } from '../../sqlite/prepare.ts';
import type { WriteOutcome } from '../../writer-port.ts';
import { describeTelemetryBrowser } from '../browse-contract.ts';
import { describeSpanStore, type StoreUnderTest } from '../contract.ts';
import { toIncoming } from '../incoming.ts';
import { bulkInsertOnSqlite } from './bulk-insert.ts';
import { runOnSqlite } from './prepared-query.ts';
import { relationalSpanStore } from './store.ts';
import { RelationalSpanWriter } from './writer.ts';

describeSpanStore('SQLite', openSqliteStore);
describeTelemetryBrowser('SQLite', openSqliteStore);

async function openSqliteStore(): Promise<StoreUnderTest> {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-contract-'));
  const path = join(folder, 'cairn.db');
  const writing = openSqliteWriter(path);
  const db = kyselyOnSqlite(writing);
  await prepareDataFile(writing, db);
  const bulkInsert = bulkInsertOnSqlite(writing, db);
  const onError = (message: string, cause: unknown) => {
    throw new Error(message, { cause });
  };
  const writer = new RelationalSpanWriter({
    db,
    dialect: sqliteDialect,
    bulkInsert,
    run: runOnSqlite(writing),
    onError,
  });
  const reading = openSqliteReader(path);
  const read = kyselyOnSqlite(reading);
  const present = ({ span }: { span: { name: string } }) => JSON.stringify({ name: span.name });
  return {
    store: acrossThreads(relationalSpanStore(read, sqliteDialect, { span: present, otlp: present })),
    async send(spans, project = 'default') {
      const request = decodeExportTraceRequest(transcodeJsonRequest(traceBody(spans)));
      const context = { receivedUnixNano: 1n, projectOverride: project, defaultProject: 'default' };
      const [outcome] = await writer.write([toIncoming(normalizeRequest(request, context))]);
      return outcome as WriteOutcome;
    },
    projectRowId: async (name) =>
      (await read.selectFrom('projects').select('id').where('name', '=', name).executeTakeFirst())?.id,
    async close() {
      reading.close();
      writing.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The store as callers have it: arguments and results are cloned on their way between threads. */
function acrossThreads<Store extends object>(store: Store): Store {
  return new Proxy(store, {
    get:
      (target, method) =>
      async (...parameters: never[]) => {
        const call = Reflect.get(target, method) as (...given: never[]) => Promise<unknown>;
        return structuredClone(await call(...structuredClone(parameters)));
      },
  });
}
