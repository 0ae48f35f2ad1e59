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
    // Index: traces_by_start, or spans_by_start.
    async latencyQuantile(of, rowIds, range, probability) {
      const quantile = dialect.quantile(sql<number | null>`end_us - start_us`, probability);
      const rows = await run(sql<ProjectRow & { readonly quantileUs: number | null }>`
        SELECT project_id AS projectRowId, ${quantile} AS quantileUs
        FROM ${sql.table(of)} WHERE ${inProjects(rowIds, range)} GROUP BY project_id`);
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
