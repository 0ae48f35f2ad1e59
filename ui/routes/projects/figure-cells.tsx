import { formatExact, formatShare, formatUsd, formatUsdBriefly } from '#ui/lib/format.ts';
import type { ProjectFigures } from './project-figures.ts';
import styles from './projects-page.module.css';

/** The share of traces with an error, marked where there are any; how many they are in its title. */
export function ErrorFigure({ count, errorCount }: Pick<ProjectFigures, 'count' | 'errorCount'>) {
  return (
    <span
      className={styles.errors}
      data-any={errorCount > 0 || undefined}
      title={`${formatExact(errorCount)} of ${formatExact(count)} traces with errors`}
    >
      {formatShare(errorCount / count)}
    </span>
  );
}

/** What the traces cost; exactly in its title. */
export function CostFigure({ count, cost }: Pick<ProjectFigures, 'count' | 'cost'>) {
  return <span title={formatUsd(cost)}>{count === 0 ? '–' : formatUsdBriefly(cost)}</span>;
}
