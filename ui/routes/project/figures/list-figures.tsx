import { formatExact, nounOf } from '#ui/lib/format.ts';
import { MatchCount } from '../filter/match-count.tsx';
import type { ListScope } from '../list-scope.ts';
import { countTarget, formatRowCount, listFigures } from './figures.ts';
import { FigureLine, FigureLink } from './figure-line.tsx';
import { useTotals } from './use-totals.ts';

interface ListFiguresProps {
  readonly scope: ListScope;
  readonly noun: string;
  /** As the address has it. */
  readonly filter: string | null;
}

/** One line above a table: how many rows it has, and what they come to. */
export function ListFigures({ scope, noun, filter }: ListFiguresProps) {
  const { data, isLoading, error, ask } = useTotals(scope);
  const shown = { grain: scope.grain, noun, filter, chartFilter: scope.filter };
  const isWhole = data !== undefined && data.share === 1 && !isLoading;
  const count =
    scope.filter !== null ? (
      // What is known first: it counts as far as it comes at once.
      <MatchCount scope={scope} noun={noun} isShort={false} exact={isWhole ? data.count : undefined} />
    ) : (
      data !== undefined && (
        <FigureLink
          value={formatRowCount(data)}
          after={nounOf(data.count, noun)}
          title={`${formatExact(data.count)} ${nounOf(data.count, noun)}`}
          action="Show the charts"
          target={countTarget(shown)}
        />
      )
    );
  return (
    <FigureLine
      label={`Figures of the ${noun} shown`}
      noun={noun}
      count={count}
      figures={data && listFigures(data, shown)}
      totals={data}
      isLoading={isLoading}
      error={error}
      onRetry={ask}
    />
  );
}
