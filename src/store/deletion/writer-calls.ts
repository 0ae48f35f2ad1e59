/** What the writer's thread does for deletion. */
import { nextMomentUs } from '#base/moment';
import type { Caller } from '#domain/caller';
import type { WriteEngine } from '../engine/engine.ts';
import type { DeriveScope } from '../spans/write/derive-again.ts';
import type { RelationalSpanWriter } from '../writer/writer.ts';
import { removeSomeItems } from '../jobs/job-items.ts';
import type { CallHandlers } from '../threads/rpc.ts';
import type { TouchedProject } from '../engine/touched-project.ts';
import { auditDeletion, auditMove, auditProjectDeletion, auditSpanDeletion } from './audit-removal.ts';
import { type DeletedSpan, deleteSpan } from './delete-span.ts';
import type { Deletion, DeletionRequest } from './deletion.ts';
import type { ErasePart } from './removal-plan.ts';
import { asManyAsFit } from './as-many-as-fit.ts';
import { advance, erase } from './erase.ts';
import { followTraces } from './follow-traces.ts';
import { beginDeletion, deleteProject, hideNext, TRACES_A_TRANSACTION } from './hide.ts';
import { moveNextSpans, moveTraces, type SpanPlace } from './move-traces.ts';

/** The handlers, each of which runs alone with the connection. */
export function deletionCalls(writer: RelationalSpanWriter, engine: Pick<WriteEngine, 'giveBackPages' | 'tell'>) {
  /** Other servers hear what it touched. */
  const change = <T>(
    work: (scope: DeriveScope) => Promise<T>,
    touchedBy: (result: NonNullable<T>) => readonly TouchedProject[],
  ): Promise<T> =>
    writer.change(async (scope) => {
      const result = await work(scope);
      await engine.tell(result == null ? [] : touchedBy(result));
      return result;
    });
  return {
    deleteProject: (caller: Caller, projectRowId: number) =>
      change(
        async (scope) => {
          const deletion = await deleteProject(scope, projectRowId);
          if (deletion !== undefined) await auditProjectDeletion(scope, caller, deletion);
          return deletion && { touched: [{ projectRowId, traceIds: null, changedAtUs: nextMomentUs() }] };
        },
        ({ touched }) => touched,
      ),
    beginDeletion: (caller: Caller, request: DeletionRequest) =>
      writer.change(async (scope) => {
        const deletion = await beginDeletion(scope, request);
        if (deletion !== undefined) await auditDeletion(scope, caller, deletion);
        return deletion;
      }),
    hideNext: (deletionRowId: number) =>
      asManyAsFit(TRACES_A_TRANSACTION, (maxTraces) =>
        change(
          (scope) => hideNext(scope, deletionRowId, maxTraces),
          ({ touched }) => touched,
        ),
      ),
    deleteSpan: (caller: Caller, spanRowId: number) =>
      change(async (scope) => {
        const deleted = await deleteSpan(scope, spanRowId);
        if (deleted !== undefined && deleted.state !== 'begun')
          await auditSpanDeletion(scope, caller, { rowId: spanRowId, ...deleted });
        return deleted;
      }, touchedByDeleting),
    erase: (deletion: Deletion, part: ErasePart) => writer.change((scope) => erase(scope, deletion, part)),
    advanceDeletion: (deletionRowId: number, state: 'shrinking' | 'finished') =>
      writer.change((scope) => advance(scope, deletionRowId, state)),
    moveTraces: (caller: Caller, traceRowIds: readonly number[], projectRowId: number) =>
      change(
        async (scope) => {
          const moved = await moveTraces(scope, traceRowIds, projectRowId);
          if (moved !== undefined) await auditMove(scope, caller, traceRowIds, projectRowId);
          return moved;
        },
        ({ touched }) => touched,
      ),
    followTraces: (traceRowIds: readonly number[], maxSpans: number) =>
      writer.change((scope) => followTraces(scope, traceRowIds, maxSpans)),
    moveNextSpans: (traceRowId: number, after: SpanPlace | null, maxSpans: number) =>
      writer.change((scope) => moveNextSpans(scope, traceRowId, after, maxSpans)),
    sweepItems: (jobId: number) => writer.change((scope) => removeSomeItems(scope, jobId)),
    giveBackPages: (maxPages: number) => asManyAsFit(maxPages, (pages) => engine.giveBackPages(pages)),
  } satisfies CallHandlers;
}

function touchedByDeleting(deleted: DeletedSpan): readonly TouchedProject[] {
  if (deleted.state === 'gone') return deleted.touched;
  return deleted.state === 'hidden' ? deleted.part.touched : [];
}

/** The handlers as somebody calls them who has the writer's thread. */
export type DeletionCalls = ReturnType<typeof deletionCalls>;
