/** Sums of projects on a relational engine. Measured on 1,000,000 spans in 100,000 traces, see docs/decisions. */
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { readListedOnly } from '../spans/rows/visible.ts';
import type { SqlDialect } from '../dialect/dialect.ts';
import type { ByProject, ProjectSums, SumRange, TokenSums, TraceTimes } from './sums-port.ts';
import type { Tables } from '../schema/tables.ts';

interface ProjectRow {
  readonly projectRowId: number;
}

/** Sums through the handle. */
export function relationalProjectSums(db: Kysely<Tables>, dialect: SqlDialect): ProjectSums {
  const inProjects = (rowIds: readonly number[], range: SumRange, isListed?: RawBuilder<SqlBool>) => {
    const inRange = sql`project_id IN ${dialect.numbersOf(rowIds)} AND ${startsIn(range)}`;
    return isListed === undefined ? inRange : sql`${inRange} AND ${isListed}`;
  };
  const run = async <Row extends ProjectRow>(query: RawBuilder<Row>): Promise<readonly Row[]> =>
    (await query.execute(db)).rows;
  const readListed = async (of: 'spans' | 'traces') => (of === 'spans' ? readListedOnly(db) : undefined);
  const count = async (table: 'spans' | 'traces', rowIds: readonly number[], range: SumRange) =>
    toCounts(
      await run(sql<CountRow>`SELECT project_id AS "projectRowId", count(*) AS count
        FROM ${sql.table(table)} WHERE ${inProjects(rowIds, range, await readListed(table))} GROUP BY project_id`),
    );
  return {
    // Index: spans_by_start.
    countSpans: (rowIds, range) => count('spans', rowIds, range),
    // Index: traces_by_start.
    countTraces: (rowIds, range) => count('traces', rowIds, range),
    // Index: sessions_by_arrival.
    async countSessions(rowIds, { startUs, endUs }) {
      const overlaps = sql`end_us >= ${startUs ?? Number.MIN_SAFE_INTEGER} AND start_us < ${endUs ?? Number.MAX_SAFE_INTEGER}`;
      return toCounts(
        await run(sql<CountRow>`SELECT project_id AS "projectRowId", count(*) AS count FROM sessions
          WHERE project_id IN ${dialect.numbersOf(rowIds)} AND ${overlaps} GROUP BY project_id`),
      );
    },
    // Index: traces_by_start.
    async sumTokens(rowIds, range) {
      const rows = await run(sql<ProjectRow & TokenSums>`SELECT project_id AS "projectRowId",
        sum(prompt_tokens) AS "promptTokenCount", sum(completion_tokens) AS "completionTokenCount",
        sum(cost_nanousd) AS "costNanoUsd", sum(prompt_cost_nanousd) AS "promptCostNanoUsd",
        sum(completion_cost_nanousd) AS "completionCostNanoUsd"
        FROM traces WHERE ${inProjects(rowIds, range)} GROUP BY project_id`);
      return byProject(rows);
    },
    // Index: traces_by_start.
    async traceLatencyQuantile(rowIds, range, probability) {
      return toQuantiles(
        await run(sql<QuantileRow>`SELECT project_id AS "projectRowId", ${dialect.quantile(LATENCY, probability)} AS "quantileUs"
          FROM traces WHERE ${inProjects(rowIds, range)} GROUP BY project_id`),
      );
    },
    // Index: spans_by_latency; while traces are being deleted spans_by_start.
    async spanLatencyQuantile(rowIds, probability) {
      const isListed = await readListedOnly(db);
      if (isListed === undefined) return toQuantiles(await run(quantileOfAllSpans(dialect, rowIds, probability)));
      return toQuantiles(
        await run(sql<QuantileRow>`SELECT project_id AS "projectRowId", ${dialect.quantile(LATENCY, probability)} AS "quantileUs"
          FROM spans WHERE ${inProjects(rowIds, ALWAYS, isListed)} GROUP BY project_id`),
      );
    },
    // Index: traces_by_start, at its two ends.
    async traceTimes(rowIds) {
      const rows = await run(sql<ProjectRow & TraceTimes>`SELECT first.project_id AS "projectRowId",
        first.start_us AS "startUs", last.end_us AS "endUs" FROM projects
        JOIN traces AS first ON first.id =
          (SELECT id FROM traces WHERE project_id = projects.id ORDER BY start_us LIMIT 1)
        JOIN traces AS last ON last.id =
          (SELECT id FROM traces WHERE project_id = projects.id ORDER BY start_us DESC LIMIT 1)
        WHERE projects.id IN ${dialect.numbersOf(rowIds)}`);
      return byProject(rows);
    },
  };
}

type QuantileRow = ProjectRow & { readonly quantileUs: number | null };

const LATENCY = sql<number | null>`end_us - start_us`;

/**
 * The index by latency counts how many spans each coarse step of latencies has, without their rows; only those of the step
 * in which the quantile lies are read, or of two where it lies between them.
 */
function quantileOfAllSpans(
  dialect: SqlDialect,
  rowIds: readonly number[],
  probability: number,
): RawBuilder<QuantileRow> {
  return sql`WITH
    steps AS (SELECT project_id, latency_step, count(*) AS span_count FROM spans
      WHERE project_id IN ${dialect.numbersOf(rowIds)} AND latency_step IS NOT NULL GROUP BY project_id, latency_step),
    places AS (SELECT project_id, latency_step, span_count,
      sum(span_count) OVER (PARTITION BY project_id ORDER BY latency_step) - span_count AS first_place,
      ${probability} * (sum(span_count) OVER (PARTITION BY project_id) - 1) AS place FROM steps),
    near AS (SELECT project_id, latency_step, place - min(first_place) OVER (PARTITION BY project_id) AS place FROM places
      WHERE first_place < place + 1 AND first_place + span_count > place)
    SELECT near.project_id AS "projectRowId", ${dialect.valueAt(LATENCY, sql<number>`near.place`)} AS "quantileUs"
    FROM near ${dialect.joinInOrder} spans ON spans.project_id = near.project_id AND spans.latency_step = near.latency_step
    GROUP BY near.project_id`;
}

const ALWAYS: SumRange = { startUs: null, endUs: null };

type CountRow = ProjectRow & { readonly count: number };

function startsIn({ startUs, endUs }: SumRange): RawBuilder<boolean> {
  // Bounds that narrow nothing let one text serve all ranges, and the index find its part.
  return sql`start_us >= ${startUs ?? Number.MIN_SAFE_INTEGER} AND start_us < ${endUs ?? Number.MAX_SAFE_INTEGER}`;
}

function toQuantiles(rows: readonly QuantileRow[]): ByProject<number> {
  return new Map(
    rows.flatMap(({ projectRowId, quantileUs }) => (quantileUs === null ? [] : [[projectRowId, quantileUs]])),
  );
}

function toCounts(rows: readonly CountRow[]): ByProject<number> {
  return new Map(rows.map(({ projectRowId, count }) => [projectRowId, count]));
}

function byProject<Row extends ProjectRow>(rows: readonly Row[]): ByProject<Row> {
  return new Map(rows.map((row) => [row.projectRowId, row]));
}
