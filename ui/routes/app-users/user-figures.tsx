import { formatExact, nounOf } from '#ui/lib/format.ts';
import type { Answer } from '#ui/lib/use-answer.ts';
import { type FigureTarget, formatRowCount, listFigures, type Totals } from '../project/figures/figures.ts';
import { FigureLine, FigureLink } from '../project/figures/figure-line.tsx';
import type { ListScope } from '../project/list-scope.ts';

/** What the user's traces come to. Each figure leads to the traces that explain it. */
export function UserFigures({ scope, totals }: { readonly scope: ListScope; readonly totals: Answer<Totals> }) {
  const { data, isLoading, error, ask } = totals;
  const shown = { grain: 'trace', noun: 'traces', filter: scope.filter, chartFilter: null } as const;
  return (
    <FigureLine
      label="Figures of the user"
      noun="traces"
      count={
        data !== undefined && (
          <FigureLink
            value={formatRowCount(data)}
            after={nounOf(data.count, 'traces')}
            title={`${formatExact(data.count)} ${nounOf(data.count, 'traces')}`}
            action="Show the traces"
            target={{ kind: 'rows', filter: scope.filter, table: 'traces' }}
          />
        )
      }
      figures={data && listFigures(data, shown).map((figure) => ({ ...figure, ...inTraces(figure.target) }))}
      totals={data}
      isLoading={isLoading}
      error={error}
      onRetry={ask}
    />
  );
}

function inTraces(target: FigureTarget | undefined): { readonly target?: FigureTarget } {
  return target?.kind === 'rows' ? { target: { ...target, table: 'traces' } } : {};
}
