import { expect, it } from 'vitest';
import { findCriticalPath } from './critical-path.ts';
import { buildForest } from './forest.ts';
import { drawMark, markPath } from './path-marks.ts';
import { span } from './span.fixture.ts';

const forest = buildForest([
  span('a', { startMs: 0, endMs: 100 }),
  span('b', { startMs: 10, endMs: 40, parentId: 'a' }),
  span('c', { startMs: 20, endMs: 60, parentId: 'a' }),
  span('d', { startMs: 70, endMs: 90, parentId: 'a' }),
]);
const find = markPath(forest, findCriticalPath(forest));

function markOf(key: string, isFolded = false) {
  const node = forest.byKey.get(key);
  const mark = node === undefined ? null : find(node, isFolded);
  return mark && [mark.lengthMs, ...mark.stretches.map(({ startMs, endMs }) => `${startMs}-${endMs}`)];
}

it('gives each span its part of the path, and a folded one that of all below it', () => {
  expect(markOf('a')).toEqual([30, '0-10', '60-70', '90-100']);
  expect(markOf('b')).toEqual([10, '10-20']);
  expect(markOf('c')).toEqual([40, '20-60']);
  expect(markOf('a', true)).toEqual([100, '0-100']);
});

it('draws what the window shows, and joins what cannot be told apart', () => {
  const mark = (...stretches: [number, number][]) => ({
    stretches: stretches.map(([startMs, endMs]) => ({ startMs, endMs })),
    lengthMs: 0,
  });
  expect(drawMark(mark([0, 10], [60, 70]), { startMs: 0, endMs: 100 })).toBe('M0 0H100M600 0H700');
  expect(drawMark(mark([0, 10], [60, 70], [90, 95]), { startMs: 50, endMs: 75 })).toBe('M400 0H800');
  expect(drawMark(mark([0, 10], [10.1, 20], [50, 50.001]), { startMs: 0, endMs: 100 })).toBe('M0 0H200M500 0H503');
  expect(drawMark(mark([99.99, 100]), { startMs: 0, endMs: 100 })).toBe('M997 0H1000');
});
