import fc from 'fast-check';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { runsOf, TEST_ENGINE } from '../../../test/harness/test-engine.ts';
import { withSignal } from '#base/cancellation';
import { parseFilter } from '#filter/parse-filter';
import type { Condition } from '#filter/tree';
import { ofProject, ofTrace } from './spans/batch-source.ts';
import { browseSpans } from '../spans/read/browse-spans.ts';
import { anyCondition } from './conditions.fixture.ts';
import { countMatches } from './spans/count-spans.ts';
import { findPage } from './spans/find-page.ts';
import type { Place } from './place.ts';
import { prepareFilter } from './prepare-filter.ts';
import { QueriedStore } from './queried-store.fixture.ts';
import { decideBatches, searchSpans } from './spans/search-spans.ts';
import { type ColumnSort, SORT_COLUMNS } from './spans/sort-values.ts';
import { UNCERTAIN, YES } from './verdicts.ts';
import { verifyRows } from './verify-rows.ts';

let known: QueriedStore;
const project = () => ofProject({ projectRowId: known.store.projectRowId() });

beforeAll(async () => {
  known = await QueriedStore.open();
});

const BY_ARRIVAL = { column: null, direction: 'asc', after: null } as const;

describe('a filter on columns', () => {
  it('says of every span what the evaluator says of its original, unless it leaves it to that', async () => {
    let [certain, uncertain] = [0, 0];
    await fc.assert(
      fc.asyncProperty(anyCondition, async (condition) => {
        const matches = new Set(known.matchesOf(condition));
        const filter = await prepareFilter(known.store.scope, condition);
        const looked = new Set<number>();
        for await (const { batch, verdicts } of decideBatches(known.store.scope, project(), filter, BY_ARRIVAL)) {
          for (const rowId of batch.rowIds) looked.add(rowId);
          for (const [row, verdict] of verdicts.entries()) {
            if (verdict === UNCERTAIN) uncertain++;
            else {
              certain++;
              const rowId = batch.rowIds[row] ?? 0;
              expect(verdict === YES, `span ${rowId}`).toBe(matches.has(rowId));
            }
          }
          if (verdicts.includes(UNCERTAIN)) expect(filter.mayBeUncertain).toBe(true);
        }
        // Of segments in which nothing matches no row is decided.
        expect([...matches].filter((rowId) => !looked.has(rowId))).toEqual([]);
        if (filter.screen === null && filter.rows === null) expect(looked.size).toBe(known.spans.length);
      }),
      { seed: 20_261_121, numRuns: runsOf(150) },
    );
    expect(certain / (certain + uncertain)).toBeGreaterThan(0.6);
  });

  it('leaves to originals what they decide alike', async () => {
    await fc.assert(
      fc.asyncProperty(anyCondition, async (condition) => {
        const filter = await prepareFilter(known.store.scope, condition);
        const some = known.spans.filter((_span, index) => index % 9 === 0).map(({ row }) => row.rowId);
        const { matches, undecided } = await verifyRows(known.store.scope, filter, some);
        expect(undecided.size).toBe(0);
        const found = [...matches].sort((a, b) => a - b);
        expect(found).toEqual(known.matchesOf(condition).filter((rowId) => some.includes(rowId)));
      }),
      { seed: 20_261_121, numRuns: runsOf(30) },
    );
  });

  it('reads no more originals than it has time for, and says which it left', async () => {
    const filter = await prepareFilter(known.store.scope, read("'a' in output.value"));
    const some = known.spans.slice(0, 5).map(({ row }) => row.rowId);
    let nowMs = performance.now();
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (nowMs += 1000));
    const { undecided } = await verifyRows(known.store.scope, filter, some, { isOver: true });
    clock.mockRestore();
    expect([...undecided]).toEqual(some.slice(1));
  });
});

const FILTERS = [
  "span_kind == 'LLM'",
  "status_code == 'ERROR' and latency_ms >= 1",
  "'needle' in text",
  "'σοφος' in text or tier == 1",
  'tier is not None and tags is None',
  'parent_span is None',
  "deep.a.b == 'a' or docs[1].id == 12",
  'cumulative_llm_token_count_total > 30',
  "status_message == ''",
  'any(d.cost > 0 for d in cost_details) or total_cost > 0',
  "trace_id in ['a0000000000000000000000000000003', 'x']",
];

function read(text: string): Condition {
  const { condition, diagnostics } = parseFilter('span', text);
  if (condition === null) throw new Error(`${text}: ${JSON.stringify(diagnostics)}`);
  return condition;
}

const SORTS = Object.keys(SORT_COLUMNS) as ColumnSort[];

describe('pages of a filter', () => {
  it.each(SORTS)('by %s hold each match once, in order, and those without a value last', async (sort) => {
    for (const [index, text] of FILTERS.entries()) {
      const condition = read(text);
      const order = index % 2 === 0 ? 'desc' : 'asc';
      const scope = { projectRowId: known.store.projectRowId(), rootsOnly: false, condition };
      const seen: number[] = [];
      let after: { value: number | null; rowId: number } | null = null;
      do {
        const page = await browseSpans(known.store.scope, scope, { sort, order, limit: 29 + 15 * index, after });
        // Where statements go to a server, its time may be over before.
        expect(page.looked?.isWhole === true || TEST_ENGINE === 'postgres', text).toBe(true);
        seen.push(...page.rows.map(({ rowId }) => rowId));
        after = page.next;
      } while (after !== null);
      expect(seen, `${text} ${order}`).toEqual(inOrder(known.matchesOf(condition), sort, order));
    }
  });

  it('that end early because time is over go on where they ended', async () => {
    for (const sort of SORTS) {
      const condition = read("'needle' in text or status_message != ''");
      const filter = await prepareFilter(known.store.scope, condition);
      const seen: number[] = [];
      let pages = 0;
      let after: Place | null = null;
      do {
        const part = { column: SORT_COLUMNS[sort], direction: 'desc', after } as const;
        const page: Awaited<ReturnType<typeof findPage>> = await findPage({
          ...part,
          limit: 4,
          batches: decideBatches(known.store.scope, project(), filter, part),
          mayBeUncertain: filter.mayBeUncertain,
          verify: (rowIds) => verifyRows(known.store.scope, filter, rowIds),
          budget: { isOver: true, assertNotLost: () => undefined },
        });
        pages++;
        expect(pages).toBeLessThan(200);
        expect(page.isWhole).toBe(page.next === null || page.places.length === 4);
        seen.push(...page.places.map(({ rowId }) => rowId));
        after = page.next;
      } while (after !== null);
      expect(seen, sort).toEqual(inOrder(known.matchesOf(condition), sort, 'desc'));
      expect(pages).toBeGreaterThan(seen.length / 4 + 1);
    }
  });

  it('of a trace hold its spans alone', async () => {
    const traceRowId = known.spans[0]?.row.traceRowId ?? 0;
    const condition = read("name != '' and latency_ms >= 0");
    for (const direction of ['asc', 'desc'] as const) {
      const found = await searchSpans(known.store.scope, ofTrace(traceRowId), condition, {
        column: null,
        direction,
        limit: 100,
        after: null,
      });
      const matches = new Set(known.matchesOf(condition));
      const expected = known.spans.filter(({ row }) => row.traceRowId === traceRowId && matches.has(row.rowId));
      expect(found.places.map(({ rowId }) => rowId)).toEqual(
        inOrder(
          expected.map(({ row }) => row.rowId),
          'id',
          direction,
        ),
      );
    }
  });

  it('lie in bounds of time', async () => {
    const condition = read("span_kind != 'LLM'");
    const starts = known.spans.map(({ row }) => row.startTimeUs).sort((a, b) => a - b);
    const [startTimeUs = 0, endTimeUs = 0] = [starts[80], starts[200]];
    const scope = { projectRowId: known.store.projectRowId(), rootsOnly: true, condition, startTimeUs, endTimeUs };
    const page = await browseSpans(known.store.scope, scope, { sort: 'id', order: 'asc', limit: 1000, after: null });
    const matches = new Set(known.matchesOf(condition));
    const expected = known.spans.filter(
      ({ row }) =>
        matches.has(row.rowId) &&
        row.parentSpanId === null &&
        row.startTimeUs >= startTimeUs &&
        row.startTimeUs < endTimeUs,
    );
    expect(page.rows.map(({ rowId }) => rowId)).toEqual(expected.map(({ row }) => row.rowId).sort((a, b) => a - b));
    expect(page.rows.length).toBeGreaterThan(0);
  });
});

describe('the number of matches', () => {
  it('is exact', async () => {
    for (const text of FILTERS) {
      const condition = read(text);
      const count = await countMatches(known.store.scope, project(), condition, 60_000);
      expect(count, text).toEqual({ count: known.matchesOf(condition).length, isExact: true, share: 1 });
    }
  });

  it('is not counted further when nobody waits for it', async () => {
    const leaving = new AbortController();
    const counting = withSignal(leaving.signal, () =>
      countMatches(known.store.scope, project(), read("status_message != ''"), 60_000),
    );
    leaving.abort(new Error('gone'));
    await expect(counting).rejects.toThrow('gone');
  });

  it('says what it has when time is over', async () => {
    const condition = read("span_kind == 'LLM'");
    const count = await countMatches(known.store.scope, project(), condition, -1);
    expect(count).toMatchObject({ isExact: false });
    expect(count.share).toBeLessThan(1);
    expect(count.count).toBeLessThan(known.matchesOf(condition).length);
  });
});

function inOrder(rowIds: readonly number[], sort: ColumnSort, order: 'asc' | 'desc'): readonly number[] {
  const sign = order === 'asc' ? 1 : -1;
  const rows = known.spans.filter(({ row }) => rowIds.includes(row.rowId));
  const column = SORT_COLUMNS[sort]?.column;
  const valueOf = (span: (typeof rows)[number]): number | null =>
    column === undefined ? null : (span.counted[column] ?? null);
  return rows
    .toSorted((a, b) => {
      const [x, y] = [valueOf(a), valueOf(b)];
      if (x === y) return sign * (a.row.rowId - b.row.rowId);
      if (x === null || y === null) return x === null ? 1 : -1;
      return sign * (x - y);
    })
    .map(({ row }) => row.rowId);
}
