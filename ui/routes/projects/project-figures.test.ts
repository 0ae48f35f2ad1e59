import { expect, it } from 'vitest';
import { chooseBarUnit, isByFigure, type ProjectFigures, sortByFigure, stretchOf } from './project-figures.ts';

const MINUTE = 60_000;
const NOW = Date.parse('2026-11-23T10:00:00Z');

function figures(more: Partial<ProjectFigures>): ProjectFigures {
  return {
    count: 10,
    errorCount: 0,
    latencyMsP50: 1,
    latencyMsP95: 2,
    tokens: 0,
    cost: 0,
    share: 1,
    bars: [],
    ...more,
  };
}

it.each([
  [15, 'MINUTE'],
  [60, 'FIVE_MINUTES'],
  [720, 'HOUR'],
  [1440, 'HOUR'],
  [7 * 1440, 'SIX_HOURS'],
  [30 * 1440, 'DAY'],
  [300 * 1440, 'WEEK'],
  [4000 * 1440, 'YEAR'],
])('draws %s minutes in bars that can be told apart', (minutes, unit) => {
  expect(chooseBarUnit({ startMs: NOW - minutes * MINUTE, endMs: NOW })).toBe(unit);
});

it('is of one stretch of time for all projects', () => {
  const nextMs = NOW + MINUTE;
  expect(stretchOf({ kind: 'last', minutes: 60 }, NOW, 5)).toEqual({ startMs: NOW - 60 * MINUTE, endMs: nextMs });
  expect(stretchOf({ kind: 'all' }, NOW, 5)).toEqual({ startMs: 5, endMs: nextMs });
  expect(stretchOf({ kind: 'all' }, NOW, undefined)).toEqual({ startMs: NOW, endMs: nextMs });
  const [start, end] = ['2026-11-20T00:00:00.000Z', '2026-11-21T00:00:00.000Z'];
  expect(stretchOf({ kind: 'between', start, end }, NOW, 5)).toEqual({
    startMs: Date.parse(start),
    endMs: Date.parse(end),
  });
  expect(stretchOf({ kind: 'between', end }, NOW, 5)).toEqual({ startMs: 5, endMs: Date.parse(end) });
  // The first trace is later.
  expect(stretchOf({ kind: 'between', end }, NOW, NOW)).toEqual({ startMs: Date.parse(end), endMs: Date.parse(end) });
});

it('sorts by a figure, those without traces last either way', () => {
  const known = new Map([
    ['few', figures({ count: 10, errorCount: 5, cost: 1 })],
    ['none', figures({ count: 0, latencyMsP50: null, latencyMsP95: null })],
    ['many', figures({ count: 100, errorCount: 6, cost: 9 })],
  ]);
  const projects = [...known.keys()].map((id) => ({ id }));
  const order = (column: 'traces' | 'errors' | 'cost', direction: 'asc' | 'desc') =>
    sortByFigure(projects, known, { column, direction }).map(({ id }) => id);
  expect(order('traces', 'desc')).toEqual(['many', 'few', 'none']);
  expect(order('traces', 'asc')).toEqual(['few', 'many', 'none']);
  expect(order('errors', 'desc')).toEqual(['few', 'many', 'none']);
  expect(order('cost', 'desc')).toEqual(['many', 'few', 'none']);
});

it('keeps the order while figures are missing', () => {
  const projects = [{ id: 'a' }, { id: 'b' }];
  expect(sortByFigure(projects, new Map([['b', figures({})]]), { column: 'cost', direction: 'desc' })).toBe(projects);
});

it('tells figures from what the list itself is sorted by', () => {
  const columns = ['name', 'activity', 'p95'] as const;
  expect(columns.map((column) => isByFigure({ column, direction: 'asc' }))).toEqual([false, false, true]);
});
