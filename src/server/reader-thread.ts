/** A reader: its own read-only connection, where lists, decompression and decoding happen. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { CompiledQuery } from 'kysely';
import { presentOtlpSpan, presentSpan } from '#resources/spans/present';
import { planCompaction } from '#store/compaction/plan';
import { findQuietTraces, readLastBlockId } from '#store/compaction/queue';
import { sqliteDialect } from '#store/dialect/sqlite';
import { planReindex } from '#store/reindex/plan';
import { EnvelopeCache } from '#store/spans/relational/envelope-cache';
import { relationalSpanStore } from '#store/spans/relational/store';
import { openSqliteReader } from '#store/sqlite/connection';
import { kyselyOnSqlite } from '#store/sqlite/kysely-dialect';
import { serveCalls } from '#store/threads/rpc';

const { path } = workerData as { readonly path: string };
const connection = openSqliteReader(path);
const db = kyselyOnSqlite(connection);
const envelopes = new EnvelopeCache();

serveCalls(parentPort as MessagePort, {
  ...relationalSpanStore(db, sqliteDialect, { span: presentSpan, otlp: presentOtlpSpan }),
  lastBlockId: () => readLastBlockId(db),
  findQuietTraces: (lastQuietBlockId: number) => findQuietTraces(db, lastQuietBlockId),
  planCompaction: (traceRowId: number) => planCompaction(db, sqliteDialect, traceRowId),
  planReindex: (fromRowId: number, endRowId: number) =>
    planReindex({ db, dialect: sqliteDialect, envelopes }, fromRowId, endRowId),
  query: (text: string, parameters: readonly unknown[]) => db.executeQuery(CompiledQuery.raw(text, [...parameters])),
  close: () => connection.close(),
});
