/**
 * Pages of spans by what they and all below them come to. No span comes to more than its trace, so that traces are looked
 * at in the order of their own sums, and those that come to less than the page has already are not.
 */
import { type SqlBool, sql } from 'kysely';
import type { KeysetPage, KeysetRequest } from '#domain/page';
import { type NarrowRow, selectNarrowRows } from '../../columns/narrow-rows.ts';
import { giveWay } from '../../threads/fair-turns.ts';
import { readUnlistedTraces } from '../../spans/rows/visible.ts';
import type { CumulativeSort, SpanScope, SpanTableRow, SpanTableSort, Subtree } from '../../spans/browse-port.ts';
import { COUNTS_NOTHING } from '../../spans/rows/cost-columns.ts';
import type { ReadScope } from '../../spans/rows/read-scope.ts';
import { listSpanRows } from '../../spans/rows/span-table.ts';
import { TraceTree } from '../../spans/rows/trace-tree.ts';
import { BestCandidates } from './best-candidates.ts';
import { Budget, PAGE_MS } from '../budget.ts';
import { readTracesById, readTraceStep, type TraceStepRow } from '../grains/trace-steps.ts';
import { matchingRows } from '../matching-rows.ts';
import { openTraces } from './owned-batches.ts';
import { comparePlaces, fromPlace, type Place } from '../place.ts';
import { prepareFilter } from '../prepare-filter.ts';
import { narrowingOf } from './span-scope.ts';

/** Whether it is one of the orders of this file. */
export function isCumulative(sort: SpanTableSort): sort is CumulativeSort {
  return Object.hasOwn(AMOUNTS, sort);
}

interface Amount {
  readonly ofSpan: (subtree: Subtree) => number;
  readonly ofTrace: (row: TraceStepRow) => number;
}

const AMOUNTS: Readonly<Record<CumulativeSort, Amount>> = {
  cumulative_total_tokens: {
    ofSpan: (subtree) => subtree.promptTokenCount + subtree.completionTokenCount,
    ofTrace: (row) => row.prompt_tokens + row.completion_tokens,
  },
  cumulative_prompt_tokens: {
    ofSpan: (subtree) => subtree.promptTokenCount,
    ofTrace: (row) => row.prompt_tokens,
  },
  cumulative_completion_tokens: {
    ofSpan: (subtree) => subtree.completionTokenCount,
    ofTrace: (row) => row.completion_tokens,
  },
  cumulative_cost: { ofSpan: (subtree) => subtree.costNanoUsd, ofTrace: (row) => row.cost_nanousd },
};

/** One page. @throws AppError `deadline_exceeded` where too many traces must be looked at */
export async function browseBySubtree(
  scope: ReadScope,
  spans: SpanScope,
  { sort, order, limit, after }: KeysetRequest<CumulativeSort>,
): Promise<KeysetPage<SpanTableRow>> {
  const amount = AMOUNTS[sort];
  const budget = new Budget(PAGE_MS);
  const best = new BestCandidates(limit + 1, order);
  const filter = spans.condition === undefined ? null : await prepareFilter(scope, spans.condition);
  const narrowing = narrowingOf(spans);
  const owners = narrowing && openTraces(scope, narrowing, { column: null }, budget);
  const least = order === 'asc' ? (after?.value ?? 0) : 0;
  const all = await readTraces(scope, spans, amount, budget);
  for (const { most, rowIds } of partsOf(all.filter((trace) => trace.amount >= least))) {
    if (order === 'desc' && best.isClosedTo(fromPlace(most, order))) break;
    await owners?.look(rowIds);
    const wanted = owners === null ? rowIds : rowIds.filter((rowId) => owners.has(rowId));
    const offered: Place[] = [];
    for (const place of await readPlaces(scope, spans, wanted, amount)) {
      if (after !== null && comparePlaces(place.value, place.rowId, after, order) <= 0) continue;
      if (best.takes(place.value, place.rowId)) offered.push(place);
    }
    for (let start = 0; start < offered.length; start += MATCHED_AT_ONCE) {
      const part = offered.slice(start, start + MATCHED_AT_ONCE);
      const rowIdsOfPart = part.map(({ rowId }) => rowId);
      const matches = filter === null ? new Set(rowIdsOfPart) : await matchingRows(scope, filter, rowIdsOfPart);
      for (const place of part) if (matches.has(place.rowId)) best.add({ place, isUncertain: false });
    }
    budget.assertNotLost();
    await giveWay();
  }
  return toPage(
    scope,
    best.takeBefore(null).map(({ place }) => place),
    limit,
  );
}

/** Rows of a batch. */
const MATCHED_AT_ONCE = 4096;

async function toPage(scope: ReadScope, found: readonly Place[], limit: number): Promise<KeysetPage<SpanTableRow>> {
  const places = found
    .slice(0, limit)
    .map(({ value, rowId }) => ({ value: typeof value === 'number' ? value : null, rowId }));
  return {
    rows: await listSpanRows(
      scope,
      places.map(({ rowId }) => rowId),
    ),
    next: found.length > limit ? (places.at(-1) ?? null) : null,
    values: new Map(places.map(({ value, rowId }) => [rowId, value])),
    looked: { isWhole: true, untilTimeUs: null, share: 1 },
  };
}

/** A trace with what it comes to. */
interface Weighed {
  readonly rowId: number;
  readonly amount: number;
  readonly spanCount: number;
}

/** All traces that may own a span of the scope. */
async function readTraces(
  scope: ReadScope,
  spans: SpanScope,
  { ofTrace }: Amount,
  budget: Budget,
): Promise<readonly Weighed[]> {
  const weigh = (row: TraceStepRow) => ({ rowId: row.id, amount: ofTrace(row), spanCount: row.span_count });
  if ('traceRowId' in spans) return (await readTracesById(scope, null, [spans.traceRowId])).map(weigh);
  const { projectRowId, startTimeUs, endTimeUs } = spans;
  const where = startTimeUs === undefined ? undefined : sql<SqlBool>`end_us >= ${startTimeUs}`;
  const steps = { projectRowId, endTimeUs, where, sort: 'start_time', direction: 'desc' } as const;
  const unlisted = await readUnlistedTraces(scope.db);
  const traces: Weighed[] = [];
  for (let after: Place | null = null; ; ) {
    const rows: readonly TraceStepRow[] = await readTraceStep(scope, steps, after, TRACES_AT_ONCE);
    for (const row of rows) if (!unlisted.has(row.id)) traces.push(weigh(row));
    if (rows.length < TRACES_AT_ONCE) return traces;
    after = rows.at(-1)?.place ?? null;
    budget.assertNotLost();
    await giveWay();
  }
}

/** Rows of traces alone. */
const TRACES_AT_ONCE = 4096;

/** Traces whose spans are read together. */
interface Part {
  /** What the first of them comes to, and no other exceeds. */
  readonly most: number;
  readonly rowIds: readonly number[];
}

/** Those that come to most first. */
function* partsOf(traces: readonly Weighed[]): Generator<Part> {
  let [rowIds, most, spanCount]: [number[], number, number] = [[], 0, 0];
  for (const trace of traces.toSorted((a, b) => b.amount - a.amount)) {
    if (rowIds.length === 0) most = trace.amount;
    rowIds.push(trace.rowId);
    spanCount += trace.spanCount;
    if (spanCount < SPANS_AT_ONCE && rowIds.length < LARGEST_PART) continue;
    yield { most, rowIds };
    [rowIds, spanCount] = [[], 0];
  }
  if (rowIds.length > 0) yield { most, rowIds };
}

/** Traces of a part, and about so many spans of them. */
const LARGEST_PART = 512;
const SPANS_AT_ONCE = 4000;

/** Where the spans of the traces stand that are of the scope. Index: spans_of_trace. */
async function readPlaces(
  scope: ReadScope,
  spans: SpanScope,
  traceRowIds: readonly number[],
  { ofSpan }: Amount,
): Promise<readonly Place[]> {
  const { db, dialect, trees } = scope;
  const rows = await selectNarrowRows(db, { columns: COLUMNS, hasAttributes: false })
    .where('spans.trace_row_id', 'in', dialect.numbersOf(traceRowIds))
    .execute();
  const places: Place[] = [];
  for (const [traceRowId, ofTrace] of Map.groupBy(rows, (row) => row.trace_row_id ?? 0)) {
    // One that is large is kept for its next page.
    const tree = ofTrace.length > SPANS_AT_ONCE ? await trees.treeOf(db, traceRowId) : toTree(ofTrace);
    for (const row of ofTrace) {
      if (!isInScope(row, spans)) continue;
      const subtree = tree.subtree(row.id);
      places.push({ value: subtree === undefined ? null : ofSpan(subtree), rowId: row.id });
    }
  }
  return places;
}

const COLUMNS = [
  'trace_row_id',
  'span_id',
  'parent_span_id',
  'start_us',
  'counted_prompt_tokens',
  'counted_completion_tokens',
  'counted_cost_nanousd',
] as const;

function isInScope({ start_us: startUs, parent_span_id: parentId }: NarrowRow, spans: SpanScope): boolean {
  if ('traceRowId' in spans) return true;
  const { startTimeUs = -Infinity, endTimeUs = Infinity, rootsOnly } = spans;
  return (startUs ?? 0) >= startTimeUs && (startUs ?? 0) < endTimeUs && (!rootsOnly || parentId == null);
}

/** Of the members that orders need. */
function toTree(rows: readonly NarrowRow[]): TraceTree {
  const inOrder = rows.toSorted((a, b) => (a.start_us ?? 0) - (b.start_us ?? 0) || a.id - b.id);
  return new TraceTree(
    inOrder.map((row) => ({
      id: row.id,
      span_id: row.span_id ?? '',
      parent_span_id: row.parent_span_id ?? null,
      has_error: 0,
      call_distance: null,
      ...COUNTS_NOTHING,
      counted_prompt_tokens: row.counted_prompt_tokens ?? 0,
      counted_completion_tokens: row.counted_completion_tokens ?? 0,
      counted_cost_nanousd: row.counted_cost_nanousd ?? 0,
    })),
  );
}
