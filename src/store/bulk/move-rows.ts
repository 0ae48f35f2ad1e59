/** Moves rows to another project: traces, the traces of sessions, or the traces that spans are of. */
import { AppError } from '#base/errors';
import { followTraces } from '../deletion/follow-traces.ts';
import { moveTraces } from '../deletion/move-traces.ts';
import { loadTracesByRow } from '../spans/write/stored-trace.ts';
import { type ChangeTraces, changingSessions, changingTraces, NO_TRACES, standForFew } from './change-traces.ts';
import { type Act, type BulkDoing, without } from './doing.ts';
import { isProjectThere, tracesOfSpans } from './find-rows.ts';

/** See the file. */
export function movingTo(toProjectRowId: number): BulkDoing {
  const move = movingTraces(toProjectRowId);
  return {
    hidesTraces: false,
    act: {
      span: movingSpans(toProjectRowId, move),
      trace: changingTraces(move),
      session: changingSessions(move),
    },
    areFew: standForFew,
    findObstacle: async (scope, projectRowId) => {
      if (toProjectRowId === projectRowId)
        return new AppError('invalid_argument', 'The rows are in this project already.');
      if (await isProjectThere(scope, toProjectRowId)) return null;
      return new AppError('not_found', 'The project to move to does not exist.');
    },
  };
}

/** Small traces with all their spans; those of a large one follow in the background, as lists know. */
function movingTraces(toProjectRowId: number): ChangeTraces {
  return async (scope, { most, isAtOnce }, traceRowIds) => {
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
  };
}

/** Each trace whole. */
function movingSpans(toProjectRowId: number, move: ChangeTraces): Act {
  return async (scope, acting, rowIds) => {
    const { spans, elsewhere } = await tracesOfSpans(scope, acting.projectRowId, toProjectRowId, rowIds);
    const traces = [...new Set(spans.map(({ traceRowId }) => traceRowId))];
    const { changed, touched } = traces.length === 0 ? NO_TRACES : await move(scope, acting, traces);
    const moved = new Set(changed);
    const done = spans.filter(({ traceRowId }) => moved.has(traceRowId)).map(({ rowId }) => rowId);
    const known = [...spans.map(({ rowId }) => rowId), ...elsewhere];
    // Its trace went along with another span.
    return { done: [...done, ...elsewhere], gone: without(rowIds, known), touched };
  };
}
