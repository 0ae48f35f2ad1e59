import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { NORMALIZER_VERSION } from '#normalize/version';
import { spanId, type TestSpan, traceId } from '../../../test/harness/otlp-json.ts';
import { type TestWriter, openTestWriter, spansOf } from '../logs/write/open-writer.fixture.ts';
import { EnvelopeCache } from '../spans/rows/envelope-cache.ts';
import { takeRoomHere } from '../threads/room.fixture.ts';
import { planReindex } from './plan.ts';
import { advanceReindex, beginReindex, loadReindexState, newPass, noteRules } from './state.ts';

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

const UNREADABLE = Uint8Array.of(0);

/** Everything that follows from reading spans. */
async function readAll({ rows }: TestWriter) {
  return {
    spans: await rows('SELECT * FROM spans ORDER BY id'),
    traces: (
      await rows(`SELECT t.*, s.session_id FROM traces t LEFT JOIN sessions s ON s.id = t.session_row_id ORDER BY t.id`)
    ).map(({ session_row_id: _row, revision: _revision, ...trace }) => trace),
    sessions: (await rows('SELECT * FROM sessions ORDER BY session_id')).map(({ id: _id, ...session }) => session),
  };
}

/** Leaves rows as a version without the dialect would have left them. */
async function forgetDialect({ exec }: TestWriter, where: string): Promise<void> {
  await exec(`
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
  it('are found, and read again with their traces and sessions', async () => {
    const memory = await openTestWriter();
    await memory.writer.write([spansOf([chat(1), chat(2), chat(3), chat(4)])]);
    const before = await readAll(memory);
    await forgetDialect(memory, 'id > 0');
    expect(await readAll(memory)).not.toEqual(before);
    const plan = await planReindex(scopeOf(memory), 1, 100);
    expect(plan).toEqual({ nextRowId: 100, readCount: 4, changedRowIds: [1, 2, 3, 4], failedCount: 0 });
    const touched = await memory.writer.reindex(plan.changedRowIds);
    expect(touched.map(({ traceIds }) => traceIds)).toEqual([[1, 2, 3, 4].map(traceId)]);
    expect(await readAll(memory)).toEqual(before);
    expect((await planReindex(scopeOf(memory), 1, 100)).changedRowIds).toEqual([]);
  });

  it('are looked at in parts, from where the last part ended', async () => {
    const memory = await openTestWriter();
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
    const memory = await openTestWriter();
    for (const number of [1, 2, 3]) await memory.writer.write([spansOf([chat(number)])]);
    await forgetDialect(memory, 'id = 3');
    await memory.exec(sql`UPDATE blocks SET data = ${UNREADABLE} WHERE id = 2`);
    expect(await planReindex(scopeOf(memory), 1, 4)).toMatchObject({
      readCount: 3,
      changedRowIds: [3],
      failedCount: 1,
    });
  });

  it('are not passed by where there is no memory for them', async () => {
    const memory = await openTestWriter();
    await memory.writer.write([spansOf([chat(1, { padding: 'x'.repeat(2_000_000) })])]);
    await forgetDialect(memory, 'id = 1');
    const room = takeRoomHere(10_000_000);
    const others = await room.take(10_000_000);
    await expect(planReindex(scopeOf(memory), 1, 2)).rejects.toMatchObject({ code: 'unavailable' });
    others[Symbol.dispose]();
    expect(await planReindex(scopeOf(memory), 1, 2)).toMatchObject({ changedRowIds: [1], failedCount: 0 });
  });
});

describe('the rules that spans were read by', () => {
  it('are stale from another version on until all was read again', async () => {
    const memory = await openTestWriter();
    const { db, exec } = memory;
    await noteRules(db);
    await memory.writer.write([spansOf([chat(1)])]);
    await noteRules(db);
    expect(await loadReindexState(db)).toEqual({ isStale: false, job: null });
    await exec('UPDATE normalizer_versions SET version = version - 1');
    expect((await loadReindexState(db)).isStale).toBe(true);
    await noteRules(db);
    await memory.writer.write([spansOf([chat(2)])]);
    expect(await memory.rows('SELECT * FROM normalizer_versions ORDER BY from_span_row_id')).toEqual([
      { from_span_row_id: 1, version: NORMALIZER_VERSION - 1 },
      { from_span_row_id: 2, version: NORMALIZER_VERSION },
    ]);
    const job = await beginReindex(db, 5);
    expect(job).toMatchObject({ firstRowId: 1, nextRowId: 1, endRowId: 3, startedAtUs: 5, finishedAtUs: null });
    const half = { ...job, nextRowId: 2, readCount: 1 };
    expect(await advanceReindex(db, job, half)).toBe(true);
    expect(await beginReindex(db, 6)).toEqual(half);
    const done = { ...job, nextRowId: 3, finishedAtUs: 6 };
    // Of one who has not heard that somebody else went on.
    expect(await advanceReindex(db, job, done)).toBe(false);
    expect(await loadReindexState(db)).toEqual({ isStale: true, job: half });
    expect(await advanceReindex(db, half, done)).toBe(true);
    expect(await advanceReindex(db, half, { ...half, nextRowId: 3 })).toBe(false);
    expect(await loadReindexState(db)).toEqual({ isStale: false, job: done });
    expect(await beginReindex(db, 7)).toMatchObject({ nextRowId: 1, startedAtUs: 7, finishedAtUs: null });
  });

  it('are today’s where nothing is stored yet', async () => {
    const { db } = await openTestWriter();
    await noteRules(db);
    expect(await newPass(db)).toMatchObject({ firstRowId: 1, endRowId: 1 });
    expect(await loadReindexState(db)).toEqual({ isStale: false, job: null });
  });
});

function scopeOf({ db, dialect }: TestWriter) {
  return { db, dialect, envelopes: new EnvelopeCache() };
}
