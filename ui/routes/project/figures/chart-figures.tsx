import { formatExact, nounOf } from '#ui/lib/format.ts';
import { chartAnchor } from '../../metrics/chart-anchor.ts';
import type { ListScope } from '../list-scope.ts';
import { FigureLine, FigureLink } from './figure-line.tsx';
import { formatRowCount, listChartFigures } from './figures.ts';
import { useChartTotals } from './use-totals.ts';

/** One line above the charts: what each of them comes to over the whole time. */
export function ChartFigures({ scope }: { readonly scope: ListScope }) {
  const { data, isLoading, error, ask } = useChartTotals(scope);
  const shown = { grain: 'trace', noun: 'traces', filter: scope.filter, chartFilter: scope.filter } as const;
  return (
    <FigureLine
      label="Figures of the charts"
      noun="traces"
      count={
        data !== undefined && (
          <FigureLink
            value={formatRowCount(data)}
            after={nounOf(data.count, 'traces')}
            title={`${formatExact(data.count)} ${nounOf(data.count, 'traces')}`}
            action="Show the chart"
            target={{ kind: 'charts', filter: scope.filter, anchor: chartAnchor('Traces by status') }}
          />
        )
      }
      figures={data && listChartFigures(data, shown)}
      totals={data}
      isLoading={isLoading}
      error={error}
      onRetry={ask}
    />
  );
}
