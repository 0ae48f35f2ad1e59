import { expect, it } from 'vitest';
import { spanId, traceId } from '../../../../test/harness/otlp-json.ts';
import { EnvelopeCache } from '../../spans/rows/envelope-cache.ts';
import { TraceTrees } from '../../spans/rows/trace-trees.ts';
import { openTestWriter, recordsOf, spansOf } from '../write/open-writer.fixture.ts';
import { browseLogRecords } from './browse-records.ts';
import { readSpanLogs } from './read-log-originals.ts';

it('a damaged log record is named among the others, in lists and downloads', async () => {
  const store = await openTestWriter();
  await store.writer.write([spansOf([{ traceId: traceId(1), spanId: spanId(1) }])]);
  for (const [place, body] of ['one', 'two', 'three'].entries()) {
    await store.writer.write([recordsOf([{ traceId: traceId(1), spanId: spanId(1), timeUs: place + 1, body }])]);
  }
  await store.exec(`UPDATE log_record_blocks SET data = substr(data, 1, 5)
    WHERE id = (SELECT block_id FROM log_records WHERE time_us = 2)`);
  const scope = { ...store, envelopes: new EnvelopeCache(), trees: new TraceTrees() };
  const { rows } = await browseLogRecords(scope, { spanRowId: 1 }, { limit: 10, after: null });
  expect(rows.map(({ timeUs, body, damage }) => [timeUs, body, damage])).toEqual([
    [1, 'one', null],
    [2, null, expect.stringMatching(/^The stored log record .* is damaged \(a block of 5 bytes\)\.$/)],
    [3, 'three', null],
  ]);
  const original = await readSpanLogs(scope, { rowId: 1 }, 'json');
  expect(original).toMatchObject({ recordCount: 2, damagedRowIds: [rows[1]?.rowId] });
  const text = Buffer.from(original?.body ?? []).toString();
  expect([text.includes('one'), text.includes('two'), text.includes('three')]).toEqual([true, false, true]);
});
