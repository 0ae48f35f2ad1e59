import { formatDuration, formatExact, nounOf, formatUsd } from '#ui/lib/format.ts';
import { formatTimeRange } from '#ui/lib/time-range-text.ts';
import type { Bucket } from './buckets.ts';
import styles from './strip.module.css';

/** The same figures for users who do not see the picture; empty buckets are left out. */
export function StripTable(props: {
  readonly buckets: readonly Bucket[];
  readonly noun: string;
  readonly total: number;
  readonly zone: string;
}) {
  const { buckets, noun, total, zone } = props;
  return (
    <div className={styles.table}>
      <table>
        <caption>
          {formatExact(total)} {nounOf(total, noun)} over time
        </caption>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Number</th>
            <th scope="col">Failed</th>
            <th scope="col">95th percentile of latency</th>
            <th scope="col">Cost in US dollars</th>
          </tr>
        </thead>
        <tbody>
          {buckets
            .filter(({ totalCount }) => totalCount > 0)
            .map(({ startTime, endTime, totalCount, errorCount, latencyMsP95, cost }) => (
              <tr key={startTime}>
                <th scope="row">{formatTimeRange({ kind: 'between', start: startTime, end: endTime }, zone)}</th>
                <td>{totalCount}</td>
                <td>{errorCount}</td>
                <td>{formatDuration(latencyMsP95)}</td>
                <td>{formatUsd(cost)}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  );
}
