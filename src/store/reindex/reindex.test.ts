import { describe, expect, it } from 'vitest';
import { NORMALIZER_VERSION } from '#normalize/version';
import { spanId, type TestSpan, traceId } from '../../../test/harness/otlp-json.ts';
import { sqliteDialect } from '../dialect/sqlite.ts';
import { type MemoryWriter, openMemoryWriter, spansOf } from '../logs/relational/open-writer.fixture.ts';
import { EnvelopeCache } from '../spans/relational/envelope-cache.ts';
import { planReindex } from './plan.ts';
import { loadReindexState, newReindexJob, noteRules, saveReindexJob } from './state.ts';

function chat(number: number, attributes: TestSpan['attributes'] = {}): TestSpan {
  return {
    traceId: traceId(number),
    spanId: spanId(number),
    name: `chat ${number}`,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'gpt-4o',
      'gen_ai.usage.input_tokens': 100,
      'gen_ai.usage.output_tokens': 10,
      'gen_ai.conversation.id': `conversation ${number % 2}`,
      ...attributes,
    },
  };
}

/** Everything that follows from reading spans. */
function readAll({ rows }: MemoryWriter) {
  return {
    spans: rows('SELECT * FROM spans ORDER BY id'),
    traces: rows(
      `SELECT t.*, s.session_id FROM traces t LEFT JOIN sessions s ON s.id = t.session_row_id ORDER BY t.id`,
    ).map(({ session_row_id: _row, revision: _revision, ...trace }) => trace),
    sessions: rows('SELECT * FROM sessions ORDER BY session_id').map(({ id: _id, ...session }) => session),
  };
}

/** Leaves rows as a version without the dialect would have left them. */
function forgetDialect({ connection }: MemoryWriter, where: string): void {
  connection.exec(`
    UPDATE spans SET kind = 11, model_name = NULL, provider = NULL, session_id = NULL, prompt_tokens = NULL,
      completion_tokens = NULL, call_distance = NULL, counted_prompt_tokens = 0, counted_completion_tokens = 0
      WHERE ${where};
    UPDATE traces SET prompt_tokens = 0, completion_tokens = 0, session_row_id = NULL, session_span_row_id = NULL,
      session_start_us = NULL WHERE id IN (SELECT trace_row_id FROM spans WHERE ${where});
    DELETE FROM sessions;
    UPDATE traces SET session_row_id = NULL, session_span_row_id = NULL, session_start_us = NULL;
  `);
}

describe('spans that were read by other rules', () => {
  it('are found, and read anew with their traces and sessions', async () => {
    const memory = await openMemoryWriter();
    await memory.writer.write([spansOf([chat(1), chat(2), chat(3), chat(4)])]);
    const before = readAll(memory);
    forgetDialect(memory, 'id > 0');
    expect(readAll(memory)).not.toEqual(before);
    const plan = await planReindex(scopeOf(memory), 1, 100);
    expect(plan).toEqual({ nextRowId: 100, readCount: 4, changedRowIds: [1, 2, 3, 4], failedCount: 0 });
    const touched = await memory.writer.reindex(plan.changedRowIds, null);
    expect(touched.map(({ traceIds }) => traceIds)).toEqual([[1, 2, 3, 4].map(traceId)]);
    expect(readAll(memory)).toEqual(before);
    expect((await planReindex(scopeOf(memory), 1, 100)).changedRowIds).toEqual([]);
  });

  it('are looked at in parts, from where the last part ended', async () => {
    const memory = await openMemoryWriter();
    for (let first = 1; first <= 450; first += 150) {
      await memory.writer.write([spansOf(Array.from({ length: 150 }, (_, place) => chat(first + place)))]);
    }
    const reads: [number, number][] = [];
    for (let next = 1; next < 451; ) {
      const plan = await planReindex(scopeOf(memory), next, 451);
      expect([plan.changedRowIds, plan.failedCount]).toEqual([[], 0]);
      reads.push([plan.readCount, plan.nextRowId]);
      next = plan.nextRowId;
    }
    expect(reads).toEqual([
      [200, 201],
      [200, 401],
      [50, 451],
    ]);
  });

  it('do not keep each other from being read where one cannot be', async () => {
    const memory = await openMemoryWriter();
    for (const number of [1, 2, 3]) await memory.writer.write([spansOf([chat(number)])]);
    forgetDialect(memory, 'id = 3');
    memory.connection.exec(`UPDATE blocks SET data = x'00' WHERE id = 2`);
    expect(await planReindex(scopeOf(memory), 1, 4)).toMatchObject({
      readCount: 3,
      changedRowIds: [3],
      failedCount: 1,
    });
  });
});

describe('the rules that spans were read by', () => {
  it('are stale from another version on until all was read anew', async () => {
    const memory = await openMemoryWriter();
    const { db, connection } = memory;
    await noteRules(db);
    await memory.writer.write([spansOf([chat(1)])]);
    await noteRules(db);
    expect(await loadReindexState(db)).toEqual({ isStale: false, job: null });
    connection.exec('UPDATE normalizer_versions SET version = version - 1');
    expect((await loadReindexState(db)).isStale).toBe(true);
    await noteRules(db);
    await memory.writer.write([spansOf([chat(2)])]);
    expect(memory.rows('SELECT * FROM normalizer_versions ORDER BY from_span_row_id')).toEqual([
      { from_span_row_id: 1, version: NORMALIZER_VERSION - 1 },
      { from_span_row_id: 2, version: NORMALIZER_VERSION },
    ]);
    const job = await newReindexJob(db, 5);
    expect(job).toMatchObject({ firstRowId: 1, nextRowId: 1, endRowId: 3, startedAtUs: 5, finishedAtUs: null });
    await saveReindexJob(db, { ...job, nextRowId: 2, readCount: 1 });
    expect(await loadReindexState(db)).toMatchObject({ isStale: true, job: { nextRowId: 2, readCount: 1 } });
    await saveReindexJob(db, { ...job, nextRowId: 3, finishedAtUs: 6 });
    expect(await loadReindexState(db)).toMatchObject({ isStale: false, job: { finishedAtUs: 6 } });
  });

  it('are today’s where nothing is stored yet', async () => {
    const { db } = await openMemoryWriter();
    await noteRules(db);
    expect(await newReindexJob(db, 1)).toMatchObject({ firstRowId: 1, endRowId: 1 });
    expect(await loadReindexState(db)).toEqual({ isStale: false, job: null });
  });
});

function scopeOf({ db }: MemoryWriter) {
  return { db, dialect: sqliteDialect, envelopes: new EnvelopeCache() };
}
