import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Position } from '#domain/page';
import { parseFilter } from '#filter/parse-filter';
import type { CumulativeSort, SpanScope, Subtree } from '../../spans/browse-port.ts';
import { browseSpans } from '../../spans/read/browse-spans.ts';
import { QueriedStore } from '../queried-store.fixture.ts';

let known: QueriedStore;
const subtrees = new Map<number, Subtree>();

beforeAll(async () => {
  known = await QueriedStore.open();
  const { db, trees } = known.store.scope;
  for (const { row } of known.spans) {
    const subtree = (await trees.treeOf(db, row.traceRowId)).subtree(row.rowId);
    if (subtree !== undefined) subtrees.set(row.rowId, subtree);
  }
});

afterAll(() => known.store.close());

const AMOUNTS: Readonly<Record<CumulativeSort, (subtree: Subtree) => number>> = {
  cumulative_total_tokens: ({ promptTokenCount, completionTokenCount }) => promptTokenCount + completionTokenCount,
  cumulative_prompt_tokens: ({ promptTokenCount }) => promptTokenCount,
  cumulative_completion_tokens: ({ completionTokenCount }) => completionTokenCount,
  cumulative_cost: ({ costNanoUsd }) => costNanoUsd,
};

const SORTS = Object.keys(AMOUNTS) as CumulativeSort[];

function amountOf(rowId: number, sort: CumulativeSort): number {
  const subtree = subtrees.get(rowId);
  if (subtree === undefined) throw new Error(`span ${rowId} is in no tree`);
  return AMOUNTS[sort](subtree);
}

/** All pages, each value as the page says it. */
async function readAll(spans: SpanScope, sort: CumulativeSort, order: 'asc' | 'desc', limit: number) {
  const found: Position[] = [];
  for (let after: Position | null = null; ; ) {
    const page: Awaited<ReturnType<typeof browseSpans>> = await browseSpans(known.store.scope, spans, {
      sort,
      order,
      limit,
      after,
    });
    expect(page.rows.length).toBeLessThanOrEqual(limit);
    found.push(...page.rows.map(({ rowId }) => ({ rowId, value: page.values?.get(rowId) ?? null })));
    if (page.next === null) return found;
    after = page.next;
  }
}

function inOrder(rowIds: readonly number[], sort: CumulativeSort, order: 'asc' | 'desc'): Position[] {
  const sign = order === 'asc' ? 1 : -1;
  return rowIds
    .map((rowId) => ({ rowId, value: amountOf(rowId, sort) }))
    .sort((a, b) => sign * (a.value - b.value || a.rowId - b.rowId));
}

function read(text: string) {
  const { condition } = parseFilter('span', text);
  if (condition === null) throw new Error(text);
  return condition;
}

describe('pages by what spans and all below them come to', () => {
  it.each(SORTS)('by %s hold each span once, in order, either way', async (sort) => {
    const spans = { projectRowId: known.store.projectRowId(), rootsOnly: false };
    const rowIds = known.spans.map(({ row }) => row.rowId);
    for (const order of ['asc', 'desc'] as const) {
      expect(await readAll(spans, sort, order, 37)).toEqual(inOrder(rowIds, sort, order));
    }
  });

  it('hold what is asked for', async () => {
    const starts = known.spans.map(({ row }) => row.startTimeUs).sort((a, b) => a - b);
    const [startTimeUs = 0, endTimeUs = 0] = [starts[83], starts[202]];
    const condition = read("span_kind == 'LLM' or 'needle' in text");
    const matches = new Set(known.matchesOf(condition));
    const projectRowId = known.store.projectRowId();
    const within = ({ row }: (typeof known.spans)[number]) =>
      row.startTimeUs >= startTimeUs && row.startTimeUs < endTimeUs;
    const [someTrace = 0] = known.spans.map(({ row }) => row.traceRowId);
    const questions: [SpanScope, (span: (typeof known.spans)[number]) => boolean][] = [
      [{ projectRowId, rootsOnly: true }, ({ row }) => row.parentSpanId === null],
      [{ projectRowId, rootsOnly: false, startTimeUs, endTimeUs }, within],
      [
        { projectRowId, rootsOnly: false, startTimeUs, endTimeUs, condition },
        (span) => within(span) && matches.has(span.row.rowId),
      ],
      [{ traceRowId: someTrace }, ({ row }) => row.traceRowId === someTrace],
    ];
    for (const [scope, isAsked] of questions) {
      const rowIds = known.spans.filter(isAsked).map(({ row }) => row.rowId);
      expect(rowIds.length).toBeGreaterThan(1);
      for (const order of ['asc', 'desc'] as const) {
        const found = await readAll(scope, 'cumulative_total_tokens', order, 5);
        expect(found).toEqual(inOrder(rowIds, 'cumulative_total_tokens', order));
      }
    }
  });

  it('look at no more traces than they need', async () => {
    const spans = { projectRowId: known.store.projectRowId(), rootsOnly: false };
    const best = Math.max(...known.spans.map(({ row }) => amountOf(row.rowId, 'cumulative_cost')));
    const cheap = known.spans.find(({ row }) => amountOf(row.rowId, 'cumulative_cost') < best);
    expect(best).toBeGreaterThan(0);
    expect(cheap).toBeDefined();
    const page = await browseSpans(known.store.scope, spans, {
      sort: 'cumulative_cost',
      order: 'desc',
      limit: 1,
      after: null,
    });
    expect(page.rows.map(({ rowId }) => amountOf(rowId, 'cumulative_cost'))).toEqual([best]);
  });
});
