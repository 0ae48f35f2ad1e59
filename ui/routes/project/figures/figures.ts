/** The figures above a table: what the rows that it shows come to, and what explains each figure. */
import type { FilterGrain } from '#filter/tree';
import {
  formatCount,
  formatDuration,
  formatExact,
  formatShare,
  formatTokens,
  formatUsd,
  nounOf,
} from '#ui/lib/format.ts';
import { chartAnchor } from '../../metrics/chart-anchor.ts';
import { COMMON_FILTERS } from '../filter/common-filters.ts';
import { joinFilters } from '../filter/join-filters.ts';

/** What some rows come to. */
export interface Totals {
  readonly count: number;
  /** Rows with a failed span. */
  readonly errorCount: number;
  /** Null where nothing ended. */
  readonly latencyMsP50: number | null;
  readonly latencyMsP95: number | null;
  readonly tokens: number;
  /** US dollars. */
  readonly cost: number;
  /** Of the rows that were counted, the newest; 1: all of them. */
  readonly share: number;
}

/** Where a figure leads: to other rows of the table or another order of them, or to a chart of the metrics page. */
export type FigureTarget =
  | {
      readonly kind: 'rows';
      readonly filter: string | null;
      readonly sort?: string;
      /** Where the page has none of its own. */
      readonly table?: 'traces';
    }
  | { readonly kind: 'charts'; readonly filter: string | null; readonly anchor?: string };

/** A figure as it is written. */
export interface Figure {
  readonly id: 'errors' | 'p50' | 'p95' | 'tokens' | 'cost';
  readonly value: string;
  /** Stands before the value. */
  readonly before?: string;
  /** Stands after it. */
  readonly after?: string;
  /** Exactly, and where it leads. */
  readonly title: string;
  /** Absent where nothing would explain it. */
  readonly target?: FigureTarget;
}

/** What the rows are, and what already narrows them. */
export interface Shown {
  readonly grain: FilterGrain;
  readonly noun: string;
  /** As the address has it; null: none. */
  readonly filter: string | null;
  /** The same with what else narrows spans: a filter for charts. */
  readonly chartFilter: string | null;
}

/** The field of each grain that its latencies are. */
const LATENCY: Readonly<Record<FilterGrain, string>> = {
  span: 'latency_ms',
  trace: 'latency_ms',
  session: 'duration_ms',
};

/** All but the number of rows, in their order. */
export function listFigures(totals: Totals, shown: Shown): readonly Figure[] {
  const { grain, noun, filter, chartFilter } = shown;
  const { count, errorCount, latencyMsP50: p50, latencyMsP95: p95, tokens, cost } = totals;
  const [errors] = COMMON_FILTERS[grain];
  const narrow = (more: string, sort?: string): FigureTarget => ({
    kind: 'rows',
    filter: joinFilters(filter, more, grain),
    ...(sort !== undefined && { sort }),
  });
  // Charts take filters of spans alone.
  const hasCharts = grain === 'span' || (grain === 'trace' && filter === null);
  const chart = (title: string): FigureTarget => ({ kind: 'charts', filter: chartFilter, anchor: chartAnchor(title) });
  const sort = (column: string): FigureTarget => ({ kind: 'rows', filter, sort: `${column}:desc` });
  const slowest = grain === 'session' ? undefined : 'latency:desc';
  return [
    {
      id: 'errors',
      value: formatShare(errorCount / count),
      after: 'errors',
      title: `${formatExact(errorCount)} of ${formatExact(count)} ${noun} failed`,
      ...(errorCount > 0 && errorCount < count && errors !== undefined && { target: narrow(errors.filter) }),
    },
    {
      id: 'p50',
      before: 'p50',
      value: formatDuration(p50),
      title: `Half of the ${noun} took at most ${formatDuration(p50)}`,
      ...(p50 !== null && {
        target:
          grain === 'trace' && hasCharts
            ? chart('Trace latency')
            : slowest === undefined
              ? narrow(`${LATENCY[grain]} >= ${floorToThree(p50)}`)
              : sort('latency'),
      }),
    },
    {
      id: 'p95',
      before: 'p95',
      value: formatDuration(p95),
      title: `95 % of the ${noun} took at most ${formatDuration(p95)}`,
      ...(p95 !== null && p95 > 0 && { target: narrow(`${LATENCY[grain]} >= ${floorToThree(p95)}`, slowest) }),
    },
    {
      id: 'tokens',
      value: formatTokens(tokens),
      after: 'tokens',
      title: `${formatExact(tokens)} tokens`,
      ...(tokens > 0 && { target: hasCharts ? chart('Tokens') : sort('tokens') }),
    },
    {
      id: 'cost',
      value: formatUsd(cost),
      after: 'cost',
      title: `${formatUsd(cost)} for ${formatExact(count)} ${nounOf(count, noun)}`,
      ...(cost > 0 && { target: sort('cost') }),
    },
  ];
}

/** The same on the metrics page, where each leads to its chart. */
export function listChartFigures(totals: Totals, shown: Shown): readonly Figure[] {
  const anchors = {
    errors: 'Traces by status',
    p50: 'Trace latency',
    p95: 'Trace latency',
    tokens: 'Tokens',
    cost: 'Cost',
  };
  return listFigures(totals, shown).map((figure) => ({
    ...figure,
    target: { kind: 'charts', filter: shown.chartFilter, anchor: chartAnchor(anchors[figure.id]) },
  }));
}

/** Where the number of rows leads; undefined where nothing shows more of it. */
export function countTarget({ grain, filter, chartFilter }: Shown): FigureTarget | undefined {
  if (grain === 'span') return { kind: 'charts', filter: chartFilter };
  return grain === 'trace' && filter === null
    ? { kind: 'charts', filter: null, anchor: chartAnchor('Traces by status') }
    : undefined;
}

/** What a figure does when it is pressed, after its title. */
export function describeTarget({ id }: Pick<Figure, 'id'>, target: FigureTarget, noun: string): string {
  if (target.kind === 'charts') return 'Show the chart';
  switch (id) {
    case 'errors':
      return 'Show only these';
    case 'p50':
      return target.sort === undefined ? 'Show those that took longer' : 'Sort by latency';
    case 'p95':
      return `Show the slowest ${noun}`;
    case 'tokens':
      return 'Sort by tokens';
    case 'cost':
      return 'Sort by cost';
    default:
      return id satisfies never;
  }
}

/** The number of rows: `1,234`, from a million on `1.2M`; with a plus where it is at least so many. */
export function formatRowCount({ count, share }: Pick<Totals, 'count' | 'share'>): string {
  return `${count < 1_000_000 ? formatExact(count) : formatCount(count)}${share < 1 ? '+' : ''}`;
}

/** Says of how much the figures are; undefined: of everything. */
export function describeShare(share: number): string | undefined {
  return share < 1 ? `of the newest ${Math.max(1, Math.floor(share * 100))} %` : undefined;
}

/** Three figures, not more than the number itself, so that at least what is meant is found. */
function floorToThree(value: number): string {
  if (value <= 0) return '0';
  const unit = 10 ** (Math.floor(Math.log10(value)) - 2);
  // Without the noise of binary fractions.
  return String(Number((Math.floor(value / unit) * unit).toPrecision(3)));
}
