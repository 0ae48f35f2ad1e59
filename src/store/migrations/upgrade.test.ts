/** Whoever comes from an earlier version keeps what they had. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, describePostgres, type TestDatabase } from '../../../test/harness/postgres/databases.ts';
import { describeSchema } from '../schema/describe-schema.fixture.ts';
import { type Content, makeAsOf, makePostgresDatabase, makeSqliteDatabase } from './earlier-databases.fixture.ts';
import { REMOVED_BY } from './earlier-rows.fixture.ts';
import { MIGRATIONS } from './list.ts';
import { orInLongRun } from '../../../test/harness/long-run.ts';

const VERSIONS = MIGRATIONS.map((_, place) => place + 1);

/** A server takes ten times as long for each: a usual run comes from every fifth and from the last two. */
const SOME_VERSIONS = VERSIONS.filter((version) => version % 5 === 1 || version > VERSIONS.length - 2);

const schemaOf = (engine: 'sqlite' | 'postgres') =>
  readFileSync(new URL(`../schema/${engine}.sql`, import.meta.url), 'utf8');

describe('names of migrations', () => {
  it('are contiguous', () => {
    const numbers = MIGRATIONS.map(({ name }) => Number(/^(\d{4})-[a-z]+(-[a-z]+)+$/.exec(name)?.[1]));
    expect(numbers).toEqual(VERSIONS);
  });
});

describe('data of an earlier version on SQLite', () => {
  it.each(VERSIONS)('with %i changes are kept', async (version) => {
    const database = await makeAsOf(version, await makeSqliteDatabase());
    const before = await database.rows();
    expect(await database.migrate()).toEqual(MIGRATIONS.slice(version).map(({ name }) => name));
    expectKept(before, await database.rows(), version);
    expect(await describeSchema(database)).toBe(schemaOf('sqlite'));
  });
});

describePostgres('data of an earlier version on PostgreSQL', () => {
  let postgres: TestDatabase;

  beforeAll(async () => {
    postgres = await createTestDatabase();
  });

  afterAll(() => postgres.drop());

  it.each(orInLongRun(SOME_VERSIONS, VERSIONS))(
    'with %i changes are kept, and become the same as on SQLite',
    async (version) => {
      const database = await makeAsOf(version, await makePostgresDatabase(postgres));
      const before = await database.rows();
      expect(await database.migrate()).toEqual(MIGRATIONS.slice(version).map(({ name }) => name));
      const after = await database.rows();
      expectKept(before, after, version);
      expect(await describeSchema(database)).toBe(schemaOf('postgres'));
      const onSqlite = await makeAsOf(version, await makeSqliteDatabase());
      await onSqlite.migrate();
      expect(after).toEqual(await onSqlite.rows());
    },
  );
});

/** How many changes there were when segments of words got checksums; the index of them is built again. */
const SEALED_WORDS = MIGRATIONS.findIndex(({ name }) => name.endsWith('seal-words')) + 1;

/** How many changes there were when a standing job was added behind the jobs that there are. */
const WITH_VERIFICATION = MIGRATIONS.findIndex(({ name }) => name.endsWith('add-verification')) + 1;

function isLonger(table: string, version: number): boolean {
  return table === 'jobs' && version < WITH_VERIFICATION;
}

/** Every row is there, with the values that it had; what newer columns say of it is what it said before in other words. */
function expectKept(before: Content, after: Content, version: number): void {
  for (const [table, rows] of Object.entries(before)) {
    const columns = Object.keys(rows[0] ?? {});
    const kept = after[table]
      ?.slice(0, isLonger(table, version) ? rows.length : undefined)
      .map((row) => Object.fromEntries(columns.map((column) => [column, row[column]])));
    if (table in REMOVED_BY || (version < SEALED_WORDS && table.startsWith('search_'))) continue;
    // A change of stored spans is noted where columns are built of them.
    if (table !== 'span_segment_changes') expect(kept, table).toEqual(rows);
  }
  if (version < WITH_VERIFICATION)
    expect(after['jobs']?.at(-1)).toMatchObject({ kind: 'verification', state: 'running' });
  if (version >= 3 && version < SEALED_WORDS) {
    // Everything waits to be indexed again, by the words of today.
    expect(after['search_progress']).toMatchObject([{ next_span_row_id: 1, rebuild_next_span_row_id: null }]);
    for (const table of ['search_spans', 'search_parts', 'search_queue']) expect(after[table], table).toEqual([]);
  }
  const totalOf = (table: string, column: string) => after[table]?.reduce((sum, row) => sum + Number(row[column]), 0);
  expect(totalOf('span_sums', 'span_count')).toBe(after['spans']?.length);
  const shownTraces = after['traces']?.filter((row) => Number(row['project_id']) > 0) ?? [];
  for (const table of ['trace_sums', 'trace_latencies'])
    expect(totalOf(table, 'trace_count'), table).toBe(shownTraces.length);
  const costs = after['spans']?.map((row) => [
    row['claimed_cost_nanousd'],
    row['prompt_audio_tokens'],
    row['completion_audio_tokens'],
  ]);
  expect(costs).toEqual([
    [null, null, null],
    [250_000_000, 12, null],
    [null, null, null],
    [null, null, version < 4 ? 3 : null],
  ]);
  const isPricedAnew = version < 4;
  const passes = after['jobs']?.filter(({ kind }) => kind === 'reindex' || kind === 'repricing');
  const progress = { firstRowId: 1, readCount: 2, changedCount: 1, failedCount: 0 };
  expect(passes?.map((job) => [job['kind'], job['state'], JSON.parse(String(job['progress']))])).toEqual([
    ['reindex', 'done', { ...progress, endRowId: 3, nextRowId: 3 }],
    isPricedAnew
      ? ['repricing', 'running', { ...progress, endRowId: 5, nextRowId: 1, readCount: 0, changedCount: 0 }]
      : ['repricing', 'done', { ...progress, endRowId: 5, nextRowId: 5, readCount: 4 }],
  ]);
  const scope = isPricedAnew
    ? { namePattern: null, startUs: null, endUs: null }
    : { namePattern: 'a "name"', startUs: null, endUs: 1_764_590_400_000_000 };
  expect(passes?.map(({ input }) => JSON.parse(String(input)) as unknown)).toEqual([{ version: 1 }, scope]);
  const isNoted = version === 2 || version === 3;
  expect(after['span_segment_changes']?.map((row) => row['span_row_id'])).toEqual(
    isNoted ? [2, 3, 4] : version < 2 ? [] : before['span_segment_changes']?.map((row) => row['span_row_id']),
  );
}
