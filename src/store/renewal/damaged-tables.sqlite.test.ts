/** Pages of tables that are made from others, which SQLite cannot read: the tables are made again, and say what they said. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { spanId, type TestSpan, traceId } from '../../../test/harness/otlp-json.ts';
import { openSegments } from '../columns/store-segment.ts';
import { sqliteDialect } from '../dialect/sqlite.ts';
import { loadReindexState } from '../reindex/state.ts';
import { findDamage } from '../sqlite/check-integrity.ts';
import { damageLeaves } from '../sqlite/damaged-leaves.fixture.ts';
import { openSqliteFileEngine } from '../sqlite/open-test-engine.fixture.ts';
import type { Tables } from '../schema/tables.ts';
import { openSearchable } from '../search/open-searchable.fixture.ts';
import { isListed, readListedOnly, readUnlistedTraces } from '../spans/rows/visible.ts';
import { findDamagedTables, renewTables } from './renew-tables.ts';

const SPANS = 120;
const ADDED = 10;

let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-damaged-index-'));
  const filling = await openSearchable(await openSqliteFileEngine(join(folder, 'whole.db')));
  for (let first = 1; first <= SPANS; first += 40) {
    await filling.send(spansFrom(first, 40));
    await filling.index();
  }
  await filling.exec('INSERT INTO search_queue (span_row_id) VALUES (1)');
  await filling.close();
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function spansFrom(first: number, count: number): readonly TestSpan[] {
  return Array.from({ length: count }, (_, place) => {
    const number = first + place;
    const filling = Array.from({ length: 30 }, (_word, at) => `word${number * 31 + at}`).join(' ');
    const attributes = { 'input.value': `Where is my refund ${number}? ${filling}` };
    return { traceId: traceId(1 + (number % 40)), spanId: spanId(number), name: `span${number}`, attributes };
  });
}

it.for([
  ['search_leaves', 0.999],
  ['search_segments', 0.999],
  ['search_spans', 0.999],
  ['search_spans_of_trace', 0],
  ['search_progress', 0],
  ['search_queue', 0],
] as const)('of %s, which is filled by indexing', async ([name, share]) => {
  const path = join(folder, `${name}.db`);
  cpSync(join(folder, 'whole.db'), path);
  damageLeaves(path, name, [share]);
  const engine = await openSqliteFileEngine(path);
  const store = await openSearchable(engine);
  try {
    const damaged = findDamagedTables(engine.findDamagedTables);
    expect(damaged).toHaveLength(1);
    expect(await renewTables(engine, damaged)).toContain(`damaged (${damaged[0]})`);
    expect(findDamagedTables(engine.findDamagedTables)).toEqual([]);
    await store.send(spansFrom(SPANS + 1, ADDED));
    await store.index();
    expect(await store.find('refund', { limit: 200 })).toHaveLength(SPANS + ADDED);
    expect(await store.find('word3100')).toEqual(['span100']);
    // Later changes are noted and indexed.
    await store.exec("UPDATE spans SET attributes = attributes || ' ' WHERE id = 7");
    expect(await store.rows('SELECT span_row_id FROM search_queue')).toEqual([{ span_row_id: 7 }]);
    await store.exec('DELETE FROM spans WHERE id = 7');
    expect(await store.index()).toBeGreaterThan(0);
    expect(await store.find('refund', { limit: 200 })).toHaveLength(SPANS + ADDED - 1);
  } finally {
    await store.close();
  }
  // The pages of the replaced tables do not count as damage.
  expect(findDamage(path)).toBeUndefined();
});

const EACH_ROW = {
  span_sums: 'SELECT * FROM span_sums ORDER BY 1, 2',
  trace_sums: 'SELECT * FROM trace_sums ORDER BY 1, 2',
  trace_latencies: 'SELECT * FROM trace_latencies ORDER BY 1, 2, 3',
  compaction_queue: 'SELECT * FROM compaction_queue ORDER BY 1',
  row_ids: 'SELECT * FROM row_ids ORDER BY 1',
};

it.for(Object.entries(EACH_ROW))('of %s, which then holds the same', async ([name, all]) => {
  const path = join(folder, `${name}.db`);
  cpSync(join(folder, 'whole.db'), path);
  const whole = await openSqliteFileEngine(path);
  const before = await whole.rows(all);
  await whole.close();
  damageLeaves(path, name, [0]);
  const engine = await openSqliteFileEngine(path);
  const store = await openSearchable(engine);
  try {
    const added = spansFrom(SPANS + 1, ADDED).map((span) => ({ ...span, traceId: traceId(500) }));
    await expect(store.send(added)).rejects.toThrow('could not be stored');
    await renewTables(engine, findDamagedTables(engine.findDamagedTables));
    expect(await store.rows(all)).toEqual(before);
    await store.send(added);
    expect(await store.rows('SELECT count(*) AS n FROM spans')).toEqual([{ n: SPANS + ADDED }]);
  } finally {
    await store.close();
  }
});

it('of unlisted_traces, whose spans stay out of lists meanwhile', async () => {
  const path = join(folder, 'unlisted.db');
  cpSync(join(folder, 'whole.db'), path);
  const whole = await openSqliteFileEngine(path);
  // One trace is being deleted, and another follows to the second project.
  await whole.exec('UPDATE traces SET project_id = -7 WHERE id = 3');
  await whole.exec('UPDATE traces SET project_id = 2 WHERE id = 4');
  await whole.exec('INSERT INTO unlisted_traces (trace_row_id, deletion_id) VALUES (3, 7), (4, NULL)');
  const listed = await countListed(whole.db);
  const all = 'SELECT * FROM unlisted_traces ORDER BY 1';
  const before = await whole.rows(all);
  await whole.close();
  damageLeaves(path, 'unlisted_traces', [0]);
  const engine = await openSqliteFileEngine(path);
  try {
    expect(listed).toBe(SPANS - 6);
    expect(await countListed(engine.db)).toBe(listed);
    expect(await readUnlistedTraces(engine.db)).toEqual(new Set([3, 4]));
    await renewTables(engine, findDamagedTables(engine.findDamagedTables));
    expect(await engine.rows(all)).toEqual(before);
  } finally {
    await engine.close();
  }
});

async function countListed(db: Kysely<Tables>): Promise<number> {
  const listedOnly = await readListedOnly({ db, dialect: sqliteDialect });
  const listed = listedOnly === null ? sql`TRUE` : isListed(listedOnly);
  const { rows } = await sql<{ n: number }>`SELECT count(*) AS n FROM spans WHERE ${listed}`.execute(db);
  return rows[0]?.n ?? 0;
}

it('of normalizer_versions, after which spans count as read by rules that are unknown', async () => {
  const path = join(folder, 'rules.db');
  cpSync(join(folder, 'whole.db'), path);
  damageLeaves(path, 'normalizer_versions', [0]);
  const engine = await openSqliteFileEngine(path);
  await renewTables(engine, findDamagedTables(engine.findDamagedTables));
  expect((await loadReindexState(engine.db)).isStale).toBe(true);
  await engine.close();
});

it('of columns, which are built again', async () => {
  const path = join(folder, 'columns.db');
  cpSync(join(folder, 'whole.db'), path);
  const filling = await openSqliteFileEngine(path);
  await filling.exec("UPDATE row_ids SET next_id = 4096 * 3 WHERE table_name = 'spans'");
  await openSegments(filling);
  await filling.close();
  damageLeaves(path, 'span_segments', [0]);
  const engine = await openSqliteFileEngine(path);
  await renewTables(engine, findDamagedTables(engine.findDamagedTables));
  await openSegments(engine);
  expect(await engine.rows('SELECT segment, is_due FROM span_segments')).toEqual(
    [0, 1, 2].map((segment) => ({ segment, is_due: 1 })),
  );
  await engine.close();
});
