/** Pages of the spans that match a filter, found in batches of columns. */
import type { Condition } from '#filter/tree';
import { giveWay } from '../../threads/fair-turns.ts';
import type { ReadScope } from '../../spans/rows/read-scope.ts';
import type { BatchSource, OrderedPart } from './batch-source.ts';
import { Budget, PAGE_MS } from '../budget.ts';
import { type DecidedBatch, type FoundPage, findPage } from './find-page.ts';
import type { OwnerVerdicts } from '../grains/owner-verdicts.ts';
import { narrowByTraces, openTraces, type TraceNarrowing } from './owned-batches.ts';
import { decideBatch, type PreparedFilter, prepareFilter } from '../prepare-filter.ts';
import { verifyRows } from '../verify-rows.ts';

/** Finds one page of at most `limit` matches, of traces that match where something is asked of those. */
export async function searchSpans(
  scope: ReadScope,
  source: BatchSource,
  condition: Condition,
  part: OrderedPart & { readonly limit: number },
  narrowing: TraceNarrowing | null = null,
): Promise<FoundPage> {
  const filter = await prepareFilter(scope, condition);
  const budget = new Budget(PAGE_MS);
  const traces = narrowing && openTraces(scope, narrowing, part, budget);
  return findPage({
    ...part,
    batches: decideBatches(scope, source, filter, part, traces),
    mayBeUncertain: filter.mayBeUncertain,
    verify: (rowIds) => verifyRows(scope, filter, rowIds, budget),
    budget,
  });
}

/** Reads and decides batches until the caller has enough. */
export async function* decideBatches(
  scope: ReadScope,
  source: BatchSource,
  filter: PreparedFilter,
  part: OrderedPart,
  traces: OwnerVerdicts | null = null,
): AsyncGenerator<DecidedBatch> {
  const columns = new Set(filter.columns);
  if (part.column !== null) columns.add(part.column.column);
  if (traces !== null) columns.add('trace_row_id');
  const { attributes, screen, rows } = filter;
  for await (const sourced of source(scope, { columns: [...columns], attributes, screen, rows }, part)) {
    const decided = { ...sourced, verdicts: await decideBatch(scope, filter, sourced.batch) };
    if (traces !== null) await narrowByTraces(decided, traces);
    yield decided;
    await giveWay();
  }
}
