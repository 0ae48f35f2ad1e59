/** What is done to the rows of a bulk action in one transaction, in the writer. */
import { hideTraces, TRACES_A_TRANSACTION } from '../deletion/hide.ts';
import { forgetSomeRecords, type RemovedSpans, takeOutSpans } from '../deletion/delete-span.ts';
import { followTraces } from '../deletion/follow-traces.ts';
import { moveTraces } from '../deletion/move-traces.ts';
import type { Deletion } from '../deletion/deletion.ts';
import { joinTouched, touchedProjects } from '../spans/write/touched-projects.ts';
import type { TouchedProject } from '../engine/touched-project.ts';
import type { WriteScope } from '../spans/write/request-writer.ts';
import {
  KNOWN_COLUMNS,
  type KnownSpan,
  loadTracesByRow,
  type StoredTrace,
  toKnownSpan,
} from '../spans/write/stored-trace.ts';
import type { BulkBounds } from './bulk-action.ts';
import { findOldSpans, findTraces, type OldSpans, tracesOfSessions, tracesOfSpans } from './find-rows.ts';

/** What one transaction came to. */
export interface ActedPart {
  /** Rows that are done, of those that were given. */
  readonly done: readonly number[];
  /** Rows that were not there any more. */
  readonly gone: readonly number[];
  readonly touched: readonly TouchedProject[];
}

/** What is done, by whom, and to what extent. */
export interface Acting {
  readonly projectRowId: number;
  /** `null` to delete. */
  readonly toProjectRowId: number | null;
  readonly below: BulkBounds;
  /** How much may be changed: as many traces that are hidden, or spans that are moved or taken out. */
  readonly most: number;
  /** Whether all of it is to be done now; the spans of moved traces may follow later. */
  readonly isAtOnce: boolean;
  /** What hides traces; `null` to move. */
  readonly deletion: Deletion | null;
}

/** Deletes or moves traces. Of one that got spans since, these stay where it is deleted; moved, it takes them along. */
export async function actOnTraces(scope: WriteScope, acting: Acting, rowIds: readonly number[]): Promise<ActedPart> {
  const there = await findTraces(scope, acting, rowIds);
  const { changed, touched } = await changeTraces(scope, acting, there);
  return { done: changed, gone: without(rowIds, there), touched };
}

/** Deletes or moves the traces that sessions had, some at a time: a session is done when none is left. */
export async function actOnSessions(scope: WriteScope, acting: Acting, rowIds: readonly number[]): Promise<ActedPart> {
  const { sessions, traces, next } = await tracesOfSessions(scope, acting, rowIds, TRACES_A_TRANSACTION);
  const { changed, touched } = await changeTraces(
    scope,
    acting,
    traces.map(({ rowId }) => rowId),
  );
  const left = new Set(traces.filter(({ rowId }) => !changed.includes(rowId)).map(({ sessionRowId }) => sessionRowId));
  const done = sessions.filter((rowId) => rowId < next && !left.has(rowId));
  return { done, gone: without(rowIds, sessions), touched };
}

/** Deletes spans; or moves the traces that they are of. */
export async function actOnSpans(scope: WriteScope, acting: Acting, rowIds: readonly number[]): Promise<ActedPart> {
  if (acting.toProjectRowId !== null) {
    const { spans, elsewhere } = await tracesOfSpans(scope, acting, rowIds);
    const traces = [...new Set(spans.map(({ traceRowId }) => traceRowId))];
    const { changed, touched } = await changeTraces(scope, acting, traces);
    const moved = new Set(changed);
    const done = spans.filter(({ traceRowId }) => moved.has(traceRowId)).map(({ rowId }) => rowId);
    const known = [...spans.map(({ rowId }) => rowId), ...elsewhere];
    // Its trace went along with another span.
    return { done: [...done, ...elsewhere], gone: without(rowIds, known), touched };
  }
  const some = rowIds.slice(0, acting.most);
  const { spans } = await tracesOfSpans(scope, acting, some);
  const there = spans.map(({ rowId }) => rowId);
  const gone = without(some, there);
  if (await forgetSomeRecords(scope, there)) return { done: [], gone, touched: [] };
  return { done: there, gone, touched: await removeSpans(scope, acting, there) };
}

const NO_OLD_SPANS: OldSpans = { grown: [], spanRowIds: [], whole: [] };

interface ChangedTraces {
  readonly changed: readonly number[];
  readonly touched: readonly TouchedProject[];
}

async function changeTraces(scope: WriteScope, acting: Acting, traceRowIds: readonly number[]): Promise<ChangedTraces> {
  if (traceRowIds.length === 0) return { changed: [], touched: [] };
  return acting.toProjectRowId === null
    ? deleteTraces(scope, acting, traceRowIds)
    : move(scope, acting, acting.toProjectRowId, traceRowIds);
}

/** Of traces that got spans since only the spans that were there go. */
async function deleteTraces(scope: WriteScope, acting: Acting, traceRowIds: readonly number[]): Promise<ChangedTraces> {
  const some = traceRowIds.slice(0, acting.most);
  // Nothing arrives within the transaction in which they were chosen.
  const old = acting.isAtOnce ? NO_OLD_SPANS : await findOldSpans(scope, acting.below.span, some, acting.most);
  const whole = without(some, old.grown);
  const touched = await hide(scope, acting, whole);
  if (old.spanRowIds.length === 0) return { changed: whole, touched };
  if (await forgetSomeRecords(scope, old.spanRowIds)) return { changed: whole, touched };
  const shrunk = await removeSpans(scope, acting, old.spanRowIds);
  return { changed: [...whole, ...old.whole], touched: joinTouched([touched, shrunk]) };
}

async function hide(
  scope: WriteScope,
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
  scope: WriteScope,
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

async function selectKnown({ db, dialect }: WriteScope, rowIds: readonly number[]): Promise<readonly KnownSpan[]> {
  const rows = await db
    .selectFrom('spans')
    .select(KNOWN_COLUMNS)
    .where('spans.id', 'in', dialect.numbersOf(rowIds))
    .execute();
  return rows.map(toKnownSpan);
}

/** Small traces with all their spans; those of a large one follow in the background, as lists know. */
async function move(
  scope: WriteScope,
  { most, isAtOnce }: Acting,
  toProjectRowId: number,
  traceRowIds: readonly number[],
): Promise<ChangedTraces> {
  const stored = await loadTracesByRow(scope, traceRowIds);
  let spanCount = 0;
  const some: number[] = [];
  for (const { rowId, rollup } of stored.values()) {
    spanCount += rollup.spanCount;
    if (some.length > 0 && spanCount > most && !isAtOnce) break;
    some.push(rowId);
  }
  const moved = await moveTraces(scope, some, toProjectRowId);
  await followTraces(scope, some, most);
  return { changed: some, touched: moved?.touched ?? [] };
}

function without(rowIds: readonly number[], others: readonly number[]): readonly number[] {
  const left = new Set(others);
  return rowIds.filter((rowId) => !left.has(rowId));
}
