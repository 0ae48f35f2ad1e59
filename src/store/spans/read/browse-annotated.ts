/** Tables of spans, traces and sessions in the order of annotations. */
import { selectNarrowRows } from '../../columns/narrow-rows.ts';
import type { Budget } from '../../query/budget.ts';
import { searchSessions } from '../../query/grains/search-sessions.ts';
import { searchTraces } from '../../query/grains/search-traces.ts';
import { readSessionsById } from '../../query/grains/session-steps.ts';
import { compileForSessions } from '../../query/grains/sessions.ts';
import { readTracesById } from '../../query/grains/trace-steps.ts';
import { compileForTraces } from '../../query/grains/traces.ts';
import { matchingRows } from '../../query/matching-rows.ts';
import { prepareFilter } from '../../query/prepare-filter.ts';
import { openTraces } from '../../query/spans/owned-batches.ts';
import { conditionOf, narrowingOf } from '../../query/spans/span-scope.ts';
import type { AnnotationPage, AnnotationPageRequest } from '#domain/annotation-page';
import type { ProjectTraceScope, SessionScope, SpanScope, SpanTableRow } from '../browse-port.ts';
import type { SessionRow, TraceRow } from '../port.ts';
import { findSessions, findTraces } from '../rows/find-rows.ts';
import type { ReadScope } from '../rows/read-scope.ts';
import { listSpanRows } from '../rows/span-table.ts';
import { readUnlistedTraces } from '../rows/visible.ts';
import { browseByAnnotation } from './browse-by-annotation.ts';
import { browseSpans } from './browse-spans.ts';

/** One page of spans; those without a value by arrival. */
export function browseSpansByAnnotation(
  scope: ReadScope,
  spans: SpanScope,
  request: AnnotationPageRequest,
): Promise<AnnotationPage<SpanTableRow>> {
  return browseByAnnotation(
    scope,
    {
      target: 'span',
      within: 'traceRowId' in spans ? { traceRowId: spans.traceRowId } : { projectRowId: spans.projectRowId },
      condition: spans.condition,
      keep: spanKeeper(scope, spans),
      load: async (rowIds) => new Map((await listSpanRows(scope, rowIds)).map((row) => [row.rowId, row])),
      browse: (condition, page) => browseSpans(scope, { ...spans, condition }, { ...page, sort: 'id' }),
      positionOf: ({ rowId }) => ({ value: null, rowId }),
    },
    request,
  );
}

/** Index: the primary key. */
function spanKeeper(scope: ReadScope, spans: SpanScope) {
  let filter: ReturnType<typeof prepareFilter> | undefined;
  return async (rowIds: readonly number[], budget: Budget): Promise<ReadonlySet<number>> => {
    const { db, dialect } = scope;
    let query = selectNarrowRows(db, { columns: ['trace_row_id'], hasAttributes: false }).where(
      'spans.id',
      'in',
      dialect.numbersOf(rowIds),
    );
    if (!('traceRowId' in spans)) {
      const { projectRowId, startTimeUs, endTimeUs } = spans;
      query = query.where(dialect.unindexed('spans.project_id'), '=', projectRowId);
      if (startTimeUs !== undefined) query = query.where(dialect.unindexed('spans.start_us'), '>=', startTimeUs);
      if (endTimeUs !== undefined) query = query.where(dialect.unindexed('spans.start_us'), '<', endTimeUs);
    }
    const unlisted = await readUnlistedTraces(db);
    let rows = (await query.execute()).filter((row) => !unlisted.has(row.trace_row_id ?? 0));
    const narrowing = narrowingOf(spans);
    const owners = narrowing && openTraces(scope, narrowing, { column: null }, budget);
    if (owners !== null) {
      await owners.look(rows.map((row) => row.trace_row_id ?? 0));
      rows = rows.filter((row) => owners.has(row.trace_row_id ?? 0));
    }
    const left = rows.map(({ id }) => id);
    const condition = conditionOf(spans);
    if (condition.kind === 'constant') return new Set(condition.value ? left : []);
    filter ??= prepareFilter(scope, condition);
    return matchingRows(scope, await filter, left);
  };
}

/** One page of traces of a project; those without a value by start. */
export function browseTracesByAnnotation(
  scope: ReadScope,
  traces: ProjectTraceScope,
  request: AnnotationPageRequest,
): Promise<AnnotationPage<TraceRow>> {
  const { projectRowId, condition, startTimeUs = -Infinity, endTimeUs = Infinity } = traces;
  return browseByAnnotation(
    scope,
    {
      target: 'trace',
      within: { projectRowId },
      condition,
      async keep(rowIds, budget) {
        const assertNotLost = () => budget.assertNotLost();
        const rows = (await readTracesById(scope, projectRowId, rowIds)).filter(
          (row) => row.start_us >= startTimeUs && row.start_us < endTimeUs,
        );
        if (condition === undefined) return new Set(rows.map(({ id }) => id));
        const kept = new Set<number>();
        const decide = compileForTraces(scope, condition, { projectRowId, window: null, assertNotLost, onLooked() {} });
        for await (const { matches } of decide(rows)) for (const rowId of matches) kept.add(rowId);
        return kept;
      },
      load: (rowIds) => findTraces(scope, rowIds),
      browse: (asked, page) => searchTraces(scope, { ...traces, condition: asked }, { ...page, sort: 'start_time' }),
      positionOf: ({ rowId, startTimeUs: value }) => ({ value, rowId }),
    },
    request,
  );
}

/** One page of sessions; those without a value by arrival. */
export function browseSessionsByAnnotation(
  scope: ReadScope,
  sessions: SessionScope,
  request: AnnotationPageRequest,
): Promise<AnnotationPage<SessionRow>> {
  const { projectRowId, condition, startTimeUs = -Infinity, endTimeUs = Infinity } = sessions;
  return browseByAnnotation(
    scope,
    {
      target: 'session',
      within: { projectRowId },
      condition,
      async keep(rowIds) {
        const rows = (await readSessionsById(scope, projectRowId, rowIds)).filter(
          (row) => row.endTimeUs >= startTimeUs && row.startTimeUs < endTimeUs,
        );
        if (condition === undefined) return new Set(rows.map(({ rowId }) => rowId));
        const kept = new Set<number>();
        for await (const { matches } of compileForSessions(scope, condition)(rows))
          for (const rowId of matches) kept.add(rowId);
        return kept;
      },
      load: (rowIds) => findSessions(scope, rowIds),
      browse: (asked, page) => searchSessions(scope, { ...sessions, condition: asked }, { ...page, sort: 'id' }),
      positionOf: ({ rowId }) => ({ value: null, rowId }),
    },
    request,
  );
}
