/** Sums of projects, computed from rows: to fill their tables, to compare with what was kept, and to correct them. */
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { SummedStretch } from '../engine/damage.ts';
import type { Tables } from '../schema/tables.ts';
import { HALF_DAY_US, QUARTER_US, SUMMED, sumOf } from './summed.ts';

/** A table of sums, and what its rows are made of. */
interface SumTable {
  readonly name: 'span_sums' | 'trace_sums' | 'trace_latencies';
  /** Its column of time, in units of so many microseconds. */
  readonly time: string;
  readonly unitUs: number;
  readonly columns: readonly string[];
  /** The same columns, of rows that a condition chooses. */
  readonly compute: (condition: RawBuilder<SqlBool>) => RawBuilder<unknown>;
}

const SUMS: readonly SumTable[] = [
  {
    name: 'span_sums',
    time: 'quarter',
    unitUs: QUARTER_US,
    columns: ['project_id', 'quarter', 'span_count'],
    compute: (condition) =>
      sql`SELECT project_id, start_us / 900000000, count(*) FROM spans WHERE ${condition} GROUP BY 1, 2`,
  },
  {
    name: 'trace_sums',
    time: 'quarter',
    unitUs: QUARTER_US,
    columns: ['project_id', 'quarter', 'trace_count', ...SUMMED],
    compute: (condition) => sql`SELECT project_id, start_us / 900000000, count(*),
      ${sql.join(SUMMED.map(sumOf))} FROM traces WHERE ${condition} GROUP BY 1, 2`,
  },
  {
    name: 'trace_latencies',
    time: 'stretch',
    unitUs: HALF_DAY_US,
    columns: ['project_id', 'stretch', 'latency_step', 'trace_count'],
    compute: (condition) => sql`SELECT project_id, start_us / 43200000000, latency_step, count(*) FROM traces
      WHERE ${condition} GROUP BY 1, 2, 3`,
  },
];

/** Fills the tables of sums, which are empty, from all rows. */
export async function sumAgain(db: Kysely<Tables>): Promise<void> {
  for (const table of SUMS) await fill(db, table, sql<SqlBool>`project_id > 0`);
}

/** Computes the sums of a stretch from its rows again. Index: spans_by_start, traces_by_start, primary keys. */
export async function sumStretchAgain(db: Kysely<Tables>, stretch: SummedStretch): Promise<void> {
  for (const table of SUMS) {
    await sql`DELETE FROM ${sql.table(table.name)} WHERE ${isKeptOf(table, stretch)}`.execute(db);
    await fill(db, table, isRowOf(stretch));
  }
}

/** A row of any of the tables; PostgreSQL gives large numbers as texts. */
type SumRow = Readonly<Record<string, number | string | undefined>>;

/** Whether the sums of a stretch are those of its rows, at one moment. Index: spans_by_start, traces_by_start, primary keys. */
export async function areSumsRight(db: Kysely<Tables>, stretch: SummedStretch): Promise<boolean> {
  for (const table of SUMS) {
    const { rows } = await sql<SumRow>`
      SELECT ${columnsOf(table)} FROM ${sql.table(table.name)} WHERE ${isKeptOf(table, stretch)}
      UNION ALL SELECT * FROM (${table.compute(isRowOf(stretch))}) AS computed`.execute(db);
    const keyOf = (row: SumRow) => `${row[table.time]} ${row['latency_step']}`;
    const byKey = Map.groupBy(rows, keyOf);
    for (const [one, other, ...more] of byKey.values()) {
      if (one === undefined || other === undefined || more.length > 0) return false;
      if (!table.columns.every((name) => isSame(Number(one[name]), Number(other[name])))) return false;
    }
  }
  return true;
}

/** The next stretch to compare, of some thousand spans and whole half days; `null` at the end. Index: spans_by_start, traces_by_start, primary keys. */
export async function findNextStretch(
  db: Kysely<Tables>,
  after: Pick<SummedStretch, 'projectRowId' | 'belowUs'>,
  spanCount = SPANS_A_STRETCH,
): Promise<SummedStretch | null> {
  const projectRowId = after.belowUs === null ? await findNextProject(db, after.projectRowId) : after.projectRowId;
  if (projectRowId === null) return null;
  const fromUs = after.belowUs;
  const end = await db
    .selectFrom('spans')
    .select('start_us')
    .where('project_id', '=', projectRowId)
    .where('start_us', '>=', fromUs ?? Number.MIN_SAFE_INTEGER)
    .orderBy('start_us')
    .limit(1)
    .offset(spanCount)
    .executeTakeFirst();
  const belowUs = end === undefined ? null : (Math.floor(end.start_us / HALF_DAY_US) + 1) * HALF_DAY_US;
  return { projectRowId, fromUs, belowUs };
}

/** A few milliseconds, where they do not start in the same half day. */
const SPANS_A_STRETCH = 5000;

/** Also of a project that is being erased, or that sums alone name. */
async function findNextProject(db: Kysely<Tables>, afterRowId: number): Promise<number | null> {
  const tables = ['spans', 'traces', ...SUMS.map(({ name }) => name)];
  const firsts = tables.map(
    (table) => sql`SELECT min(project_id) AS id FROM ${sql.table(table)} WHERE project_id > ${afterRowId}`,
  );
  const { rows } = await sql<{ readonly id: number | null }>`
    SELECT min(id) AS id FROM (${sql.join(firsts, sql` UNION ALL `)}) AS firsts`.execute(db);
  return rows[0]?.id ?? null;
}

async function fill(db: Kysely<Tables>, table: SumTable, condition: RawBuilder<SqlBool>): Promise<void> {
  await sql`INSERT INTO ${sql.table(table.name)} (${columnsOf(table)}) ${table.compute(condition)}`.execute(db);
}

function columnsOf({ columns }: SumTable): RawBuilder<unknown> {
  return sql.join(columns.map((name) => sql.ref(name)));
}

function isKeptOf({ time, unitUs }: SumTable, { projectRowId, fromUs, belowUs }: SummedStretch): RawBuilder<SqlBool> {
  return isWithin(time, { projectRowId, from: fromUs && fromUs / unitUs, below: belowUs && belowUs / unitUs });
}

function isRowOf({ projectRowId, fromUs, belowUs }: SummedStretch): RawBuilder<SqlBool> {
  return isWithin('start_us', { projectRowId, from: fromUs, below: belowUs });
}

function isWithin(
  time: string,
  { projectRowId, from, below }: { projectRowId: number; from: number | null; below: number | null },
): RawBuilder<SqlBool> {
  const bounds = [sql`project_id = ${projectRowId}`];
  if (from !== null) bounds.push(sql`${sql.ref(time)} >= ${from}`);
  if (below !== null) bounds.push(sql`${sql.ref(time)} < ${below}`);
  return sql<SqlBool>`${sql.join(bounds, sql` AND `)}`;
}

/** Beyond the integers that doubles hold, sums keep an error of what was added and subtracted. */
function isSame(one: number, other: number): boolean {
  return one === other || (!Number.isSafeInteger(one) && Math.abs(one - other) <= 1e-9 * Math.abs(one));
}
