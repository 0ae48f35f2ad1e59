import { describe, expect, it } from 'vitest';
import { openTestEngine } from '../../engine/open-test-engine.fixture.ts';
import type { PageRequest, TraceSort } from '../port.ts';
import { EnvelopeCache } from '../rows/envelope-cache.ts';
import { listTraces } from './list-traces.ts';
import { TraceTrees } from '../rows/trace-trees.ts';

describe('a page of traces with their spans', () => {
  it('ends before the spans become too many, and is continued without a gap', async () => {
    const scope = await scopeWithTraces([15_000, 4_000, 3_000, 50_000, 1]);
    expect(await pageThrough(scope, true)).toEqual([[1, 2], [3], [4], [5]]);
  });

  it('is as long as was asked for without them', async () => {
    const scope = await scopeWithTraces([15_000, 4_000, 3_000, 50_000, 1]);
    expect(await pageThrough(scope, false)).toEqual([
      [1, 2, 3],
      [4, 5],
    ]);
  });
});

type Scope = Parameters<typeof listTraces>[0];

/** One trace for each number of spans; the spans themselves are not needed. */
async function scopeWithTraces(spanCounts: readonly number[]): Promise<Scope> {
  const { db, dialect } = await openTestEngine();
  const sums = { error_count: 0, prompt_tokens: 0, completion_tokens: 0, cost_nanousd: 0 };
  const traces = spanCounts.map((span_count, index) => {
    const id = index + 1;
    return { id, trace_id: `${id}`, project_id: 1, start_us: id, end_us: id, span_count, ...sums };
  });
  await db.insertInto('traces').values(traces).execute();
  return { db, dialect, envelopes: new EnvelopeCache(), trees: new TraceTrees() };
}

/** Row ids of each page until the last, three traces at most on each. */
async function pageThrough(scope: Scope, includeSpans: boolean): Promise<number[][]> {
  const pages: number[][] = [];
  let page: PageRequest<TraceSort> = { sort: 'start_time', order: 'asc', limit: 3, cursor: null };
  for (;;) {
    const { data, nextCursor } = await listTraces(scope, { projectRowId: 1 }, page, includeSpans);
    pages.push(data.map((trace) => trace.rowId));
    if (nextCursor === null) return pages;
    page = { ...page, cursor: nextCursor };
  }
}
