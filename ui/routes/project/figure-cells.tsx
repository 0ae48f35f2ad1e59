/** Figures of groups of rows in tables. */
import { StatusMark } from '#ui/components/status-mark.tsx';
import { formatExact, formatShare, formatTokens, formatUsd, formatUsdBriefly } from '#ui/lib/format.ts';
import { Missing } from './cells.tsx';
import styles from './cells.module.css';

/** The share of rows that failed, and in its title how many these are. */
export function ErrorRateCell({ rate, count }: { readonly rate: number; readonly count: number }) {
  if (rate === 0) return <Missing />;
  return (
    <span className={styles.status} title={`${formatExact(Math.round(rate * count))} failed`}>
      <StatusMark status="ERROR" />
      <span className={styles.errors}>{formatShare(rate)}</span>
    </span>
  );
}

/** Tokens of several rows. */
export function TokenSumCell({ tokens }: { readonly tokens: number }) {
  if (tokens === 0) return <Missing />;
  return (
    <span className={styles.number} title={formatExact(tokens)}>
      {formatTokens(tokens)}
    </span>
  );
}

/** What several rows cost. */
export function CostSumCell({ cost }: { readonly cost: number }) {
  if (cost === 0) return <Missing />;
  return (
    <span className={styles.number} title={formatUsd(cost)}>
      {formatUsdBriefly(cost)}
    </span>
  );
}
