/** A database in memory that spans are written to, and what must count of them. */
import type { SpanKind } from '#domain/span';
import { normalizeRequest } from '#normalize/normalize-request';
import { transcodeJsonRequest } from '#otlp/json/transcode';
import { decodeExportTraceRequest } from '#otlp/protobuf/request';
import { otlpSpan, spanId, traceId } from '../../../../test/harness/otlp-json.ts';
import { countingSpans } from '../../../../test/support/counting-spans.ts';
import { sqliteDialect } from '../../dialect/sqlite.ts';
import { openSqlite, type SqliteConnection } from '../../sqlite/connection.ts';
import { kyselyOnSqlite } from '../../sqlite/kysely-dialect.ts';
import { prepareDataFile } from '../../sqlite/prepare.ts';
import { toIncoming } from '../incoming.ts';
import { bulkInsertOnSqlite } from './bulk-insert.ts';
import { runOnSqlite } from './prepared-query.ts';
import { RelationalSpanWriter } from './writer.ts';

/** A span as far as it matters to what counts; ids are small numbers. */
export interface PlainSpan {
  readonly trace: number;
  readonly id: number;
  readonly parent: number | null;
  readonly kind: SpanKind;
  /** Tokens of input that it claims; twice as many of output. */
  readonly tokens: number;
  readonly startUs: number;
  readonly endUs: number;
  readonly scope: string;
  readonly responseId: string | null;
  readonly session: string | null;
}

/** A writer with what it wrote. */
export interface CountingStore {
  readonly connection: SqliteConnection;
  /** Writes spans in one commit. */
  send(spans: readonly PlainSpan[]): Promise<void>;
  /** Statements run, and rows read or changed by them, since the last time. */
  takeWork(): { readonly statements: number; readonly rows: number };
}

/** Opens an empty store, or a writer that knows nothing yet of what another wrote. */
export async function openCountingStore(existing?: SqliteConnection): Promise<CountingStore> {
  const connection = existing ?? openSqlite(':memory:', { readOnly: false });
  if (existing === undefined) await prepareDataFile(connection, kyselyOnSqlite(connection));
  let work = { statements: 0, rows: 0 };
  const counted: SqliteConnection = {
    ...connection,
    get inTransaction() {
      return connection.inTransaction;
    },
    prepare(text) {
      const statement = connection.prepare(text);
      const count = (rows: number) => {
        work = { statements: work.statements + 1, rows: work.rows + rows };
      };
      return {
        returnsRows: statement.returnsRows,
        all(parameters) {
          const rows = statement.all(parameters);
          count(rows.length);
          return rows;
        },
        run(parameters) {
          const result = statement.run(parameters);
          count(result.changes);
          return result;
        },
      };
    },
  };
  const db = kyselyOnSqlite(counted);
  const writer = new RelationalSpanWriter({
    db,
    dialect: sqliteDialect,
    bulkInsert: bulkInsertOnSqlite(counted, db),
    run: runOnSqlite(counted),
    onError(message, cause) {
      throw new Error(message, { cause });
    },
  });
  return {
    connection,
    async send(spans) {
      const context = { receivedUnixNano: 1n, projectOverride: null, defaultProject: 'default' };
      const request = decodeExportTraceRequest(transcodeJsonRequest(toBody(spans)));
      await writer.write([toIncoming(normalizeRequest(request, context))]);
    },
    takeWork() {
      const taken = work;
      work = { statements: 0, rows: 0 };
      return taken;
    },
  };
}

function toBody(spans: readonly PlainSpan[]): Uint8Array<ArrayBuffer> {
  const scopeSpans = spans.map((span) => ({ scope: { name: span.scope }, spans: [otlpSpan(toTestSpan(span))] }));
  return new TextEncoder().encode(JSON.stringify({ resourceSpans: [{ resource: {}, scopeSpans }] }));
}

function toTestSpan({ trace, id, parent, kind, tokens, startUs, endUs, responseId, session }: PlainSpan) {
  return {
    traceId: traceId(trace),
    spanId: spanId(id),
    ...(parent !== null && { parentSpanId: spanId(parent) }),
    startUs,
    endUs,
    attributes: {
      'openinference.span.kind': kind,
      ...(tokens > 0 && { 'llm.token_count.prompt': tokens, 'llm.token_count.completion': 2 * tokens }),
      ...(responseId !== null && { 'gen_ai.response.id': responseId }),
      ...(session !== null && { 'session.id': session }),
    },
  };
}

/** The spans whose tokens count, by an evaluation that looks at all of them. */
export function whatCounts(spans: readonly PlainSpan[]): ReadonlySet<PlainSpan> {
  const described = spans.map((span) => ({
    ...span,
    traceId: traceId(span.trace),
    spanId: spanId(span.id),
    parentSpanId: span.parent === null ? null : spanId(span.parent),
    claims: span.tokens > 0,
    span,
  }));
  return new Set(countingSpans(described).map(({ span }) => span));
}
