import { expect, it } from 'vitest';
import { openSqlite, type SqliteConnection } from '../sqlite/connection.ts';
import { kyselyOnSqlite } from '../sqlite/kysely-on-sqlite.ts';
import { prepareDataFile } from '../sqlite/prepare.ts';
import { sqliteDialect } from '../dialect/sqlite.ts';
import { readAttributePaths } from './attribute-paths.ts';
import { MAX_BATCH_ROWS } from './batch.ts';
import { buildSegment } from './build-segment.ts';
import { spanRow } from './columns.fixture.ts';
import { findDueSegments } from './due-segments.ts';
import { readBatches } from './read-batches.ts';
import { openSegments, storeSegment } from './store-segment.ts';
import { bulkInsertOnSqlite } from '../sqlite/bulk-insert.ts';
import { runOnSqlite } from '../sqlite/run-statement.ts';

it('the SQL of columns is the committed text, so that a change of a query shows in review', async () => {
  const connection = openSqlite(':memory:', { readOnly: false });
  await prepareDataFile(connection, kyselyOnSqlite(connection));
  const sections: string[] = [];
  let statements = new Set<string>();
  const recording: SqliteConnection = {
    ...connection,
    prepare(statement) {
      const parameters = Array.from(statement.matchAll(/\?/g), () => null);
      const plan = connection.prepare(`EXPLAIN QUERY PLAN ${statement}`).all(parameters) as { detail: string }[];
      statements.add(`${statement};\n${plan.map(({ detail }) => `--   ${detail}`).join('\n')}`);
      return connection.prepare(statement);
    },
  };
  const record = async (name: string, run: () => Promise<unknown>) => {
    statements = new Set();
    await run();
    sections.push(`-- ${name}\n${[...statements].join('\n')}`);
  };
  const db = kyselyOnSqlite(recording);
  const bulkInsert = bulkInsertOnSqlite(connection, db);
  const scope = { db, dialect: sqliteDialect, run: runOnSqlite(recording), bulkInsert };
  const rows = [1, 2].map((id) => spanRow({ id, parent_span_id: 'missing', attributes: '{"a":1}' }));
  await bulkInsert('spans', [...rows, spanRow({ id: MAX_BATCH_ROWS })]);
  connection.exec(`UPDATE row_ids SET next_id = ${MAX_BATCH_ROWS + 1} WHERE table_name = 'spans'`);
  await record('openSegments', () => openSegments(scope));
  await record('findDueSegments', () => findDueSegments(db));
  const plan = await buildSegment(kyselyOnSqlite(connection), 0);
  await record('buildSegment', () => buildSegment(db, 0));
  connection.exec('UPDATE spans SET name = name WHERE id = 1');
  if (plan !== undefined) await record('storeSegment', () => storeSegment(scope, { ...plan, changes: [[2, 1]] }));
  await record('readBatches, a segment with a change and rows in none', async () => {
    const which = { projectRowId: 1, startTimeUs: 0, endTimeUs: 1e18, firstRowId: 1, endRowId: 9000 };
    const options = { columns: ['name', 'parent_state'], attributes: ['none'], order: 'start desc' } as const;
    for await (const { batch } of readBatches(scope, which, options)) expect(batch.rowCount).toBe(1);
  });
  await record('readAttributePaths', () => readAttributePaths(scope, 1));
  await expect(`${sections.join('\n\n')}\n`).toMatchFileSnapshot('./queries.sqlite.sql');
});
