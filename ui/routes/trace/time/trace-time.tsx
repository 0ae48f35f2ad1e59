import { useDeferredValue, useMemo } from 'react';
import { Duration } from '#ui/components/duration.tsx';
import { KindIcon } from '#ui/components/kind-icon.tsx';
import { Name } from '#ui/components/name.tsx';
import { formatExact } from '#ui/lib/format.ts';
import { listTimeShares, type TimeShare } from '../model/time-shares.ts';
import type { TraceTree } from '../use-trace-tree.ts';
import styles from './trace-time.module.css';

/** Names beyond these are together in the last row. */
const MAX_NAMES = 200;

/**
 * Where the time of a trace went, by the names of its spans. A row leads to the span of that name that took most. The
 * shares add up to the time in which anything ran.
 */
export function TraceTime({ tree, onOpen }: { readonly tree: TraceTree; readonly onOpen: () => void }) {
  const forest = useDeferredValue(tree.forest);
  const shares = useMemo(() => listTimeShares(forest), [forest]);
  const totalMs = shares.reduce((sum, { shareMs }) => sum + shareMs, 0);
  const select = ({ longest }: TimeShare) => {
    tree.select(longest);
    onOpen();
  };
  return (
    <div className={styles.scroller}>
      <table className={styles.table}>
        <caption className={styles.caption}>
          Where the time went. Spans that work at the same time share that time; a span that waits for another one does
          not work. The critical path is what the end of the trace waited for.
        </caption>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col" className={styles.figure}>
              Spans
            </th>
            <th scope="col" className={styles.figure}>
              Own time
            </th>
            <th scope="col" className={styles.share}>
              Share
            </th>
            <th scope="col" className={styles.figure}>
              Critical path
            </th>
          </tr>
        </thead>
        <tbody>
          {shares.slice(0, MAX_NAMES).map((share) => (
            <tr key={share.name}>
              <th scope="row">
                <button type="button" className={styles.name} onClick={() => select(share)}>
                  <KindIcon kind={share.longest.span?.kind ?? 'unknown'} />
                  <Name>{share.name}</Name>
                </button>
              </th>
              <td className={styles.figure}>{formatExact(share.spanCount)}</td>
              <td className={styles.figure}>
                <Duration ms={share.shareMs} />
              </td>
              <td className={styles.share}>
                <Share ratio={totalMs === 0 ? 0 : share.shareMs / totalMs} />
              </td>
              <td className={styles.figure}>{share.criticalMs === 0 ? '–' : <Duration ms={share.criticalMs} />}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">
              {shares.length > MAX_NAMES ? `All, with ${formatExact(shares.length - MAX_NAMES)} more names` : 'All'}
            </th>
            <td className={styles.figure}>{formatExact(shares.reduce((sum, { spanCount }) => sum + spanCount, 0))}</td>
            <td className={styles.figure}>
              <Duration ms={totalMs} />
            </td>
            <td>{totalMs === 0 ? '–' : '100 %'}</td>
            <td className={styles.figure}>
              <Duration ms={shares.reduce((sum, { criticalMs }) => sum + criticalMs, 0)} />
            </td>
          </tr>
        </tfoot>
      </table>
    </div>
  );
}

function Share({ ratio }: { readonly ratio: number }) {
  return (
    <span className={styles.bar}>
      <span className={styles.fill} style={{ inlineSize: `${ratio * 100}%` }} />
      <span className={styles.percent}>{(ratio * 100).toFixed(1)} %</span>
    </span>
  );
}
