import { expect, it } from 'vitest';
import { spanId, traceId } from '../../../../test/harness/otlp-json.ts';
import type { SqliteConnection } from '../../sqlite/connection.ts';
import { openSqliteTestEngine } from '../../sqlite/open-test-engine.fixture.ts';
import { expireRecords } from '../write/expire-records.ts';
import { openTestWriter, recordsOf, spansOf } from '../write/open-writer.fixture.ts';
import { listRecordBlocks, readSpanRecords } from '../rows/read-records.ts';

it('the SQL of log records is the committed text, so that a change of a query shows in review', async () => {
  const statements = new Map<string, string>();
  const watch = (connection: SqliteConnection): SqliteConnection => ({
    ...connection,
    prepare(text) {
      if (text.includes('log_record') && !statements.has(text)) statements.set(text, plan(connection, text));
      return connection.prepare(text);
    },
  });
  const engine = await openSqliteTestEngine(watch);
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
  const text = [...statements].map(([statement, steps]) => `${statement};\n${steps}\n`).join('\n');
  await expect(text).toMatchFileSnapshot('./queries.sqlite.sql');
});

function plan(connection: SqliteConnection, statement: string): string {
  const parameters = Array.from(statement.matchAll(/\?/g), () => null);
  const steps = connection.prepare(`EXPLAIN QUERY PLAN ${statement}`).all(parameters) as { detail: string }[];
  return steps.map(({ detail }) => `--   ${detail}`).join('\n');
}
