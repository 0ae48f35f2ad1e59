/**
 * Verification: reads everything that is stored, a step at a time, so that what nobody reads is known to be whole. What is damaged is
 * noted by the code that reads it.
 */
import { sql } from 'kysely';
import { openChunk } from '../columns/sealed-chunks.ts';
import { noteDamage } from '../engine/damage.ts';
import { StorageError } from '../engine/storage-error.ts';
import { readRecordMessages } from '../logs/rows/read-messages.ts';
import { type PlanScope, planReindex } from '../reindex/plan.ts';
import { verifyPart } from '../words/read-segment.ts';

/** What is verified, in this order. */
export const VERIFIED = ['spans', 'log_records', 'span_segment_columns', 'search_segments'] as const;

/** How far a verification is: which table, and up to which id of it. */
export interface VerifyPosition {
  readonly table: (typeof VERIFIED)[number];
  readonly after: number;
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

/** Verifies the next items, a fraction of a second of them. Index: primary keys. */
export async function verifyStep(scope: PlanScope, position: VerifyPosition): Promise<VerifyStep> {
  try {
    return await STEPS[position.table](scope, position.after);
  } catch (error) {
    if (!(error instanceof StorageError) || error.fault !== 'damaged') throw error;
    const { table, after } = position;
    const next = after + ITEMS_A_STEP;
    const message = `Rows ${after + 1} to ${next} of ${table} cannot all be read: ${error.message}.`;
    noteDamage({ kind: 'database', message, spans: [] });
    return next < (await readEnd(scope, table)) ? { next: { table, after: next }, differingRowIds: [] } : endOf(table);
  }
}

type Step = (scope: PlanScope, after: number) => Promise<VerifyStep>;

const STEPS: Readonly<Record<VerifyPosition['table'], Step>> = {
  spans: async (scope, after) => {
    const { nextRowId, changedRowIds } = await planReindex(scope, after + 1, Number.MAX_SAFE_INTEGER);
    if (nextRowId === Number.MAX_SAFE_INTEGER) return endOf('spans', changedRowIds);
    return { next: { table: 'spans', after: nextRowId - 1 }, differingRowIds: changedRowIds };
  },
  log_records: async ({ db, dialect }, after) => {
    const rows = await db
      .selectFrom('log_records')
      .select('id')
      .where('id', '>', after)
      .orderBy('id')
      .limit(ITEMS_A_STEP)
      .execute();
    const rowIds = rows.map(({ id }) => id);
    await readRecordMessages(db, dialect, rowIds, { onDamaged: () => undefined });
    return continueAfter('log_records', rowIds.length < ITEMS_A_STEP ? undefined : rowIds.at(-1));
  },
  span_segment_columns: async ({ db }, after) => {
    // Numbers of segments begin with 0.
    const chunks = await db.selectFrom('span_segment_columns').selectAll().where('segment', '=', after).execute();
    for (const chunk of chunks) openChunk(chunk);
    const next = await db
      .selectFrom('span_segments')
      .select('segment')
      .where('segment', '>', after)
      .orderBy('segment')
      .limit(1)
      .executeTakeFirst();
    return continueAfter('span_segment_columns', next?.segment);
  },
  search_segments: async (scope, after) => {
    await verifyPart(scope, after);
    const next = await scope.db
      .selectFrom('search_segments')
      .select('part')
      .where('part', '>', after)
      .orderBy('part')
      .limit(1)
      .executeTakeFirst();
    return continueAfter('search_segments', next?.part);
  },
};

function continueAfter(table: VerifyPosition['table'], after: number | undefined): VerifyStep {
  return after === undefined ? endOf(table) : { next: { table, after }, differingRowIds: [] };
}

/** The step after the last of a table. */
function endOf(table: VerifyPosition['table'], differingRowIds: readonly number[] = []): VerifyStep {
  const next = VERIFIED[VERIFIED.indexOf(table) + 1];
  return { next: next === undefined ? null : { table: next, after: 0 }, differingRowIds };
}

const ITEMS_A_STEP = 200;

/** The largest id of a table, as far as it can be told. */
async function readEnd({ db }: PlanScope, table: VerifyPosition['table']): Promise<number> {
  const { rows } = await sql<{ readonly next_id: number }>`
    SELECT next_id FROM row_ids WHERE table_name = ${table}`.execute(db);
  return rows[0]?.next_id ?? 0;
}
