import { TriangleAlert } from 'lucide-react';
import { type CSSProperties } from 'react';
import { graphql } from 'react-relay';
import type { spaceUseQuery, StoragePart } from '#ui/__generated__/spaceUseQuery.graphql.ts';
import { Badge } from '#ui/components/badge.tsx';
import { Skeleton } from '#ui/components/skeleton.tsx';
import { describeError } from '#ui/lib/describe-error.ts';
import { formatBytes, formatExact, formatShare } from '#ui/lib/format.ts';
import { useAnswer } from '#ui/lib/use-answer.ts';
import settingsStyles from '../settings.module.css';
import styles from './data-page.module.css';

const QUERY = graphql`
  query spaceUseQuery {
    storageUse {
      freeBytes
      parts {
        part
        numBytes
      }
    }
    dbTableStats {
      numBytes
    }
    dbStorageCapacityBytes
    dbStorageBlockAboveBytes
  }
`;

const NAMES: Readonly<Record<string, string>> = {
  SPANS: 'Spans and traces',
  ORIGINALS: 'Originals as sent',
  COLUMNS: 'Columns for charts',
  SEARCH: 'Search index',
  INDEXES: 'Indexes',
  RECORDS: 'Everything else',
} satisfies Record<Exclude<StoragePart, '%future added value'>, string>;

/** From this share of the threshold on, it is time to think of room. */
const NEAR = 0.8;

/** What takes space on disk, and how much there may be. */
export function SpaceUse() {
  const { data, error } = useAnswer<spaceUseQuery>(QUERY, {}, null);
  return (
    <section aria-label="Space on disk">
      <h3 className={styles.heading}>Space on disk</h3>
      {error !== undefined && <p className={settingsStyles.muted}>It could not be measured. {describeError(error)}</p>}
      {data === undefined && error === undefined && <Skeleton lines={2} />}
      {data !== undefined && <Use data={data} />}
    </section>
  );
}

function Use({ data }: { readonly data: spaceUseQuery['response'] }) {
  const { storageUse, dbTableStats, dbStorageCapacityBytes: capacity, dbStorageBlockAboveBytes: limit } = data;
  const used = dbTableStats.reduce((sum, { numBytes }) => sum + numBytes, 0);
  const parts = (storageUse.parts ?? []).filter(({ numBytes }) => numBytes > 0);
  const free = storageUse.freeBytes ?? 0;
  const sum = parts.reduce((all, { numBytes }) => all + numBytes, 0);
  // A file that grows into space of its own, or into what it was given.
  const whole = Math.max(sum, capacity ?? 0, 1);
  return (
    <div className={styles.space}>
      <p className={styles.total}>
        <strong title={`${formatExact(used)} bytes`}>{formatBytes(used)}</strong> used
        {capacity != null && ` of ${formatBytes(capacity)}`}
        {free > 0 && `, ${formatBytes(free)} free inside the data file for new data`}
        {limit != null && <Room used={used} limit={limit} />}
      </p>
      {parts.length > 0 && (
        <>
          <div className={styles.spaceBar} aria-hidden>
            {parts.map(({ part, numBytes }) => (
              <span key={part} data-part={part} style={{ '--share': numBytes / whole } as CSSProperties} />
            ))}
          </div>
          <ul className={styles.parts}>
            {parts.map(({ part, numBytes }) => (
              <li key={part} data-part={part}>
                <span>{NAMES[part] ?? part}</span>
                <span className={styles.bytes} title={`${formatExact(numBytes)} bytes`}>
                  {formatBytes(numBytes)}
                </span>
                <span className={settingsStyles.muted}>{formatShare(numBytes / sum)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

/** How near the threshold is above which the server refuses new data. */
function Room({ used, limit }: { readonly used: number; readonly limit: number }) {
  if (used > limit) {
    return (
      <Badge tone="danger" icon={TriangleAlert}>
        New data is refused above {formatBytes(limit)}
      </Badge>
    );
  }
  if (used > limit * NEAR) {
    return (
      <Badge tone="warning" icon={TriangleAlert}>
        {formatBytes(limit - used)} left until new data is refused
      </Badge>
    );
  }
  return <span>. New data is refused above {formatBytes(limit)}.</span>;
}
