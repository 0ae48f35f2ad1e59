import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Dialect } from '#normalize/dialects/dialect';
import { DIALECTS } from '#normalize/dialects/all';
import { spanId, type TestLogRecord, traceId } from '../../../../test/harness/otlp-json.ts';
import { type TestWriter, openTestWriter, recordsOf, spansOf } from '../write/open-writer.fixture.ts';
import { releaseTraceIds } from '../../spans/write/release-ids.ts';
import { readRecordMessages } from './read-messages.ts';
import { listRecordBlocks, readSpanRecords } from './read-records.ts';

let under: TestWriter;
let complaints: string[];

beforeEach(async () => {
  complaints = [];
  under = await openTestWriter({ onError: (message) => complaints.push(message) });
});

afterEach(() => under.close());

const MIB = 1024 * 1024;
const inSpan = { traceId: traceId(1), spanId: spanId(1) };

function said(timeUs: number, content: string): TestLogRecord {
  const body = { index: 0, finish_reason: 'stop', message: { role: 'assistant', content } };
  return { ...inSpan, eventName: 'gen_ai.choice', timeUs, body };
}

async function storeSpan() {
  return under.writer.write([spansOf([{ ...inSpan, attributes: { 'gen_ai.operation.name': 'chat' } }])]);
}

async function storeRecords(...records: readonly TestLogRecord[]) {
  return under.writer.write([recordsOf(records)]);
}

/** The times of the records that are read of the only span. */
async function timesRead(): Promise<readonly number[]> {
  const records = await readSpanRecords(under.db, under.dialect, [1]);
  return (records.get(1) ?? []).map(({ timeUnixNano }) => Number(timeUnixNano / 1000n));
}

/** What tables show of the only span. */
async function attributes(): Promise<unknown> {
  return (await under.rows("SELECT coalesce(output_preview, '') || attributes AS shown FROM spans"))[0]?.['shown'];
}

async function revision(): Promise<unknown> {
  return (await under.rows('SELECT revision FROM traces'))[0]?.['revision'];
}

describe('what is read of the log records of a span', () => {
  it('is 8 MiB at most, the earliest first, without those that do not fit', async () => {
    await storeRecords(said(1, 'a'.repeat(9 * MIB)), said(2, 'b'.repeat(5 * MIB)));
    await storeRecords(said(3, 'c'.repeat(5 * MIB)), said(4, 'short'));
    expect(await storeSpan()).toMatchObject([{ stored: 1, rejected: [] }]);
    expect(await timesRead()).toEqual([2, 4]);
    const blocks = (await listRecordBlocks(under.db, under.dialect, [1])).get(1) ?? [];
    expect(blocks.reduce((sum, { rawBytes }) => sum + rawBytes, 0)).toBeLessThan(9 * MIB);
    expect(await attributes()).toContain('short');
  });

  it('has no events but those of LLM applications', async () => {
    await storeSpan();
    const ticks = Array.from({ length: 1000 }, (_, place) => ({ ...inSpan, eventName: 'app.tick', timeUs: place }));
    const before = await revision();
    await storeRecords(...ticks);
    expect(await revision()).toBe(before);
    await storeRecords(said(5000, 'Paris.'));
    expect(await timesRead()).toEqual([5000]);
    expect(await attributes()).toContain('Paris.');
  });

  it('is the first thousand, and a span is read anew only for one among them', async () => {
    await storeSpan();
    await storeRecords(...Array.from({ length: 1000 }, (_, place) => said(place + 10, `said ${place}`)));
    const before = Number(await revision());
    await storeRecords(said(5000, 'too late'));
    expect(await revision()).toBe(before);
    await storeRecords(said(1, 'in time'), said(2, 'in time'));
    expect(await revision()).toBe(before + 1);
    expect((await timesRead()).slice(0, 2)).toEqual([1, 2]);
    expect(await timesRead()).toHaveLength(1000);
  });
});

describe('log records that cannot be read as what a span did', () => {
  const failing: Dialect = {
    name: 'failing',
    speaks: ({ records }) => {
      if (records.length > 0) throw new RangeError('Invalid string length');
      return false;
    },
    translate: () => undefined,
    docs: { title: '', checkedVersion: '', mappings: [], notCovered: [] },
  };
  const dialects = DIALECTS as Dialect[];

  beforeEach(() => dialects.push(failing));
  afterEach(() => dialects.pop());

  it.each([
    ['before it', [() => storeRecords(said(1, 'x')), storeSpan]],
    ['after it', [storeSpan, () => storeRecords(said(1, 'x'))]],
  ])('leave the span as it is read without them when they come %s', async (_when, steps) => {
    for (const step of steps) expect(await step()).toMatchObject([{ stored: 1, rejected: [] }]);
    expect(await under.rows('SELECT span_id, kind FROM spans')).toHaveLength(1);
    expect(await under.rows('SELECT span_row_id FROM log_records')).toEqual([{ span_row_id: 1 }]);
    expect(complaints).toEqual([`the log records of span ${spanId(1)} could not be applied to it`]);
  });
});

describe('a log record', () => {
  it('is that of its row with ids that are texts, and with an id that a deleted trace gave up', async () => {
    const damaged: number[] = [];
    const read = async () => {
      const records = await readRecordMessages(under.db, under.dialect, [1], {
        onDamaged: (rowId) => damaged.push(rowId),
      });
      return records.map(({ rowId }) => rowId);
    };
    const idOf = (text: string) => `00${Buffer.from(text).toString('hex')}`;
    await storeRecords({ ...said(1, 'hello'), traceId: idOf('my trace'), spanId: idOf('span') });
    expect(await under.rows('SELECT trace_id, span_id FROM log_records')).toEqual([
      { trace_id: 'my trace', span_id: 'span' },
    ]);
    expect([await read(), damaged]).toEqual([[1], []]);
    await releaseTraceIds(under, [{ rowId: 1, traceId: 'my trace' }]);
    expect([await read(), damaged]).toEqual([[1], []]);
  });
});
