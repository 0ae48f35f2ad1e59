/** Writes what was planned for the search index, in the writer. */
import { sql } from 'kysely';
import { prepareQuery, type QueryScope } from '../queries/prepared-query.ts';
import type { PartTimes } from './index-step.ts';
import type { IndexPlan } from './plan-index.ts';
import { readSearchProgress } from '../texts/progress.ts';
import { storeSegments } from '../words/store-segments.ts';
import type { BulkInsert } from '../schema/statements.ts';

/** What writing works with, inside a transaction. */
export interface IndexScope extends QueryScope {
  readonly bulkInsert: BulkInsert;
}

/** Puts the plan into effect, if nothing was indexed since it was made; says whether it changed anything. */
export async function storeIndex(scope: IndexScope, plan: IndexPlan): Promise<boolean> {
  const { db, dialect, bulkInsert } = scope;
  if (!isSame(plan.before, await readSearchProgress(db)) || !hasEffect(plan)) return false;
  for (const change of plan.segments) await storeSegments(scope, change);
  const rowIds = [...plan.rows.map((row) => row.spanRowId), ...plan.removedRowIds];
  await db.deleteFrom('search_spans').where('span_row_id', 'in', dialect.numbersOf(rowIds)).execute();
  await bulkInsert(
    'search_spans',
    plan.rows.map(({ spanRowId, traceRowId, introduced, held, doubts }) => ({
      span_row_id: spanRowId,
      trace_row_id: traceRowId,
      introduced,
      held,
      doubts,
    })),
  );
  for (const times of plan.times) await widenPart(scope, times);
  if (plan.lastQueuedId > 0) await db.deleteFrom('search_queue').where('id', '<=', plan.lastQueuedId).execute();
  if (plan.clearedParts.length > 0) {
    const cleared = dialect.numbersOf(plan.clearedParts);
    await db.deleteFrom('search_suspect_parts').where('part', 'in', cleared).execute();
  }
  const { after } = plan;
  const added = plan.segments.map((change) => change.added?.row.number ?? 0);
  await db
    .updateTable('search_progress')
    .set((row) => ({
      next_span_row_id: after.nextRowId,
      rebuild_next_span_row_id: after.rebuild?.nextRowId ?? null,
      rebuild_end_span_row_id: after.rebuild?.endRowId ?? null,
      failed_count: row('failed_count', '+', plan.failedCount),
      change_count: row('change_count', '+', looksAgain(plan) ? 1 : 0),
      next_segment_number: Math.max(plan.before.nextSegment, ...added) + 1,
    }))
    .execute();
  return true;
}

/** Whether nothing was indexed since: each step takes a number at least. */
function isSame(before: IndexPlan['before'], now: IndexPlan['before']): boolean {
  const [rebuild, current] = [before.rebuild, now.rebuild];
  if (rebuild?.nextRowId !== current?.nextRowId || rebuild?.endRowId !== current?.endRowId) return false;
  return before.nextRowId === now.nextRowId && before.nextSegment === now.nextSegment;
}

/** Whether it may change something that was indexed. */
function looksAgain({ before, lastQueuedId, isMending }: IndexPlan): boolean {
  return lastQueuedId > 0 || before.rebuild !== null || isMending;
}

/** Each step brings the index further, takes something off what waits, mends, or rewrites segments. */
function hasEffect({ before, after, lastQueuedId, segments, isMending }: IndexPlan): boolean {
  const isFurther = after.nextRowId > before.nextRowId || after.rebuild?.nextRowId !== before.rebuild?.nextRowId;
  return isFurther || lastQueuedId > 0 || segments.length > 0 || isMending;
}

const widenPart = prepareQuery(({ db, dialect }, times: PartTimes) =>
  db
    .insertInto('search_parts')
    .values({
      project_id: times.projectRowId,
      part: times.part,
      min_start_us: times.minStartUs,
      max_start_us: times.maxStartUs,
    })
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'part']).doUpdateSet({
        min_start_us: dialect.least(sql.ref('search_parts.min_start_us'), sql.ref('excluded.min_start_us')),
        max_start_us: dialect.greatest(sql.ref('search_parts.max_start_us'), sql.ref('excluded.max_start_us')),
      }),
    ),
);
