import { formatExact, nounOf } from '#ui/lib/format.ts';
import type { Answer } from '#ui/lib/use-answer.ts';
import {
  type Figure,
  type FigureTarget,
  formatRowCount,
  listFigures,
  type Totals,
} from '../project/figures/figures.ts';
import { FigureLine, FigureLink } from '../project/figures/figure-line.tsx';
import type { ListScope } from '../project/list-scope.ts';

/** What the user's traces come to. Each figure leads to the traces that explain it. */
export function UserFigures({ scope, totals }: { readonly scope: ListScope; readonly totals: Answer<Totals> }) {
  const { data, isLoading, error, ask } = totals;
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
      figures={data && listUserFigures(data, scope.filter)}
      totals={data}
      isLoading={isLoading}
      error={error}
      onRetry={ask}
    />
  );
}

/** What a user cost is asked first, and a phone shows the first figures alone. */
const ORDER: readonly Figure['id'][] = ['cost', 'tokens', 'errors', 'p50', 'p95'];

function listUserFigures(data: Totals, filter: string | null): readonly Figure[] {
  const found = listFigures(data, { grain: 'trace', noun: 'traces', filter, chartFilter: null });
  return found
    .toSorted((a, b) => ORDER.indexOf(a.id) - ORDER.indexOf(b.id))
    .map(({ target, ...figure }) => ({ ...figure, ...inTraces(target) }));
}

function inTraces(target: FigureTarget | undefined): { readonly target?: FigureTarget } {
  return target?.kind === 'rows' ? { target: { ...target, table: 'traces' } } : {};
}
