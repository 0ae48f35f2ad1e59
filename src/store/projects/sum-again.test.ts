import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { spanRow } from '../columns/columns.fixture.ts';
import type { SummedStretch } from '../engine/damage.ts';
import { openTestEngine } from '../engine/open-test-engine.fixture.ts';
import type { TestEngine } from '../engine/test-engine.fixture.ts';
import { areSumsRight, findNextStretch, sumStretchAgain } from './sum-again.ts';

const HALF_DAY_US = 43_200_000_000;
const STARTS = [5, 10, HALF_DAY_US + 5, 3 * HALF_DAY_US, 3 * HALF_DAY_US + 7];

let engine: TestEngine;

beforeAll(async () => {
  engine = await openTestEngine();
  for (const [place, startUs] of STARTS.entries()) {
    for (const projectId of [1, 2]) {
      const id = projectId * 100 + place;
      await engine.exec(sql`INSERT INTO traces (id, trace_id, project_id, start_us, end_us, span_count, error_count,
        prompt_tokens, completion_tokens, cost_nanousd)
        VALUES (${id}, ${`trace ${id}`}, ${projectId}, ${startUs}, ${startUs + 100}, 1, 0, 3, 4, 5)`);
      const row = { id, project_id: projectId, trace_row_id: id, span_id: 'span', start_us: startUs, end_us: null };
      await engine.bulkInsert('spans', [spanRow(row)]);
    }
  }
});

afterAll(() => engine.close());

async function listStretches(): Promise<readonly SummedStretch[]> {
  const stretches: SummedStretch[] = [];
  let next = await findNextStretch(engine.db, { projectRowId: 0, belowUs: null }, 1);
  for (; next !== null; next = await findNextStretch(engine.db, next, 1)) stretches.push(next);
  return stretches;
}

async function findWrong(): Promise<readonly SummedStretch[]> {
  const wrong: SummedStretch[] = [];
  for (const stretch of await listStretches()) if (!(await areSumsRight(engine.db, stretch))) wrong.push(stretch);
  return wrong;
}

it('stretches follow each other, in whole half days', async () => {
  const ofProject = (projectRowId: number) => [
    { projectRowId, fromUs: null, belowUs: HALF_DAY_US },
    { projectRowId, fromUs: HALF_DAY_US, belowUs: 4 * HALF_DAY_US },
    { projectRowId, fromUs: 4 * HALF_DAY_US, belowUs: null },
  ];
  expect(await listStretches()).toEqual([...ofProject(1), ...ofProject(2)]);
  expect(await findWrong()).toEqual([]);
});

it.each([
  ['UPDATE span_sums SET span_count = span_count + 1 WHERE project_id = 2 AND quarter = 48', HALF_DAY_US],
  ['UPDATE trace_sums SET cost_nanousd = cost_nanousd + 1 WHERE project_id = 2 AND quarter = 0', null],
  ['DELETE FROM trace_latencies WHERE project_id = 2 AND stretch = 3', HALF_DAY_US],
  ['INSERT INTO span_sums (project_id, quarter, span_count) VALUES (2, 4096, 1)', 4 * HALF_DAY_US],
])('%s is found, and corrected alone', async (change, fromUs) => {
  await engine.exec(change);
  const wrong = await findWrong();
  expect(wrong).toEqual([expect.objectContaining({ projectRowId: 2, fromUs })]);
  for (const stretch of wrong) await sumStretchAgain(engine.db, stretch);
  expect(await findWrong()).toEqual([]);
});

it('sums beyond 64 bits are compared and computed as they are kept', async () => {
  for (const id of [900, 901]) {
    await engine.exec(sql`INSERT INTO traces (id, trace_id, project_id, start_us, end_us, span_count, error_count,
      prompt_tokens, completion_tokens, cost_nanousd)
      VALUES (${id}, ${`trace ${id}`}, 3, 0, 1, 600, 0, ${2 ** 62 + 2 ** 61}, 0, 0)`);
  }
  const stretch = { projectRowId: 3, fromUs: null, belowUs: null };
  expect(await areSumsRight(engine.db, stretch)).toBe(true);
  await engine.exec('UPDATE trace_sums SET prompt_tokens = 1 WHERE project_id = 3');
  expect(await areSumsRight(engine.db, stretch)).toBe(false);
  await sumStretchAgain(engine.db, stretch);
  expect(await areSumsRight(engine.db, stretch)).toBe(true);
});

it('spans count as they are inserted, wherever they start, but not those of hidden traces', async () => {
  const quarterUs = 900_000_000;
  const starts = [0, quarterUs - 1, quarterUs, quarterUs, 2 ** 52 + 1, 2 ** 53 - 1];
  // PostgreSQL refuses a start that a number cannot hold; SQLite stores it when rows are salvaged.
  if (engine.dialect.name === 'sqlite') starts.push(2 ** 61 + 2 ** 50);
  const rows = [7, 8, -7].flatMap((projectId, place) =>
    starts.map((startUs, index) =>
      spanRow({ id: 1000 + place * 100 + index, project_id: projectId, start_us: startUs, end_us: null }),
    ),
  );
  await engine.bulkInsert('spans', rows);
  expect(
    await engine.rows('SELECT DISTINCT project_id FROM span_sums WHERE project_id NOT IN (1, 2) ORDER BY 1'),
  ).toEqual([{ project_id: 7 }, { project_id: 8 }]);
  expect(await findWrong()).toEqual([]);
});
