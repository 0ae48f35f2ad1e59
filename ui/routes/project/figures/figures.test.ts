import { expect, it } from 'vitest';
import {
  countTarget,
  describeShare,
  describeTarget,
  type Figure,
  formatRowCount,
  listChartFigures,
  listFigures,
  type Shown,
  type Totals,
} from './figures.ts';

const TOTALS: Totals = {
  count: 777,
  errorCount: 24,
  latencyMsP50: 1240,
  latencyMsP95: 4527.31,
  tokens: 1_234_567,
  cost: 3.4123,
  share: 1,
};
const TRACES: Shown = { grain: 'trace', noun: 'traces', filter: null, chartFilter: null };

function targetsOf(figures: readonly Figure[]) {
  return Object.fromEntries(figures.map(({ id, target }) => [id, target]));
}

it('writes what rows come to', () => {
  const texts = listFigures(TOTALS, TRACES).map(({ before = '', value, after = '' }) =>
    `${before} ${value} ${after}`.trim(),
  );
  expect(texts).toEqual(['3.1 % errors', 'p50 1.24 s', 'p95 4.53 s', '1.2M tokens', '$3.41 cost']);
  expect(listFigures(TOTALS, TRACES)[0]?.title).toBe('24 of 777 traces failed');
});

it('leads from all traces to their charts, to those that failed, the slowest and the most expensive', () => {
  expect(targetsOf(listFigures(TOTALS, TRACES))).toEqual({
    errors: { kind: 'rows', filter: 'error_count > 0' },
    p50: { kind: 'charts', filter: null, anchor: 'trace-latency' },
    p95: { kind: 'rows', filter: 'latency_ms >= 4520', sort: 'latency:desc' },
    tokens: { kind: 'charts', filter: null, anchor: 'tokens' },
    cost: { kind: 'rows', filter: null, sort: 'cost:desc' },
  });
  expect(countTarget(TRACES)).toEqual({ kind: 'charts', filter: null, anchor: 'traces-by-status' });
});

it('leads to no chart from a filter of traces or sessions, which charts do not take', () => {
  const filter = 'num_spans > 2 or error_count > 3';
  const traces = { ...TRACES, filter, chartFilter: filter };
  expect(targetsOf(listFigures(TOTALS, traces))).toEqual({
    errors: { kind: 'rows', filter: `(${filter}) and error_count > 0` },
    p50: { kind: 'rows', filter, sort: 'latency:desc' },
    p95: { kind: 'rows', filter: `(${filter}) and latency_ms >= 4520`, sort: 'latency:desc' },
    tokens: { kind: 'rows', filter, sort: 'tokens:desc' },
    cost: { kind: 'rows', filter, sort: 'cost:desc' },
  });
  expect(countTarget(traces)).toBeUndefined();
  const sessions = { grain: 'session', noun: 'sessions', filter: null, chartFilter: null } as const;
  expect(targetsOf(listFigures(TOTALS, sessions))).toMatchObject({
    errors: { filter: 'num_traces_with_error > 0' },
    p50: { filter: 'duration_ms >= 1240' },
    p95: { filter: 'duration_ms >= 4520' },
  });
});

it('takes what narrows spans along to the charts', () => {
  const chartFilter = "name == 'a' and parent_span is None";
  const spans = { grain: 'span', noun: 'spans', filter: "name == 'a'", chartFilter } as const;
  const figures = targetsOf(listFigures(TOTALS, spans));
  expect(figures['tokens']).toEqual({ kind: 'charts', filter: chartFilter, anchor: 'tokens' });
  expect(figures['errors']).toEqual({ kind: 'rows', filter: "name == 'a' and status_code == 'ERROR'" });
  expect(countTarget(spans)).toEqual({ kind: 'charts', filter: chartFilter });
});

it('leads nowhere from what explains itself', () => {
  const nothing = { ...TOTALS, errorCount: 0, latencyMsP50: null, latencyMsP95: null, tokens: 0, cost: 0 };
  expect(targetsOf(listFigures(nothing, TRACES))).toEqual({
    errors: undefined,
    p50: undefined,
    p95: undefined,
    tokens: undefined,
    cost: undefined,
  });
  expect(targetsOf(listFigures({ ...TOTALS, errorCount: 777 }, TRACES))['errors']).toBeUndefined();
});

it('leads to the chart of each figure on the metrics page', () => {
  const targets = targetsOf(listChartFigures(TOTALS, TRACES));
  expect(Object.values(targets).map((target) => target?.kind === 'charts' && target.anchor)).toEqual([
    'traces-by-status',
    'trace-latency',
    'trace-latency',
    'tokens',
    'cost',
  ]);
});

it('says what pressing does', () => {
  const actions = listFigures(TOTALS, TRACES).map(
    (figure) => figure.target && describeTarget(figure, figure.target, 'traces'),
  );
  expect(actions).toEqual([
    'Show only these',
    'Show the chart',
    'Show the slowest traces',
    'Show the chart',
    'Sort by cost',
  ]);
});

it('says how many rows there are, and of how many the figures are where time did not suffice', () => {
  expect(formatRowCount({ count: 1234, share: 1 })).toBe('1,234');
  expect(formatRowCount({ count: 1_234_567, share: 0.42 })).toBe('1.2M+');
  expect([1, 0.42, 0.001].map(describeShare)).toEqual([undefined, 'of the newest 42 %', 'of the newest 1 %']);
});

it.each([
  [0.4, '0.4'],
  [12.345, '12.3'],
  [999.9, '999'],
  [1000, '1000'],
  [67_891, '67800'],
])('finds at least what took %s ms', (latencyMsP95, bound) => {
  const [, , p95] = listFigures({ ...TOTALS, latencyMsP95 }, TRACES);
  expect(p95?.target?.filter).toBe(`latency_ms >= ${bound}`);
});
