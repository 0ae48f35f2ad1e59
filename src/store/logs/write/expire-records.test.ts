import { afterEach, beforeEach, expect, it } from 'vitest';
import { spanId, type TestLogRecord, traceId } from '../../../../test/harness/otlp-json.ts';
import { type TestWriter, openTestWriter, recordsOf, spansOf } from './open-writer.fixture.ts';

let under: TestWriter;

beforeEach(async () => {
  under = await openTestWriter();
});

afterEach(() => under.close());

function line(trace: number, body: string): TestLogRecord {
  return { traceId: traceId(trace), spanId: spanId(1), body };
}

/** Two hours pass, and another record comes. */
async function waitAndGoOn(): Promise<void> {
  await under.exec('UPDATE log_records SET expires_us = expires_us - 7200000000');
  await under.writer.write([recordsOf([{ eventName: 'gen_ai.choice', body: 'the next' }])]);
}

it('a line of logging whose trace never comes goes, and is counted', async () => {
  await under.writer.write([recordsOf([line(1, 'one'), line(1, 'two'), line(2, 'three')])]);
  await waitAndGoOn();
  expect(await under.rows('SELECT event_name FROM log_records')).toEqual([{ event_name: 'gen_ai.choice' }]);
  expect(await under.rows('SELECT live_count FROM log_record_blocks')).toEqual([{ live_count: 1 }]);
  expect(await under.rows("SELECT reason, item_count FROM ingest_ledger WHERE outcome = 'expired'")).toEqual([
    { reason: 'no_trace', item_count: 3 },
  ]);
});

it('a commit gives up a bounded number of them', async () => {
  await under.writer.write([recordsOf(Array.from({ length: 350 }, (_, place) => line(1, `line ${place}`)))]);
  await waitAndGoOn();
  expect(await under.rows('SELECT count(*) AS n FROM log_records')).toEqual([{ n: 51 }]);
  await under.writer.write([recordsOf([{ eventName: 'gen_ai.choice', body: 'one more' }])]);
  expect(await under.rows('SELECT count(*) AS n FROM log_records')).toEqual([{ n: 2 }]);
});

it('one whose trace has come stays, also where its span has not', async () => {
  await under.writer.write([recordsOf([line(1, 'one'), line(2, 'two')])]);
  await under.writer.write([spansOf([{ traceId: traceId(1), spanId: spanId(1) }])]);
  await under.writer.write([spansOf([{ traceId: traceId(2), spanId: spanId(2) }])]);
  await under.writer.write([recordsOf([line(1, 'later')])]);
  await waitAndGoOn();
  await waitAndGoOn();
  const rows = await under.rows(
    'SELECT CASE WHEN span_row_id IS NULL THEN 1 ELSE 0 END AS alone, expires_us FROM log_records ORDER BY id',
  );
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
  expect(await under.rows('SELECT count(*) AS n FROM log_records')).toEqual([{ n: 2 }]);
});
