/** The writer: the one connection that writes. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { CompiledQuery } from 'kysely';
import { Gate } from '#base/gate';
import { GroupCommit } from '#ingest/group-commit';
import { type PackedExport, unpackExport } from '#ingest/packed-export';
import type { CompactionPlan } from '#store/compaction/plan';
import { sqliteDialect } from '#store/dialect/sqlite';
import { loadReindexState, newReindexJob, noteRules, type ReindexJob } from '#store/reindex/state';
import { bulkInsertOnSqlite } from '#store/spans/relational/bulk-insert';
import { runOnSqlite } from '#store/spans/relational/prepared-query';
import { RelationalSpanWriter } from '#store/spans/relational/writer';
import { openSqliteWriter } from '#store/sqlite/connection';
import { fileGuard } from '#store/sqlite/file-guard';
import { kyselyOnSqlite } from '#store/sqlite/kysely-dialect';
import { logGuard } from '#store/sqlite/log-guard';
import { prepareDataFile } from '#store/sqlite/prepare';
import { storageGuard } from '#store/sqlite/storage-guard';
import { logFromThread, serveCalls } from '#store/threads/rpc';

/** What the writer's thread is started with. */
export interface WriterThreadData {
  readonly path: string;
  /** `null` while the data may grow as it likes. */
  readonly blockAboveBytes: number | null;
}

const port = parentPort as MessagePort;
const data = workerData as WriterThreadData;
const connection = openSqliteWriter(data.path);
const db = kyselyOnSqlite(connection);
const ready = prepareDataFile(connection, db).then(() => noteRules(db));
const gate = new Gate();
const writer = new RelationalSpanWriter({
  db,
  dialect: sqliteDialect,
  bulkInsert: bulkInsertOnSqlite(connection, db),
  run: runOnSqlite(connection),
  onError: (message, cause) => logFromThread(port, 'error', message, cause),
});
const assertRoom = data.blockAboveBytes === null ? () => undefined : storageGuard(connection, data.blockAboveBytes);
const keepLogSmall = logGuard(connection, data.path);
const inPlace = ready.then(() => fileGuard(data.path, (message) => logFromThread(port, 'error', message)));
const commits = new GroupCommit({
  writer: {
    write: (requests) =>
      gate.run(async () => {
        assertRoom();
        const assertInPlace = await inPlace;
        const outcomes = await writer.write(requests);
        assertInPlace();
        keepLogSmall();
        return outcomes;
      }),
  },
  prepare: unpackExport,
});

serveCalls(port, {
  open: () => ready,
  export: async (packed: PackedExport) => {
    await ready;
    return commits.export(packed);
  },
  compact: async (plans: readonly CompactionPlan[]) => {
    await ready;
    return gate.run(() => writer.compact(plans));
  },
  reindexState: async () => {
    await ready;
    return gate.run(() => loadReindexState(db));
  },
  newReindexJob: async () => {
    await ready;
    return gate.run(() => newReindexJob(db, Date.now() * 1000));
  },
  reindex: async (spanRowIds: readonly number[], job: ReindexJob | null) => {
    await ready;
    return gate.run(async () => {
      const touched = await writer.reindex(spanRowIds, job);
      keepLogSmall();
      return touched;
    });
  },
  query: async (text: string, parameters: readonly unknown[]) => {
    await ready;
    return gate.run(() => db.executeQuery(CompiledQuery.raw(text, [...parameters])));
  },
  close: async () => {
    await commits.drain();
    await gate.run(async () => connection.close());
  },
});
