/** What every foreign key of the schema has to keep to. */
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { describePostgres } from '../../../test/harness/postgres/databases.ts';
import { listCopiedTables } from '../copy/tables.ts';
import { openPostgresTestEngine } from '../engine/open-postgres-test-engine.fixture.ts';
import { openSqliteTestEngine } from '../sqlite/open-test-engine.fixture.ts';

interface ForeignKey {
  readonly child: string;
  readonly column: string;
  readonly parent: string;
  /** What becomes of the row when the row that it refers to goes. */
  readonly rule: string;
}

/** Written for each span and trace: keys would be looked up with each of them. */
const SPAN_TABLES = new Set([
  'blocks',
  'compaction_queue',
  'ingest_ledger',
  'log_record_blocks',
  'log_records',
  'search_parts',
  'search_queue',
  'search_spans',
  'sessions',
  'span_links',
  'span_locations',
  'span_segment_changes',
  'span_segment_columns',
  'span_segments',
  'spans',
  'traces',
  'unlisted_traces',
]);

async function openSqlite() {
  const engine = await openSqliteTestEngine();
  onTestFinished(() => engine.close());
  return engine;
}

async function readSqliteKeys(): Promise<readonly ForeignKey[]> {
  const { db } = await openSqlite();
  const { rows } = await sql<ForeignKey>`SELECT child.name AS child, key."from" AS "column", key."table" AS parent,
      key.on_delete AS rule
    FROM sqlite_schema AS child, pragma_foreign_key_list(child.name) AS key WHERE child.type = 'table'
    ORDER BY 1, 2, 3`.execute(db);
  return rows;
}

describe('foreign keys', () => {
  it('say what becomes of a row when the row that it refers to goes', async () => {
    const keys = await readSqliteKeys();
    expect(keys.length).toBeGreaterThan(0);
    for (const key of keys) expect(['CASCADE', 'SET NULL', 'RESTRICT'], JSON.stringify(key)).toContain(key.rule);
  });

  it('are no part of tables of spans', async () => {
    for (const { child, parent } of await readSqliteKeys()) {
      expect([SPAN_TABLES.has(child), SPAN_TABLES.has(parent)], `${child} → ${parent}`).toEqual([false, false]);
    }
  });

  it('have an index, by which the rows are found that refer to one', async () => {
    const { db } = await openSqlite();
    for (const { child, column, parent } of await readSqliteKeys()) {
      const { rows } = await sql<{ detail: string }>`
        EXPLAIN QUERY PLAN SELECT 1 FROM ${sql.table(child)} WHERE ${sql.ref(column)} = ${1}`.execute(db);
      expect(rows[0]?.detail, `${child}.${column} → ${parent}`).toMatch(/^SEARCH .* \(.*=\?\)/);
    }
  });

  it('are copied after the rows that they refer to', async () => {
    const order = (await listCopiedTables(await openSqlite())).map(({ name }) => name);
    for (const { child, parent } of await readSqliteKeys()) {
      if (child === parent) continue;
      expect(order.indexOf(parent), `${child} → ${parent}`).toBeLessThan(order.indexOf(child));
    }
  });
});

describePostgres('foreign keys on PostgreSQL', () => {
  it('are those on SQLite', async () => {
    const { db, close } = await openPostgresTestEngine();
    onTestFinished(close);
    const { rows } = await sql<ForeignKey>`SELECT child.relname AS child, attname AS "column", parent.relname AS parent,
        CASE confdeltype WHEN 'c' THEN 'CASCADE' WHEN 'n' THEN 'SET NULL' WHEN 'r' THEN 'RESTRICT' ELSE 'NO ACTION' END AS rule
      FROM pg_constraint JOIN pg_class AS child ON child.oid = conrelid JOIN pg_class AS parent ON parent.oid = confrelid
        JOIN pg_attribute ON attrelid = conrelid AND attnum = ANY (conkey)
      WHERE contype = 'f' AND convalidated AND child.relnamespace = current_schema()::regnamespace
      ORDER BY child.relname COLLATE "C", attname COLLATE "C", parent.relname COLLATE "C"`.execute(db);
    expect(rows).toEqual(await readSqliteKeys());
  });
});
