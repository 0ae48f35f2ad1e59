/** The spans, traces or sessions of a question about annotations, some at a time. */
import type { RowScreen, SpanBatch } from '../columns/batch.ts';
import { AnnotationCursor, type AnnotationTable } from '../annotations/annotation-table.ts';
import type { Budget } from '../query/budget.ts';
import type { ReadScope } from '../spans/rows/read-scope.ts';
import type { ClosedRange } from './buckets.ts';
import type { Rows } from './facet-counter.ts';
import { openOwners, SpanMatcher } from './matcher.ts';
import type { AnnotationQuestion, Coverage } from './port.ts';
import { Scan, type ScanNeeds } from './scan.ts';
import { decideSessions } from './session-numbers.ts';
import { readTraceRows, type TraceRows } from './trace-rows.ts';
import { SpansOfTraces, spanRange } from './traces.ts';

/** Calls back with each target that matches, and when it started. */
export type OnTarget = (rowId: number, startUs: number) => void;

/** Walks over those that match; of spans without annotations it says nothing, and of traces and sessions it may. */
export function walkTargets(
  scope: ReadScope,
  question: AnnotationQuestion,
  range: ClosedRange,
  {
    table,
    budget,
    onTarget,
  }: { readonly table: AnnotationTable; readonly budget: Budget; readonly onTarget: OnTarget },
): Promise<Coverage> {
  const walk = { scope, question, range, table, budget, onTarget };
  switch (question.target) {
    case 'span':
      return walkSpans(walk);
    case 'trace':
      return walkTraces(walk);
    case 'session':
      return walkSessions(walk);
  }
}

interface Walk {
  readonly scope: ReadScope;
  readonly question: AnnotationQuestion;
  readonly range: ClosedRange;
  readonly table: AnnotationTable;
  readonly budget: Budget;
  readonly onTarget: OnTarget;
}

async function walkSpans({ scope, question, range, table, budget, onTarget }: Walk): Promise<Coverage> {
  const needs: ScanNeeds = { columns: new Set(['start_us']), attributes: new Set() };
  const owners = openOwners(scope, question, budget);
  const matcher = await SpanMatcher.open(scope, question.condition, needs, budget, owners);
  const { projectRowId } = question;
  const scan = new Scan(scope, { projectRowId, startTimeUs: range.startUs, endTimeUs: range.endUs }, budget);
  const cursor = new AnnotationCursor(table);
  const screens = { screen: matcher.screens.screen, rows: annotatedOnly(table, matcher.screens.rows) };
  for await (const batch of scan.batches({ ...needs, ...screens })) {
    const { rows, count } = await matcher.narrow(batch, annotatedRows(batch, cursor));
    const { rowIds } = batch;
    const starts = batch.numbers('start_us');
    for (let index = 0; index < count; index++) {
      const row = rows[index] ?? 0;
      onTarget(rowIds[row] ?? 0, starts[row] ?? 0);
    }
  }
  return scan.coverage;
}

function annotatedRows({ rowIds, rowCount }: SpanBatch, cursor: AnnotationCursor): Rows {
  const rows = new Uint16Array(rowCount);
  let count = 0;
  for (let row = 0; row < rowCount; row++) if (cursor.find(rowIds[row] ?? 0) >= 0) rows[count++] = row;
  return { rows, count };
}

/** Passes over segments in which nothing is annotated. */
function annotatedOnly(table: AnnotationTable, matching: RowScreen | null): RowScreen {
  const holdsAny = (range: { readonly from: number; readonly end: number }) =>
    table.placeOf(range.from) < table.placeOf(range.end);
  return {
    async list(range, limit) {
      return table.targetsIn(range, limit) ?? matching?.list(range, limit) ?? null;
    },
    mayHold: async (range) => holdsAny(range) && (matching === null || matching.mayHold(range)),
    knows: (range) => (holdsAny(range) ? (matching === null ? true : matching.knows(range)) : false),
  };
}

async function walkTraces({ scope, question, range, table, budget, onTarget }: Walk): Promise<Coverage> {
  const owners = openOwners(scope, question, budget);
  const parts: TraceRows[] = [];
  const isAnnotated = new Set(table.rowIds);
  for await (const part of readTraceRows(scope, question.projectRowId, range, budget)) {
    await owners?.look(part.id.filter((rowId) => isAnnotated.has(rowId)));
    parts.push(part);
  }
  const spans = new SpansOfTraces(scope, question.projectRowId, spanRange(range, parts), budget);
  const matching = question.condition === null ? null : await spans.findTraces(question.condition);
  for (const { id, start_us: starts } of parts) {
    for (const [place, rowId] of id.entries()) {
      if (!isAnnotated.has(rowId) || matching?.has(rowId) === false || owners?.has(rowId) === false) continue;
      onTarget(rowId, starts[place] ?? 0);
    }
  }
  return { isPartial: budget.isExceeded, share: spans.share };
}

async function walkSessions({ scope, question, range, budget, onTarget }: Walk): Promise<Coverage> {
  const sessions = { ...question, condition: question.sessionCondition ?? null, probabilities: [] };
  for await (const { rows, matches } of decideSessions(scope, sessions, budget)) {
    for (const { rowId, startTimeUs } of rows) {
      // A session that started before is in no bucket.
      if (!matches.has(rowId) || (question.bucket !== null && startTimeUs < range.startUs)) continue;
      onTarget(rowId, startTimeUs);
    }
  }
  return { isPartial: budget.isExceeded, share: 1 };
}
