/** Spans narrowed by what is asked of their traces: as many as those traces own. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Position } from '#domain/page';
import { parseFilter } from '#filter/parse-filter';
import type { Condition, FilterGrain } from '#filter/tree';
import type { SpanTableSort } from '../../spans/browse-port.ts';
import { browseSpans, countSpans } from '../../spans/read/browse-spans.ts';
import { searchTraces } from '../grains/search-traces.ts';
import { QueriedStore } from '../queried-store.fixture.ts';

let known: QueriedStore;

beforeAll(async () => {
  known = await QueriedStore.open();
});

afterAll(() => known.store.close());

/** Told by rows of traces, by columns of spans, by rows of spans, and by originals. */
const TRACE_FILTERS = [
  'error_count > 1',
  "any(s.span_kind == 'AGENT' and s.status_code == 'OK' for s in spans)",
  'len([s for s in spans if s.latency_ms > 1]) >= 3',
  "'needle' in attributes['text']",
];

const SORTS: readonly SpanTableSort[] = ['id', 'start_time', 'latency', 'cost', 'cumulative_prompt_tokens'];

function read(grain: FilterGrain, text: string): Condition {
  const { condition, diagnostics } = parseFilter(grain, text);
  if (condition === null) throw new Error(`${text}: ${JSON.stringify(diagnostics)}`);
  return condition;
}

describe('spans of the traces that match', () => {
  it.each(TRACE_FILTERS)('%s', async (text) => {
    const { scope } = known.store;
    const projectRowId = known.store.projectRowId();
    const traceCondition = read('trace', text);
    const everything = { sort: 'start_time', order: 'desc', limit: 1000, after: null } as const;
    const { rows: traces } = await searchTraces(scope, { projectRowId, condition: traceCondition }, everything);
    const owners = new Set(traces.map(({ rowId }) => rowId));
    const condition = read('span', "span_kind == 'LLM' or status_message != '' or 'needle' in text");
    const matches = new Set(known.matchesOf(condition));
    const starts = known.spans.map(({ row }) => row.startTimeUs).sort((a, b) => a - b);
    const [startTimeUs = 0, endTimeUs = 0] = [starts[60], starts[300]];
    const expected = known.spans
      .map(({ row }) => row)
      .filter(({ rowId, traceRowId }) => owners.has(traceRowId) && matches.has(rowId))
      .filter((row) => row.startTimeUs >= startTimeUs && row.startTimeUs < endTimeUs)
      .map(({ rowId }) => rowId);
    expect(expected.length).toBeGreaterThan(0);
    expect(expected.length).toBeLessThan(matches.size);
    const spans = { projectRowId, rootsOnly: false, condition, traceCondition, startTimeUs, endTimeUs };
    for (const sort of SORTS) {
      const found: number[] = [];
      for (let after: Position | null = null; ; ) {
        const page: Awaited<ReturnType<typeof browseSpans>> = await browseSpans(scope, spans, {
          sort,
          order: 'desc',
          limit: 9,
          after,
        });
        found.push(...page.rows.map(({ rowId }) => rowId));
        if (page.next === null) break;
        after = page.next;
      }
      expect(
        found.toSorted((a, b) => a - b),
        sort,
      ).toEqual(expected.toSorted((a, b) => a - b));
      if (sort === 'id') expect(found).toEqual(expected.toSorted((a, b) => b - a));
    }
    expect(await countSpans(scope, spans, 60_000)).toEqual({ count: expected.length, isExact: true, share: 1 });
  });

  it('are all of them without a filter of spans', async () => {
    const spans = {
      projectRowId: known.store.projectRowId(),
      rootsOnly: true,
      traceCondition: read('trace', 'num_spans > 0'),
    };
    const page = await browseSpans(known.store.scope, spans, { sort: 'id', order: 'asc', limit: 1000, after: null });
    const roots = known.spans.filter(({ row }) => row.parentSpanId === null).map(({ row }) => row.rowId);
    expect(page.rows.map(({ rowId }) => rowId)).toEqual(roots.toSorted((a, b) => a - b));
  });
});
