/** Sums of projects on a relational engine. Measured on 1,000,000 spans in 100,000 traces, see docs/decisions. */
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { notePageDamage } from '../engine/damage.ts';
import { isDamage } from '../engine/storage-error.ts';
import { isListed, readListedOnly } from '../spans/rows/visible.ts';
import type { SqlDialect } from '../dialect/dialect.ts';
import { cutStretch, type Stretch } from './cut-stretch.ts';
import type { ByProject, ProjectSums, SumRange, TraceSums, TraceTimes } from './sums-port.ts';
import { HALF_DAY_US, QUARTER_US, SUMMED, sumOf } from './summed.ts';
import type { Tables } from '../schema/tables.ts';

interface ProjectRow {
  readonly projectRowId: number;
}

/** Sums through the handle: of whole stretches of time those that are kept, of the rest of a range those of its rows. */
export function relationalProjectSums(db: Kysely<Tables>, dialect: SqlDialect): ProjectSums {
  const run = async <Row extends ProjectRow>(query: RawBuilder<Row>): Promise<readonly Row[]> =>
    (await query.execute(db)).rows;
  const ofProjects = (rowIds: readonly number[]) => sql<SqlBool>`project_id IN ${dialect.numbersOf(rowIds)}`;
  return {
    // Index: the primary key of span_sums, spans_by_start; while traces are being deleted spans_by_start alone.
    async countSpans(rowIds, range) {
      const { whole, rests } = cutStretch(toStretch(range), QUARTER_US);
      const parts = [
        sql`SELECT project_id, span_count FROM span_sums WHERE ${ofProjects(rowIds)} AND ${isIn('quarter', whole)}`,
        ...rests.map(
          (rest) => sql`SELECT project_id, count(*) AS span_count FROM spans
            WHERE ${ofProjects(rowIds)} AND ${isIn('start_us', rest)} GROUP BY project_id`,
        ),
      ];
      for (;;) {
        const rows = await run(sql<CountRow & { readonly hasUnlisted: number | boolean }>`
          SELECT project_id AS "projectRowId", sum(span_count) AS count, EXISTS (SELECT 1 FROM unlisted_traces) AS "hasUnlisted"
          FROM (${sql.join(parts, UNION)}) AS parts GROUP BY project_id`).catch(noteDamagedSums);
        if (rows !== undefined && !rows[0]?.hasUnlisted) return toCounts(rows);
        const listedOnly = await readListedOnly({ db, dialect });
        // What the sums still held has been deleted since.
        if (rows !== undefined && listedOnly === null) continue;
        return toCounts(
          await run(sql<CountRow>`SELECT project_id AS "projectRowId", count(*) AS count FROM spans
            WHERE ${ofProjects(rowIds)} AND ${isIn('start_us', toStretch(range))} AND ${listedOnly === null ? sql`TRUE` : isListed(listedOnly)}
            GROUP BY project_id`),
        );
      }
    },
    // Index: the primary key of trace_sums, traces_by_start.
    async sumTraces(rowIds, range) {
      const { whole, rests } = cutStretch(toStretch(range), QUARTER_US);
      const columns = sql.join(SUMMED.map((column) => sql.ref(column)));
      const parts = [
        sql`SELECT project_id, trace_count, ${columns} FROM trace_sums WHERE ${ofProjects(rowIds)} AND ${isIn('quarter', whole)}`,
        ...rests.map(
          (rest) =>
            sql`SELECT project_id, 1, ${columns} FROM traces WHERE ${ofProjects(rowIds)} AND ${isIn('start_us', rest)}`,
        ),
      ];
      const rows = await run(sql<ProjectRow & TraceSums>`SELECT project_id AS "projectRowId",
        sum(trace_count) AS "traceCount",
        ${sumOf('prompt_tokens')} AS "promptTokenCount", ${sumOf('completion_tokens')} AS "completionTokenCount",
        ${sumOf('cost_nanousd')} AS "costNanoUsd", ${sumOf('prompt_cost_nanousd')} AS "promptCostNanoUsd",
        ${sumOf('completion_cost_nanousd')} AS "completionCostNanoUsd"
        FROM (${sql.join(parts, UNION)}) AS parts GROUP BY project_id`);
      return byProject(rows);
    },
    // Index: sessions_by_arrival.
    async countSessions(rowIds, range) {
      const [startUs, endUs] = toStretch(range);
      return toCounts(
        await run(sql<CountRow>`SELECT project_id AS "projectRowId", count(*) AS count FROM sessions
          WHERE ${ofProjects(rowIds)} AND end_us >= ${startUs} AND start_us < ${endUs} GROUP BY project_id`),
      );
    },
    // Index: the primary key of trace_latencies, traces_by_start; traces_by_latency_step.
    async traceLatencyQuantiles(rowIds, range, probabilities) {
      const { whole, rests } = cutStretch(toStretch(range), HALF_DAY_US);
      const parts = [
        sql`SELECT project_id, latency_step, trace_count FROM trace_latencies
          WHERE ${ofProjects(rowIds)} AND ${isIn('stretch', whole)}`,
        ...rests.map(
          (rest) => sql`SELECT project_id, latency_step, 1 FROM traces
            WHERE ${ofProjects(rowIds)} AND ${isIn('start_us', rest)}`,
        ),
      ];
      const steps = sql`SELECT project_id, latency_step, sum(trace_count) AS row_count
        FROM (${sql.join(parts, UNION)}) AS parts GROUP BY project_id, latency_step`;
      const rows = await run(quantilesBySteps(dialect, 'traces', steps, probabilities, range));
      return new Map(
        [...Map.groupBy(rows, ({ projectRowId }) => projectRowId)].map(([rowId, found]) => [rowId, toList(found)]),
      );
    },
    // Index: spans_by_latency; while traces are being deleted spans_by_start.
    async spanLatencyQuantile(rowIds, probability) {
      const listedOnly = await readListedOnly({ db, dialect });
      if (listedOnly !== null) {
        return toQuantiles(
          await run(sql<QuantileRow>`SELECT project_id AS "projectRowId", 0 AS number,
              ${dialect.quantile(LATENCY, probability)} AS "quantileUs"
            FROM spans WHERE ${ofProjects(rowIds)} AND ${isListed(listedOnly)} GROUP BY project_id`),
        );
      }
      const steps = sql`SELECT project_id, latency_step, count(*) AS row_count FROM spans
        WHERE ${ofProjects(rowIds)} AND latency_step IS NOT NULL GROUP BY project_id, latency_step`;
      return toQuantiles(await run(quantilesBySteps(dialect, 'spans', steps, [probability], ALWAYS)));
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

/** Then rows are counted, until the sums are made again. */
function noteDamagedSums(error: unknown): undefined {
  if (!isDamage(error)) throw error;
  notePageDamage('The tables span_sums or unlisted_traces', error);
}

const UNION = sql` UNION ALL `;

type QuantileRow = ProjectRow & { readonly number: number; readonly quantileUs: number | null };

const LATENCY = sql<number | null>`latency_us`;

/**
 * Where it is known how many rows each coarse step of latencies has, only those of the step in which a quantile lies are read, or of
 * two where it lies between them.
 */
function quantilesBySteps(
  dialect: SqlDialect,
  table: 'spans' | 'traces',
  steps: RawBuilder<unknown>,
  probabilities: readonly number[],
  range: SumRange,
): RawBuilder<QuantileRow> {
  const wanted = dialect.tuplesOfJson(JSON.stringify(probabilities.map((share, number) => [number, share])), {
    number: 'number',
    probability: 'real',
  });
  return sql`WITH steps AS (${steps}),
    counted AS (SELECT project_id, latency_step, row_count,
      sum(row_count) OVER (PARTITION BY project_id ORDER BY latency_step) - row_count AS first_place,
      sum(row_count) OVER (PARTITION BY project_id) AS total FROM steps),
    places AS (SELECT project_id, latency_step, row_count, first_place, number, probability * (total - 1) AS place
      FROM counted CROSS JOIN ${wanted} AS wanted),
    near AS (SELECT project_id, latency_step, number,
      place - min(first_place) OVER (PARTITION BY project_id, number) AS place FROM places
      WHERE first_place < place + 1 AND first_place + row_count > place)
    SELECT near.project_id AS "projectRowId", near.number, ${dialect.valueAt(LATENCY, sql<number>`near.place`)} AS "quantileUs"
    FROM near ${dialect.joinInOrder} ${sql.table(table)} AS found
      ON found.project_id = near.project_id AND found.latency_step = near.latency_step AND ${isIn('found.start_us', toStretch(range))}
    GROUP BY near.project_id, near.number`;
}

const ALWAYS: SumRange = { startUs: null, endUs: null };

type CountRow = ProjectRow & { readonly count: number };

/** Bounds that narrow nothing let one text serve all ranges, and the index find its part. */
function toStretch({ startUs, endUs }: SumRange): Stretch {
  return [startUs ?? Number.MIN_SAFE_INTEGER, endUs ?? Number.MAX_SAFE_INTEGER];
}

function isIn(column: string, [from, below]: Stretch): RawBuilder<SqlBool> {
  return sql`${sql.ref(column)} >= ${from} AND ${sql.ref(column)} < ${below}`;
}

function toQuantiles(rows: readonly QuantileRow[]): ByProject<number> {
  return new Map(
    rows.flatMap(({ projectRowId, quantileUs }) => (quantileUs === null ? [] : [[projectRowId, quantileUs]])),
  );
}

/** By the number of the probability. */
function toList(rows: readonly QuantileRow[]): readonly number[] {
  return rows.toSorted((a, b) => a.number - b.number).map(({ quantileUs }) => quantileUs ?? Number.NaN);
}

function toCounts(rows: readonly CountRow[]): ByProject<number> {
  return new Map(rows.map(({ projectRowId, count }) => [projectRowId, count]));
}

function byProject<Row extends ProjectRow>(rows: readonly Row[]): ByProject<Row> {
  return new Map(rows.map((row) => [row.projectRowId, row]));
}
