import { expect, it } from 'vitest';
import { spanId, traceId } from '../../../../test/harness/otlp-json.ts';
import { QUERIES, StatementRecorder } from '../../engine/statement-recorder.fixture.ts';
import { expireRecords } from '../write/expire-records.ts';
import { openTestWriter, recordsOf, spansOf } from '../write/open-writer.fixture.ts';
import { listRecordBlocks, readSpanRecords } from '../rows/read-records.ts';

it('the SQL of log records is the committed text, so that a change of a query shows in review', async () => {
  const recorder = new StatementRecorder();
  const engine = await recorder.open();
  const { writer, db, dialect, rows, close } = await openTestWriter({ engine });
  const event = { eventName: 'gen_ai.choice' };
  const conversation = { 'session.id': 'c' };
  const source = { resource: { 'service.name': 'service' } };
  const span = { traceId: traceId(1), startUs: 10, endUs: 20, attributes: conversation };
  await writer.write([spansOf([{ ...span, spanId: spanId(1) }])]);
  await writer.write([recordsOf([{ ...event, traceId: traceId(1), spanId: spanId(1), timeUs: 1 }])]);
  await writer.write([recordsOf([{ ...event, traceId: traceId(1), spanId: spanId(2), timeUs: 2 }])]);
  await writer.write([spansOf([1, 2].map((number) => ({ ...span, name: 'again', spanId: spanId(number) })))]);
  await writer.write([recordsOf([{ ...event, timeUs: 15, attributes: conversation }], source)]);
  await writer.write([recordsOf([{ ...event, traceId: traceId(1), timeUs: 16 }], source)]);
  await writer.write([
    recordsOf([
      { body: 'a line', traceId: traceId(1) },
      { body: 'a line', traceId: traceId(2) },
    ]),
  ]);
  await writer.write([spansOf([{ ...span, spanId: spanId(3) }], source)]);
  const [one] = await rows('SELECT id FROM spans ORDER BY id LIMIT 1');
  await listRecordBlocks(db, dialect, [Number(one?.['id'])]);
  await readSpanRecords(db, dialect, [Number(one?.['id'])]);
  await expireRecords(engine, Number.MAX_SAFE_INTEGER);
  await close();
  const statements = recorder.statements.filter((statement) => statement.includes('log_record'));
  const text = statements.map((statement) => `${statement}\n`).join('\n');
  await expect(text).toMatchFileSnapshot(QUERIES);
});
