import { beforeEach, expect, it } from 'vitest';
import fc from 'fast-check';
import type { Kysely } from 'kysely';
import { sqliteDialect } from './dialect/sqlite.ts';
import type { ProjectSums } from './project-sums-port.ts';
import { relationalProjectSums } from './relational-project-sums.ts';
import type { Tables } from './schema/tables.ts';
import { openSqlite, type SqliteConnection } from './sqlite/connection.ts';
import { kyselyOnSqlite } from './sqlite/kysely-dialect.ts';
import { prepareDataFile } from './sqlite/prepare.ts';

const ALWAYS = { startUs: null, endUs: null };

let connection: SqliteConnection;
let db: Kysely<Tables>;
let sums: ProjectSums;

beforeEach(async () => {
  connection = openSqlite(':memory:', { readOnly: false });
  db = kyselyOnSqlite(connection);
  await prepareDataFile(connection, db);
  sums = relationalProjectSums(db, sqliteDialect);
});

/** Traces of a project, at these starts, each a little longer than the one before, with two spans. */
async function addTraces(projectId: number, starts: readonly number[]): Promise<void> {
  for (const [index, startUs] of starts.entries()) {
    const id = projectId * 100 + index;
    const latencyUs = (index + 1) * 100;
    connection
      .prepare(
        `INSERT INTO traces (id, trace_id, project_id, start_us, end_us, span_count, error_count, prompt_tokens,
          completion_tokens, cost_nanousd) VALUES (?, ?, ?, ?, ?, 2, 0, 3, 4, 0)`,
      )
      .run([id, `trace ${id}`, projectId, startUs, startUs + latencyUs]);
    for (const endUs of [startUs + latencyUs, null]) {
      connection
        .prepare(
          `INSERT INTO spans (project_id, trace_row_id, span_id, name, kind, status, start_us, end_us,
            counted_prompt_tokens, counted_completion_tokens, counted_cost_nanousd, otel_resource_id,
            instrumentation_scope_id, attributes, attributes_cut) VALUES (?, ?, ?, '', 0, 0, ?, ?, 0, 0, 0, 1, 1, '{}', 0)`,
        )
        .run([projectId, id, `span ${endUs}`, startUs, endUs]);
    }
  }
}

it('counts spans and traces by project, of those that started in the range', async () => {
  await addTraces(1, [1000, 2000, 3000]);
  await addTraces(2, [2000]);
  const range = { startUs: 2000, endUs: 3000 };
  expect(await sums.countSpans([1, 2, 3], ALWAYS)).toEqual(new Map([[1, 6], [2, 2]])); // biome-ignore format: rows
  expect(await sums.countTraces([1, 2], ALWAYS)).toEqual(new Map([[1, 3], [2, 1]])); // biome-ignore format: rows
  expect(await sums.countSpans([1], range)).toEqual(new Map([[1, 2]]));
  expect(await sums.countTraces([1], range)).toEqual(new Map([[1, 1]]));
});

it('sums the tokens of traces', async () => {
  await addTraces(1, [1000, 2000, 3000]);
  const [all, later] = await Promise.all([
    sums.sumTokens([1], ALWAYS),
    sums.sumTokens([1], { startUs: 2000, endUs: null }),
  ]);
  expect(all.get(1)).toMatchObject({ promptTokenCount: 9, completionTokenCount: 12 });
  expect(later.get(1)).toMatchObject({ promptTokenCount: 6, completionTokenCount: 8 });
});

it('finds quantiles of latency, of spans without those that are open', async () => {
  await addTraces(1, [1000, 2000, 3000]);
  await addTraces(2, [2000]);
  expect(await sums.latencyQuantile('traces', [1, 2, 3], ALWAYS, 0.5)).toEqual(new Map([[1, 200], [2, 100]])); // biome-ignore format: rows
  expect(await sums.latencyQuantile('spans', [1], ALWAYS, 0.75)).toEqual(new Map([[1, 250]]));
  expect(await sums.latencyQuantile('traces', [1], { startUs: 3000, endUs: null }, 0)).toEqual(new Map([[1, 300]]));
});

it('finds the same quantiles of all spans as of those in a range with all', async () => {
  const insert = connection.prepare(
    `INSERT INTO spans (project_id, trace_row_id, span_id, name, kind, status, start_us, end_us, counted_prompt_tokens,
      counted_completion_tokens, counted_cost_nanousd, otel_resource_id, instrumentation_scope_id, attributes,
      attributes_cut) VALUES (?, 1, ?, '', 0, 0, 1000, ?, 0, 0, 0, 1, 1, '{}', 0)`,
  );
  const latencies = fc.array(
    fc.oneof(
      fc.constant(null),
      fc.integer({ min: -5, max: 15 }),
      fc.integer({ min: 0, max: 12 }).map((exponent) => 10 ** exponent),
      fc.integer({ min: 0, max: 1e9 }),
    ),
    { maxLength: 30 },
  );
  const share = fc.oneof(fc.constantFrom(0, 0.5, 1), fc.double({ min: 0, max: 1, noNaN: true }));
  await fc.assert(
    fc.asyncProperty(latencies, latencies, share, async (first, second, probability) => {
      connection.prepare('DELETE FROM spans').run([]);
      for (const [place, values] of [first, second].entries()) {
        for (const [index, value] of values.entries())
          insert.run([place + 1, `${place} ${index}`, value === null ? null : 1000 + value]);
      }
      const ofAll = await sums.latencyQuantile('spans', [1, 2, 3], ALWAYS, probability);
      const ofRange = await sums.latencyQuantile('spans', [1, 2, 3], { startUs: 0, endUs: null }, probability);
      expect(ofAll.size).toBe(ofRange.size);
      for (const [projectRowId, value] of ofRange) expect(ofAll.get(projectRowId)).toBeCloseTo(value, 3);
    }),
    { numRuns: 200 },
  );
});

it('counts sessions that lie in the range in part', async () => {
  const insert = connection.prepare(`INSERT INTO sessions (project_id, session_id, start_us, end_us, trace_count,
    error_count, prompt_tokens, completion_tokens, cost_nanousd) VALUES (1, ?, ?, ?, 1, 0, 0, 0, 0)`);
  insert.run(['a', 1000, 2000]);
  insert.run(['b', 3000, 4000]);
  expect(await sums.countSessions([1, 2], ALWAYS)).toEqual(new Map([[1, 2]]));
  expect(await sums.countSessions([1], { startUs: 1500, endUs: 3000 })).toEqual(new Map([[1, 1]]));
  expect(await sums.countSessions([1], { startUs: 4000, endUs: null })).toEqual(new Map([[1, 1]]));
  expect(await sums.countSessions([1], { startUs: 4001, endUs: null })).toEqual(new Map());
});

it('says where the traces of a project begin and end', async () => {
  await addTraces(1, [3000, 1000, 2000]);
  expect([...(await sums.traceTimes([1, 2])).values()]).toMatchObject([{ startUs: 1000, endUs: 3100 }]);
});
