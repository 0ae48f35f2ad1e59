/** Sums of projects on a relational engine. Measured on 1,000,000 spans in 100,000 traces, see docs/decisions. */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { SqlDialect } from './dialect/dialect.ts';
import type { ByProject, ProjectSums, SumRange, TokenSums, TraceTimes } from './project-sums-port.ts';
import type { Tables } from './schema/tables.ts';

interface ProjectRow {
  readonly projectRowId: number;
}

/** Sums through the handle. */
export function relationalProjectSums(db: Kysely<Tables>, dialect: SqlDialect): ProjectSums {
  const inProjects = (rowIds: readonly number[], range: SumRange) =>
    sql`project_id IN ${dialect.valuesOf(rowIds)} AND ${startsIn(range)}`;
  const run = async <Row extends ProjectRow>(query: RawBuilder<Row>): Promise<readonly Row[]> =>
    (await query.execute(db)).rows;
  const count = async (table: 'spans' | 'traces', rowIds: readonly number[], range: SumRange) =>
    toCounts(
      await run(sql<CountRow>`SELECT project_id AS projectRowId, count(*) AS count
        FROM ${sql.table(table)} WHERE ${inProjects(rowIds, range)} GROUP BY project_id`),
    );
  return {
    // Index: spans_by_start.
    countSpans: (rowIds, range) => count('spans', rowIds, range),
    // Index: traces_by_start.
    countTraces: (rowIds, range) => count('traces', rowIds, range),
    // Index: sessions_by_arrival.
    async countSessions(rowIds, { startUs, endUs }) {
      const overlaps = sql`(${startUs} IS NULL OR end_us >= ${startUs}) AND (${endUs} IS NULL OR start_us < ${endUs})`;
      return toCounts(
        await run(sql<CountRow>`SELECT project_id AS projectRowId, count(*) AS count FROM sessions
          WHERE project_id IN ${dialect.valuesOf(rowIds)} AND ${overlaps} GROUP BY project_id`),
      );
    },
    // Index: traces_by_start.
    async sumTokens(rowIds, range) {
      const rows = await run(sql<ProjectRow & TokenSums>`SELECT project_id AS projectRowId,
        sum(prompt_tokens) AS promptTokenCount, sum(completion_tokens) AS completionTokenCount
        FROM traces WHERE ${inProjects(rowIds, range)} GROUP BY project_id`);
      return byProject(rows);
    },
    // Index: traces_by_start, or spans_by_start; of all spans spans_by_latency.
    async latencyQuantile(of, rowIds, range, probability) {
      const isOfAllSpans = of === 'spans' && range.startUs === null && range.endUs === null;
      const quantile = dialect.quantile(LATENCY, probability);
      const rows = await run(
        isOfAllSpans
          ? quantileOfAllSpans(dialect, rowIds, probability)
          : sql<QuantileRow>`SELECT project_id AS projectRowId, ${quantile} AS quantileUs
              FROM ${sql.table(of)} WHERE ${inProjects(rowIds, range)} GROUP BY project_id`,
      );
      return new Map(
        rows.flatMap(({ projectRowId, quantileUs }) => (quantileUs === null ? [] : [[projectRowId, quantileUs]])),
      );
    },
    // Index: traces_by_start, at its two ends.
    async traceTimes(rowIds) {
      const rows = await run(sql<ProjectRow & TraceTimes>`SELECT first.project_id AS projectRowId,
        first.start_us AS startUs, last.end_us AS endUs FROM projects
        JOIN traces AS first ON first.id =
          (SELECT id FROM traces WHERE project_id = projects.id ORDER BY start_us LIMIT 1)
        JOIN traces AS last ON last.id =
          (SELECT id FROM traces WHERE project_id = projects.id ORDER BY start_us DESC LIMIT 1)
        WHERE projects.id IN ${dialect.valuesOf(rowIds)}`);
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
      WHERE project_id IN ${dialect.valuesOf(rowIds)} AND latency_step IS NOT NULL GROUP BY project_id, latency_step),
    places AS (SELECT project_id, latency_step, span_count,
      sum(span_count) OVER (PARTITION BY project_id ORDER BY latency_step) - span_count AS first_place,
      ${probability} * (sum(span_count) OVER (PARTITION BY project_id) - 1) AS place FROM steps),
    near AS (SELECT project_id, latency_step, place - min(first_place) OVER (PARTITION BY project_id) AS place FROM places
      WHERE first_place < place + 1 AND first_place + span_count > place)
    SELECT near.project_id AS projectRowId, ${dialect.valueAt(LATENCY, sql<number>`near.place`)} AS quantileUs
    FROM near CROSS JOIN spans ON spans.project_id = near.project_id AND spans.latency_step = near.latency_step
    GROUP BY near.project_id`;
}

type CountRow = ProjectRow & { readonly count: number };

function startsIn({ startUs, endUs }: SumRange): RawBuilder<boolean> {
  // Bounds that narrow nothing let one text serve all ranges, and the index find its part.
  return sql`start_us >= ${startUs ?? Number.MIN_SAFE_INTEGER} AND start_us < ${endUs ?? Number.MAX_SAFE_INTEGER}`;
}

function toCounts(rows: readonly CountRow[]): ByProject<number> {
  return new Map(rows.map(({ projectRowId, count }) => [projectRowId, count]));
}

function byProject<Row extends ProjectRow>(rows: readonly Row[]): ByProject<Row> {
  return new Map(rows.map((row) => [row.projectRowId, row]));
}
