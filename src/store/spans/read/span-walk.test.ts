/** Steps along an index: the same rows as at once, none twice. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Position } from '#domain/page';
import { queryScopeOf } from '../../queries/prepared-query.ts';
import { QueriedStore } from '../../query/queried-store.fixture.ts';
import { browseSpans } from './browse-spans.ts';
import { selectMatches, type SortColumn, type Walk } from './span-walk.ts';

let known: QueriedStore;

beforeAll(async () => {
  known = await QueriedStore.open();
});

afterAll(() => known.store.close());

const COLUMNS: readonly SortColumn[] = ['id', 'start_us', 'end_us', 'latency_us', 'total_tokens', 'prompt_tokens'];

it.each(COLUMNS.flatMap((column) => [{ column, order: 'asc' } as const, { column, order: 'desc' } as const]))(
  'by $column, $order',
  async ({ column, order }) => {
    const scope = queryScopeOf(known.store.scope);
    const spans = { projectRowId: known.store.projectRowId(), rootsOnly: false };
    const part = { column, isNull: false };
    const walk = (after: Position | null): Walk => ({ spans, listedOnly: null, path: 'order', part, order, after });
    const all = await selectMatches(scope, walk(null), null, 1000);
    expect(all.length).toBeGreaterThan(100);
    const stepped: Position[] = [];
    for (let after: Position | null = null; stepped.length < all.length; ) {
      const until: Position | null = all[stepped.length + 36] ?? null;
      const step = await selectMatches(scope, walk(after), until, 1000);
      expect(step.length).toBe(until === null ? all.length - stepped.length : 37);
      stepped.push(...step);
      after = until;
    }
    expect(stepped).toEqual(all);
  },
);

it('leaves out spans of traces that are deleted, in any order, as long as they are', async () => {
  const { store } = known;
  const spans = { projectRowId: store.projectRowId(), rootsOnly: false };
  const [first] = (await browseSpans(store.scope, spans, { sort: 'latency', order: 'desc', limit: 1, after: null }))
    .rows;
  const traceRowId = first?.traceRowId ?? 0;
  const ofTrace = known.spans.filter(({ row }) => row.traceRowId === traceRowId).length;
  expect(ofTrace).toBeGreaterThan(0);
  const list = async () => {
    const found: number[] = [];
    for (const sort of ['id', 'start_time', 'latency'] as const) {
      const { rows } = await browseSpans(store.scope, spans, { sort, order: 'desc', limit: 1000, after: null });
      found.push(rows.length, rows.filter((row) => row.traceRowId === traceRowId).length);
    }
    return found;
  };
  const whole = known.spans.length;
  expect(await list()).toEqual([whole, ofTrace, whole, ofTrace, whole, ofTrace]);
  await store.exec(`INSERT INTO unlisted_traces (trace_row_id) VALUES (${traceRowId})`);
  const left = whole - ofTrace;
  expect(await list()).toEqual([left, 0, left, 0, left, 0]);
  await store.exec('DELETE FROM unlisted_traces');
  expect(await list()).toEqual([whole, ofTrace, whole, ofTrace, whole, ofTrace]);
});
