import { Count } from '#ui/components/count.tsx';
import type { Sort, TableColumn } from '#ui/components/data-table/table-column.ts';
import { Timestamp } from '#ui/components/timestamp.tsx';
import { formatExact, formatShare, formatTokens, formatUsdBriefly, nounOf } from '#ui/lib/format.ts';
import { LatencyCell, Missing } from '../project/cells.tsx';
import { UserLink } from '../project/cell-links.tsx';
import styles from '../project/cells.module.css';
import { CostSumCell, ErrorRateCell, TokenSumCell } from '../project/figure-cells.tsx';

/** A user as the table shows it. */
export interface UserRow {
  /** The id that spans name. */
  readonly id: string;
  readonly projectId: string;
  readonly sessionCount: number;
  readonly traceCount: number;
  readonly errorRate: number;
  readonly latencyMsP50: number;
  readonly latencyMsP95: number;
  readonly tokenCountTotal: number;
  readonly costTotal: number;
  readonly firstStartTime: string;
  readonly lastStartTime: string;
}

const NUMBER = { size: 96, align: 'end', isSortable: true } as const;

/** The columns of the table of users. */
export const USER_COLUMNS: readonly TableColumn<UserRow>[] = [
  {
    id: 'user',
    header: 'User',
    size: 220,
    grows: true,
    canHide: false,
    render: ({ id, projectId }) => (
      <span className={styles.groupName}>
        <UserLink userId={id} projectId={projectId} isCell />
      </span>
    ),
  },
  {
    ...NUMBER,
    id: 'cost',
    header: 'Cost',
    description: 'Cost of model calls in the user’s traces',
    render: ({ costTotal }) => <CostSumCell cost={costTotal} />,
  },
  {
    ...NUMBER,
    id: 'tokens',
    header: 'Tokens',
    description: 'Tokens of model calls in the user’s traces',
    render: ({ tokenCountTotal }) => <TokenSumCell tokens={tokenCountTotal} />,
  },
  {
    ...NUMBER,
    id: 'sessions',
    header: 'Sessions',
    render: ({ sessionCount }) => (sessionCount === 0 ? <Missing /> : <Count value={sessionCount} />),
  },
  { ...NUMBER, id: 'traces', header: 'Traces', render: ({ traceCount }) => <Count value={traceCount} /> },
  {
    ...NUMBER,
    id: 'errors',
    header: 'Error rate',
    description: 'Share of traces with an error',
    render: ({ errorRate, traceCount }) => <ErrorRateCell rate={errorRate} count={traceCount} />,
  },
  {
    ...NUMBER,
    id: 'p50',
    header: 'P50',
    description: 'Half of the traces are faster',
    size: 136,
    isHiddenAtFirst: true,
    render: ({ latencyMsP50 }) => <LatencyCell ms={latencyMsP50} />,
  },
  {
    ...NUMBER,
    id: 'p95',
    header: 'P95',
    description: '95 % of the traces are faster',
    size: 136,
    render: ({ latencyMsP95 }) => <LatencyCell ms={latencyMsP95} />,
  },
  {
    id: 'first',
    header: 'First seen',
    description: 'Start of the oldest trace in the time range',
    size: 136,
    isSortable: true,
    render: ({ firstStartTime }) => <Timestamp value={firstStartTime} />,
  },
  {
    id: 'last',
    header: 'Last seen',
    description: 'Start of the newest trace in the time range',
    size: 136,
    isSortable: true,
    render: ({ lastStartTime }) => <Timestamp value={lastStartTime} />,
  },
];

/** The columns by which users can be ordered. */
export const SORTABLE = USER_COLUMNS.filter(({ isSortable }) => isSortable).map(({ id }) => id);

/** The order until another one is chosen. */
export const MOST_EXPENSIVE_FIRST: Sort = { column: 'cost', direction: 'desc' };

/** A user where there is no room for columns. */
export function renderUserCard(user: UserRow) {
  const { traceCount, sessionCount, errorRate, tokenCountTotal, costTotal } = user;
  return (
    <div className={styles.card}>
      <div className={styles.cardHead}>
        <span className={styles.cardName}>
          <UserLink userId={user.id} projectId={user.projectId} isCell />
        </span>
        <span className={styles.number}>{costTotal > 0 ? formatUsdBriefly(costTotal) : ''}</span>
      </div>
      <div className={styles.facts}>
        <span>
          {formatExact(traceCount)} {nounOf(traceCount, 'traces')}
        </span>
        {sessionCount > 0 && (
          <span>
            {formatExact(sessionCount)} {nounOf(sessionCount, 'sessions')}
          </span>
        )}
        {tokenCountTotal > 0 && <span>{formatTokens(tokenCountTotal)} tokens</span>}
        {errorRate > 0 && <span className={styles.errors}>{formatShare(errorRate)} failed</span>}
        <Timestamp value={user.lastStartTime} />
      </div>
    </div>
  );
}
