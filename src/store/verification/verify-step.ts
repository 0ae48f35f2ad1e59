/**
 * Verification: reads everything that is stored, a step at a time, so that what nobody reads is known to be whole. What is damaged is
 * noted by the code that reads it.
 */
import { sql } from 'kysely';
import { openChunk } from '../columns/sealed-chunks.ts';
import { noteDamage, notePageDamage, type SummedStretch } from '../engine/damage.ts';
import type { TablePlace } from '../engine/table-check.ts';
import { isDamage } from '../engine/storage-error.ts';
import { readRecordMessages } from '../logs/rows/read-messages.ts';
import { areSumsRight, findNextStretch } from '../projects/sum-again.ts';
import { type PlanScope, planReindex } from '../reindex/plan.ts';
import { verifyPart } from '../words/read-segment.ts';
import { noteFinding } from './note-finding.ts';

/** What is verified, in this order. */
export const VERIFIED = ['spans', 'log_records', 'span_segment_columns', 'search_segments', 'sums', 'tables'] as const;

/** One of {@link VERIFIED}: a table, the sums of projects, or all tables with their indexes. */
export type VerifiedTable = (typeof VERIFIED)[number];

/** How far a verification is: which table, and up to which id of it. */
export interface VerifyPosition {
  readonly table: VerifiedTable;
  /** Of sums and of all tables, how many steps were made. */
  readonly after: number;
  /** The stretch whose sums were compared last. */
  readonly sums?: SummedStretch;
  /** Of all tables, where to continue. */
  readonly place?: TablePlace;
}

/** What a step came to. */
export interface VerifyStep {
  /** Where to continue; `null` at the end. */
  readonly next: VerifyPosition | null;
  /** Rows of spans that differ from what today's rules read in their originals. */
  readonly differingRowIds: readonly number[];
}

/** Where a verification begins. */
export const VERIFY_START: VerifyPosition = { table: VERIFIED[0], after: 0 };

/** Ids of each table that are verified, the last one exclusive. */
export type VerifyEnds = Readonly<Record<VerifiedTable, number>>;

/** Reads where each table ends. Index: primary keys. */
export async function readVerifyEnds({ db }: Pick<PlanScope, 'db'>): Promise<VerifyEnds> {
  const { rows } = await sql<{ readonly table: string; readonly end: number | null }>`
    SELECT table_name AS "table", next_id AS "end" FROM row_ids WHERE table_name IN ('spans', 'log_records')
    UNION ALL SELECT 'span_segment_columns', (SELECT max(segment) + 1 FROM span_segments)
    UNION ALL SELECT 'search_segments', (SELECT max(part) + 1 FROM search_segments)
    UNION ALL SELECT 'sums', (SELECT count(*) FROM projects)`.execute(db);
  const endOf = (table: VerifiedTable) => rows.find((row) => row.table === table)?.end ?? 0;
  return {
    spans: endOf('spans'),
    log_records: endOf('log_records'),
    span_segment_columns: endOf('span_segment_columns'),
    search_segments: endOf('search_segments'),
    sums: endOf('sums') + Math.ceil(endOf('spans') / SPANS_OF_SUMS),
    // Roughly: as many as spans and log records take.
    tables: Math.ceil((endOf('spans') + endOf('log_records')) / ROWS_A_STEP) + TABLES,
  };
}

const ROWS_A_STEP = 200;
const SPANS_OF_SUMS = 5000;
const TABLES = 60;

/** How many steps come before the position, or with `null` in all, where every id is taken. */
export function countSteps(ends: VerifyEnds, position: VerifyPosition | null): number {
  const count = position === null ? VERIFIED.length : VERIFIED.indexOf(position.table);
  const steps = VERIFIED.slice(0, count).map((table) => Math.ceil(ends[table] / IDS_A_STEP[table]));
  const whole = steps.reduce((sum, some) => sum + some, 0);
  return whole + (position === null ? 0 : Math.floor(position.after / IDS_A_STEP[position.table]));
}

/** Verifies the next items, a fraction of a second of them. Index: primary keys. */
export async function verifyStep(scope: PlanScope, position: VerifyPosition): Promise<VerifyStep> {
  const { table, after } = position;
  if (table === 'tables') return { next: await verifyTables(scope, position), differingRowIds: [] };
  if (table === 'sums') return { next: await verifySums(scope, position), differingRowIds: [] };
  const ends = await readVerifyEnds(scope);
  const end = ends[table];
  try {
    const { lastId, differingRowIds = [] } = await STEPS[table](scope, after, end);
    return { next: lastId === null || lastId + 1 >= end ? startOf(table) : { table, after: lastId }, differingRowIds };
  } catch (error) {
    if (!isDamage(error)) throw error;
    const next = after + IDS_A_STEP[table];
    notePageDamage(`A part of ${table} with IDs from ${after + 1} to ${next}`, error);
    return { next: next + 1 < end ? { table, after: next } : startOf(table), differingRowIds: [] };
  }
}

/** Notes sums that are not those of the rows of a stretch, the next one. */
async function verifySums({ db }: PlanScope, { after, sums }: VerifyPosition): Promise<VerifyPosition | null> {
  try {
    const stretch = await findNextStretch(db, sums ?? { projectRowId: 0, belowUs: null });
    if (stretch === null) return startOf('sums');
    if (!(await areSumsRight(db, stretch))) {
      const from = stretch.fromUs === null ? '' : ` from ${new Date(stretch.fromUs / 1000).toISOString()} on`;
      const message = `Sums of the project with ID ${stretch.projectRowId} differ from its spans and traces${from}.`;
      noteDamage({ kind: 'sums', message, spans: [], sums: stretch });
    }
    return { table: 'sums', after: after + 1, sums: stretch };
  } catch (error) {
    if (!isDamage(error)) throw error;
    notePageDamage('Rows that sums of projects are compared with', error);
    return startOf('sums');
  }
}

/** Notes rows and indexes that do not agree. */
async function verifyTables(scope: PlanScope, { after, place }: VerifyPosition): Promise<VerifyPosition | null> {
  const check = scope.checkTables?.(place ?? null);
  for (const finding of check?.findings ?? []) await noteFinding(scope, finding);
  return check?.next ? { table: 'tables', after: after + 1, place: check.next } : null;
}

/** The table after one that is done; `null` after the last. */
function startOf(done: VerifiedTable): VerifyPosition | null {
  const table: VerifiedTable | undefined = VERIFIED[VERIFIED.indexOf(done) + 1];
  return table === undefined ? null : { table, after: FIRST_ID[table] - 1 };
}

/** Numbers of segments and parts start with 0. */
const FIRST_ID: Readonly<Record<VerifiedTable, number>> = {
  spans: 1,
  log_records: 1,
  span_segment_columns: 0,
  search_segments: 0,
  sums: 1,
  tables: 1,
};

const IDS_A_STEP: Readonly<Record<VerifiedTable, number>> = {
  spans: 200,
  log_records: 200,
  span_segment_columns: 1,
  search_segments: 1,
  sums: 1,
  tables: 1,
};

/** Verifies what comes after an id, before another; says which was the last, `null` at the end of the table. */
type Step = (
  scope: PlanScope,
  after: number,
  end: number,
) => Promise<{ readonly lastId: number | null; readonly differingRowIds?: readonly number[] }>;

const STEPS: Readonly<Record<Exclude<VerifiedTable, 'sums' | 'tables'>, Step>> = {
  spans: async (scope, after, end) => {
    const { nextRowId, changedRowIds } = await planReindex(scope, after + 1, end);
    return { lastId: nextRowId - 1, differingRowIds: changedRowIds };
  },
  log_records: async ({ db, dialect }, after) => {
    const rows = await db
      .selectFrom('log_records')
      .select('id')
      .where('id', '>', after)
      .orderBy('id')
      .limit(IDS_A_STEP.log_records)
      .execute();
    const rowIds = rows.map(({ id }) => id);
    await readRecordMessages(db, dialect, rowIds, { onDamaged: () => undefined });
    return { lastId: rowIds.at(-1) ?? null };
  },
  span_segment_columns: async ({ db }, after) => {
    const segment = after + 1;
    const chunks = await db.selectFrom('span_segment_columns').selectAll().where('segment', '=', segment).execute();
    for (const chunk of chunks) openChunk(chunk);
    return { lastId: segment };
  },
  search_segments: async (scope, after) => {
    await verifyPart(scope, after + 1);
    return { lastId: after + 1 };
  },
};
