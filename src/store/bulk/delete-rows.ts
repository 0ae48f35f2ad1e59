/** Deletes rows: traces, sessions with their traces, or spans alone. */
import { forgetSomeRecords, type RemovedSpans, takeOutSpans } from '../deletion/delete-span.ts';
import { hideTraces } from '../deletion/hide.ts';
import type { TouchedProject } from '../engine/touched-project.ts';
import type { DeriveScope } from '../spans/write/derive-again.ts';
import {
  KNOWN_COLUMNS,
  type KnownSpan,
  loadTracesByRow,
  type StoredTrace,
  toKnownSpan,
} from '../spans/write/stored-trace.ts';
import { joinTouched, touchedProjects } from '../spans/write/touched-projects.ts';
import { type ChangeTraces, changingSessions, changingTraces, standForFew } from './change-traces.ts';
import { type Act, type Acting, type BulkDoing, without } from './doing.ts';
import { findOldSpans, type OldSpans, tracesOfSpans } from './find-rows.ts';

/** Of traces that got spans since only the spans that were there go. */
const deleteTraces: ChangeTraces = async (scope, acting, traceRowIds) => {
  const some = traceRowIds.slice(0, acting.most);
  // Nothing arrives within the transaction in which they were chosen.
  const old = acting.isAtOnce ? NO_OLD_SPANS : await findOldSpans(scope, acting.below.span, some, acting.most);
  const whole = without(some, old.grown);
  const touched = await hide(scope, acting, whole);
  if (old.spanRowIds.length === 0) return { changed: whole, touched };
  if (await forgetSomeRecords(scope, old.spanRowIds)) return { changed: whole, touched };
  const shrunk = await removeSpans(scope, acting, old.spanRowIds);
  return { changed: [...whole, ...old.whole], touched: joinTouched([touched, shrunk]) };
};

const NO_OLD_SPANS: OldSpans = { grown: [], spanRowIds: [], whole: [] };

/** Children stay; a trace goes with its last span. */
const deleteSpans: Act = async (scope, acting, rowIds) => {
  const some = rowIds.slice(0, acting.most);
  const { spans } = await tracesOfSpans(scope, acting.projectRowId, null, some);
  const there = spans.map(({ rowId }) => rowId);
  const gone = without(some, there);
  if (await forgetSomeRecords(scope, there)) return { done: [], gone, touched: [] };
  return { done: there, gone, touched: await removeSpans(scope, acting, there) };
};

/** See the file. */
export const DELETING: BulkDoing = {
  hidesTraces: true,
  act: { span: deleteSpans, trace: changingTraces(deleteTraces), session: changingSessions(deleteTraces) },
  areFew: standForFew,
  findObstacle: async () => null,
};

async function hide(
  scope: DeriveScope,
  { deletion }: Acting,
  traceRowIds: readonly number[],
): Promise<readonly TouchedProject[]> {
  if (traceRowIds.length === 0) return [];
  if (deletion === null) throw new Error('there is no deletion to hide traces for');
  const part = await hideTraces(scope, deletion, traceRowIds, false);
  return part?.touched ?? [];
}

/** Takes spans out of their traces; a trace goes with its last one. */
async function removeSpans(
  scope: DeriveScope,
  acting: Acting,
  rowIds: readonly number[],
): Promise<readonly TouchedProject[]> {
  const byTrace = Map.groupBy(await selectKnown(scope, rowIds), ({ traceRowId }) => traceRowId);
  const stored = await loadTracesByRow(scope, [...byTrace.keys()]);
  const isWhole = ([, trace]: readonly [string, StoredTrace]) =>
    trace.rollup.spanCount <= (byTrace.get(trace.rowId)?.length ?? 0);
  const { true: whole = [], false: others = [] } = Object.groupBy(stored, (trace) => `${isWhole(trace)}` as const);
  await takeOutSpans(
    scope,
    others.map(
      ([traceId, trace]): RemovedSpans => ({
        traceId,
        stored: trace,
        removed: byTrace.get(trace.rowId) ?? [],
      }),
    ),
  );
  const hidden = await hide(
    scope,
    acting,
    whole.map(([, { rowId }]) => rowId),
  );
  const changed = touchedProjects(others.map(([traceId, { projectId }]) => ({ projectId, traceId })));
  return joinTouched([hidden, changed]);
}

async function selectKnown({ db, dialect }: DeriveScope, rowIds: readonly number[]): Promise<readonly KnownSpan[]> {
  const rows = await db
    .selectFrom('spans')
    .select(KNOWN_COLUMNS)
    .where('spans.id', 'in', dialect.numbersOf(rowIds))
    .execute();
  return rows.map(toKnownSpan);
}
