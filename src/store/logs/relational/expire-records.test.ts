import { afterEach, beforeEach, expect, it } from 'vitest';
import { spanId, type TestLogRecord, traceId } from '../../../../test/harness/otlp-json.ts';
import { type MemoryWriter, openMemoryWriter, recordsOf, spansOf } from './open-writer.fixture.ts';

let under: MemoryWriter;

beforeEach(async () => {
  under = await openMemoryWriter();
});

afterEach(() => under.connection.close());

function line(trace: number, body: string): TestLogRecord {
  return { traceId: traceId(trace), spanId: spanId(1), body };
}

/** Two hours pass, and another record comes. */
async function waitAndGoOn(): Promise<void> {
  under.connection.exec('UPDATE log_records SET expires_us = expires_us - 7200000000');
  await under.writer.write([recordsOf([{ eventName: 'gen_ai.choice', body: 'the next' }])]);
}

it('a line of logging whose trace never comes goes, and is counted', async () => {
  await under.writer.write([recordsOf([line(1, 'one'), line(1, 'two'), line(2, 'three')])]);
  await waitAndGoOn();
  expect(under.rows('SELECT event_name FROM log_records')).toEqual([{ event_name: 'gen_ai.choice' }]);
  expect(under.rows('SELECT live_count FROM log_record_blocks')).toEqual([{ live_count: 1 }]);
  expect(under.rows("SELECT reason, item_count FROM ingest_ledger WHERE outcome = 'expired'")).toEqual([
    { reason: 'no_trace', item_count: 3 },
  ]);
});

it('a commit gives up a bounded number of them', async () => {
  await under.writer.write([recordsOf(Array.from({ length: 350 }, (_, place) => line(1, `line ${place}`)))]);
  await waitAndGoOn();
  expect(under.rows('SELECT count(*) AS n FROM log_records')).toEqual([{ n: 51 }]);
  await under.writer.write([recordsOf([{ eventName: 'gen_ai.choice', body: 'one more' }])]);
  expect(under.rows('SELECT count(*) AS n FROM log_records')).toEqual([{ n: 2 }]);
});

it('one whose trace has come stays, also where its span has not', async () => {
  await under.writer.write([recordsOf([line(1, 'one'), line(2, 'two')])]);
  await under.writer.write([spansOf([{ traceId: traceId(1), spanId: spanId(1) }])]);
  await under.writer.write([spansOf([{ traceId: traceId(2), spanId: spanId(2) }])]);
  await under.writer.write([recordsOf([line(1, 'later')])]);
  await waitAndGoOn();
  await waitAndGoOn();
  const rows = under.rows('SELECT span_row_id IS NULL AS alone, expires_us FROM log_records ORDER BY id');
  expect(rows).toEqual([
    { alone: 0, expires_us: null },
    { alone: 1, expires_us: null },
    { alone: 0, expires_us: null },
    { alone: 1, expires_us: null },
  ]);
});

it('an event of an LLM application waits for its trace as long as it takes', async () => {
  await under.writer.write([recordsOf([{ ...line(1, 'one'), eventName: 'gen_ai.choice' }])]);
  await waitAndGoOn();
  expect(under.rows('SELECT count(*) AS n FROM log_records')).toEqual([{ n: 2 }]);
});
