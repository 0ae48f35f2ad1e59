import { expect, it } from 'vitest';
import { QUERIES, StatementRecorder } from '../engine/statement-recorder.fixture.ts';
import { readAttributePaths } from './attribute-paths.ts';
import { MAX_BATCH_ROWS } from './batch.ts';
import { buildSegment } from './build-segment.ts';
import { spanRow } from './columns.fixture.ts';
import { findDueSegments } from './due-segments.ts';
import { readBatches } from './read-batches.ts';
import { openSegments, storeSegment } from './store-segment.ts';

it('the SQL of columns is the committed text, so that a change of a query shows in review', async () => {
  const statements = new StatementRecorder('of other sections');
  const engine = await statements.open();
  const { db, bulkInsert } = engine;
  const record = statements.record.bind(statements);
  const rows = [1, 2].map((id) => spanRow({ id, parent_span_id: 'missing', attributes: '{"a":1}' }));
  await bulkInsert('spans', [...rows, spanRow({ id: MAX_BATCH_ROWS })]);
  await engine.exec(`UPDATE row_ids SET next_id = ${MAX_BATCH_ROWS + 1} WHERE table_name = 'spans'`);
  await record('openSegments', () => openSegments(engine));
  await record('findDueSegments', () => findDueSegments(db));
  const plan = await buildSegment(db, 0);
  await record('buildSegment', () => buildSegment(db, 0));
  await engine.exec('UPDATE spans SET name = name WHERE id = 1');
  if (plan !== undefined) await record('storeSegment', () => storeSegment(engine, { ...plan, changes: [[2, 1]] }));
  await record('readBatches, a segment with a change and rows in none', async () => {
    const which = { projectRowId: 1, startTimeUs: 0, endTimeUs: 1e18, firstRowId: 1, endRowId: 9000 };
    const options = { columns: ['name', 'parent_state'], attributes: ['none'], order: 'start desc' } as const;
    for await (const { batch } of readBatches(engine, which, options)) expect(batch.rowCount).toBe(1);
  });
  await record('readAttributePaths', () => readAttributePaths(engine, 1));
  await engine.close();
  await expect(statements.text).toMatchFileSnapshot(QUERIES);
});
