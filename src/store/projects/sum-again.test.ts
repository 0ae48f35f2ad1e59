import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
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
      await engine.exec(sql`INSERT INTO spans (id, project_id, trace_row_id, span_id, name, kind, status, start_us, end_us,
        counted_prompt_tokens, counted_completion_tokens, counted_cost_nanousd, otel_resource_id, instrumentation_scope_id,
        attributes, attributes_cut)
        VALUES (${id}, ${projectId}, ${id}, 'span', '', 0, 0, ${startUs}, NULL, 0, 0, 0, 1, 1, '{}', 0)`);
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
