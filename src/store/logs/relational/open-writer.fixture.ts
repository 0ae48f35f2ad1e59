/** A writer on a database in memory, for tests that look at its rows. */
import type { Kysely } from 'kysely';
import { normalizeLogs } from '#normalize/normalize-logs';
import { normalizeRequest } from '#normalize/normalize-request';
import { transcodeJsonRequest } from '#otlp/json/transcode';
import { decodeExportLogsRequest, decodeExportTraceRequest } from '#otlp/protobuf/request';
import {
  logsRequest,
  type TestLogRecord,
  type TestSource,
  type TestSpan,
  traceRequest,
} from '../../../../test/harness/otlp-json.ts';
import { sqliteDialect } from '../../dialect/sqlite.ts';
import type { Tables } from '../../schema/tables.ts';
import { type IncomingRequest, toIncoming, toIncomingLogs } from '../../spans/incoming.ts';
import { bulkInsertOnSqlite } from '../../spans/relational/bulk-insert.ts';
import { runOnSqlite } from '../../spans/relational/prepared-query.ts';
import { RelationalSpanWriter } from '../../spans/relational/writer.ts';
import { openSqliteWriter, type SqliteConnection } from '../../sqlite/connection.ts';
import { kyselyOnSqlite } from '../../sqlite/kysely-dialect.ts';
import { prepareDataFile } from '../../sqlite/prepare.ts';

/** What is known of the time of a request. */
const CONTEXT = { receivedUnixNano: 1_767_225_600_000_000_000n, projectOverride: null, defaultProject: 'default' };

/** An open database. */
export interface MemoryWriter {
  readonly connection: SqliteConnection;
  readonly db: Kysely<Tables>;
  readonly writer: RelationalSpanWriter;
  /** The rows of a query. */
  rows(query: string): readonly Readonly<Record<string, unknown>>[];
}

/**
 * Opens it.
 * @param watch stands between the writer and the connection once the schema is there
 * @param onError what the writer complains of; a test that expects nothing fails
 */
export async function openMemoryWriter(
  watch: (connection: SqliteConnection) => SqliteConnection = (connection) => connection,
  onError: (message: string, cause: unknown) => void = (message, cause) => {
    throw new Error(message, { cause });
  },
): Promise<MemoryWriter> {
  const opened = openSqliteWriter(':memory:');
  await prepareDataFile(opened, kyselyOnSqlite(opened));
  const connection = watch(opened);
  const db = kyselyOnSqlite(connection);
  const writer = new RelationalSpanWriter({
    db,
    dialect: sqliteDialect,
    bulkInsert: bulkInsertOnSqlite(connection, db),
    run: runOnSqlite(connection),
    onError,
  });
  const rows = (query: string) => connection.prepare(query).all([]) as Readonly<Record<string, unknown>>[];
  return { connection, db, writer, rows };
}

/** A request of spans, ready to be stored. */
export function spansOf(
  spans: readonly TestSpan[],
  { resource = {}, scope = 'test' }: TestSource = {},
): IncomingRequest {
  const request = traceRequest(spans, resource);
  for (const { scopeSpans } of request.resourceSpans) for (const group of scopeSpans) group.scope.name = scope;
  const body = transcodeJsonRequest(Buffer.from(JSON.stringify(request)));
  return toIncoming(normalizeRequest(decodeExportTraceRequest(body), CONTEXT));
}

/** A request of log records, ready to be stored. */
export function recordsOf(
  records: readonly TestLogRecord[],
  source: TestSource = {},
  projectOverride: string | null = null,
): IncomingRequest {
  const json = JSON.stringify(logsRequest(records, source));
  const body = transcodeJsonRequest(Buffer.from(json), 'ExportLogsServiceRequest');
  return toIncomingLogs(normalizeLogs(decodeExportLogsRequest(body), { ...CONTEXT, projectOverride }));
}
