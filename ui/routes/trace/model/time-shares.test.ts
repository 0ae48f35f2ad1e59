import { describe, expect, it } from 'vitest';
import { findCriticalPath } from './critical-path.ts';
import { buildForest } from './forest.ts';
import { span } from './span.fixture.ts';
import { listTimeShares, shareTime } from './time-shares.ts';
import type { TraceSpan } from './trace-span.ts';

const at = (startMs: number, endMs: number | null, parentId: string | null = null) => ({ startMs, endMs, parentId });

function sharesOf(spans: readonly TraceSpan[]): Record<string, number> {
  const forest = buildForest(spans);
  const shares = shareTime(forest);
  return Object.fromEntries(forest.nodes.map(({ key }, place) => [key, shares[place] ?? 0]));
}

function pathOf(spans: readonly TraceSpan[]): readonly string[] {
  return findCriticalPath(buildForest(spans)).map(
    ({ node, startMs, endMs }) => `${node?.key ?? 'nothing'} ${startMs}-${endMs}`,
  );
}

describe('time', () => {
  it('is of the span that works, not of those that wait for it', () => {
    expect(sharesOf([span('a', at(0, 100)), span('b', at(20, 60, 'a')), span('c', at(30, 40, 'b'))])).toEqual({
      a: 60,
      b: 30,
      c: 10,
    });
  });

  it('is shared by those that work at once', () => {
    const spans = [span('a', at(0, 100)), span('b', at(0, 100, 'a')), span('c', at(50, 100, 'a'))];
    expect(sharesOf(spans)).toEqual({ a: 0, b: 75, c: 25 });
  });

  it('goes on with a child that outlasts its parent, and with one that is open', () => {
    expect(sharesOf([span('a', at(0, 10)), span('b', at(5, 20, 'a'))])).toEqual({ a: 5, b: 15 });
    expect(sharesOf([span('a', at(0, 10)), span('b', at(5, null, 'a'))])).toEqual({ a: 5, b: 5 });
  });

  it('adds up to the trace, whatever its spans do', () => {
    let state = 5;
    const whole = (least: number, most: number) => {
      state = (state * 48_271) % 0x7fffffff;
      return least + (state % (most - least + 1));
    };
    for (let round = 0; round < 50; round++) {
      const spans = [span('0', at(0, 1000))];
      for (let place = 1; place < 200; place++) {
        const startMs = whole(0, 999);
        const parentId = String(whole(0, place - 1));
        spans.push(span(String(place), at(startMs, whole(startMs, 1000), parentId)));
      }
      const forest = buildForest(spans);
      const sum = shareTime(forest).reduce((total, share) => total + share, 0);
      expect(sum).toBeCloseTo(1000, 6);
      const path = findCriticalPath(forest);
      expect(path.reduce((total, { startMs, endMs }) => total + endMs - startMs, 0)).toBeCloseTo(1000, 6);
      for (const [place, { startMs }] of path.entries()) expect(startMs).toBe(path[place - 1]?.endMs ?? 0);
    }
  });

  it('is told by name, the most first', () => {
    const spans = [span('a', at(0, 100)), ...['b', 'c'].map((id) => ({ ...span(id, at(10, 90, 'a')), name: 'call' }))];
    expect(listTimeShares(buildForest(spans))).toMatchObject([
      { name: 'call', spanCount: 2, shareMs: 80, criticalMs: 80 },
      { name: 'a', spanCount: 1, shareMs: 20, criticalMs: 20 },
    ]);
  });
});

describe('the critical path', () => {
  it('follows what was waited for, back from the end', () => {
    const spans = [
      span('a', at(0, 100)),
      span('b', at(10, 40, 'a')),
      span('c', at(10, 60, 'a')),
      span('d', at(70, 90, 'a')),
    ];
    expect(pathOf(spans)).toEqual(['a 0-10', 'c 10-60', 'a 60-70', 'd 70-90', 'a 90-100']);
  });

  it('says where nothing ran between roots', () => {
    expect(pathOf([span('a', at(0, 10)), span('b', at(30, 40))])).toEqual(['a 0-10', 'nothing 10-30', 'b 30-40']);
  });

  it('walks down ten thousand levels', () => {
    const spans = Array.from({ length: 10_000 }, (_, depth) =>
      span(String(depth), at(depth, 20_000 - depth, depth === 0 ? null : String(depth - 1))),
    );
    expect(pathOf(spans)).toHaveLength(19_999);
  });
});
