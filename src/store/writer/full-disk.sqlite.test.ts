import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { normalizeRequest } from '#normalize/normalize-request';
import { transcodeJsonRequest } from '#otlp/json/transcode';
import { decodeExportTraceRequest } from '#otlp/protobuf/request';
import { spanId, traceBody, traceId } from '../../../test/harness/otlp-json.ts';
import { sqliteDialect } from '../dialect/sqlite.ts';
import { openSqliteWriter, type SqliteConnection } from '../sqlite/connection.ts';
import { kyselyOnSqlite } from '../sqlite/kysely-on-sqlite.ts';
import { prepareDataFile } from '../sqlite/prepare.ts';
import { toIncoming } from '../incoming/request.ts';
import { RelationalSpanWriter } from './writer.ts';
import { runOnSqlite } from '../sqlite/run-statement.ts';
import { bulkInsertOnSqlite } from '../sqlite/bulk-insert.ts';
import { bulkUpdateOnSqlite } from '../sqlite/bulk-update.ts';

let folder: string;
let connection: SqliteConnection;
let writer: RelationalSpanWriter;
let faults: string[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-full-disk-'));
  connection = openSqliteWriter(join(folder, 'cairn.db'));
  const db = kyselyOnSqlite(connection);
  await prepareDataFile(connection, db);
  faults = [];
  writer = new RelationalSpanWriter({
    db,
    dialect: sqliteDialect,
    bulkInsert: bulkInsertOnSqlite(connection, db),
    bulkUpdate: bulkUpdateOnSqlite(connection),
    run: runOnSqlite(connection),
    takeTurn: async () => true,
    tell: async () => undefined,
    onError: (_message, cause) => faults.push(String(cause)),
  });
});

afterEach(() => {
  connection.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('a disk that is full', () => {
  it('fails the whole group, keeps what was stored, and lets writing go on when there is room', async () => {
    await writer.write([request(1, 10)]);
    limitPages(number('PRAGMA page_count') + 10);
    const group = [request(20, 1), request(21, 500), request(600, 1)];
    await expect(writer.write(group)).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 5 });
    expect(faults).toEqual([expect.stringContaining('full')]);
    expect(connection.inTransaction).toBe(false);
    expect(number('SELECT count(*) FROM spans')).toBe(10);

    limitPages(1_000_000);
    const outcomes = await writer.write(group);
    expect(outcomes.map((outcome) => outcome.stored)).toEqual([1, 500, 1]);
    expect(number('SELECT count(*) FROM spans JOIN span_locations ON span_row_id = id')).toBe(512);
    expect(number("SELECT sum(item_count) FROM ingest_ledger WHERE outcome = 'stored'")).toBe(512);
    expect(number("SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'")).toBe(0);
  });

  it('is told to whoever changes something else, who can make room, and nothing is changed', async () => {
    await writer.write([request(1, 1)]);
    limitPages(number('PRAGMA page_count'));
    const change = writer.change(({ db }) =>
      db
        .updateTable('projects')
        .set({ description: 'large '.repeat(10_000) })
        .execute(),
    );
    await expect(change).rejects.toMatchObject({ name: 'StorageError', fault: 'full' });
    expect(number('SELECT count(*) FROM projects WHERE description IS NOT NULL')).toBe(0);
  });
});

function request(first: number, count: number) {
  const spans = Array.from({ length: count }, (_, index) => {
    const id = first + index;
    return { traceId: traceId(id), spanId: spanId(id), attributes: { note: `${id} `.repeat(60) } };
  });
  const context = { receivedUnixNano: 1n, projectOverride: `project ${first}`, defaultProject: 'default' };
  return toIncoming(normalizeRequest(decodeExportTraceRequest(transcodeJsonRequest(traceBody(spans))), context));
}

function limitPages(pages: number): void {
  connection.prepare(`PRAGMA max_page_count = ${pages}`).all([]);
}

function number(query: string): number {
  return Object.values(connection.prepare(query).all([])[0] as object)[0] as number;
}
