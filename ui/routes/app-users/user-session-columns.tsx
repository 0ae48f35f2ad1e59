import { Link } from '@tanstack/react-router';
import { Count } from '#ui/components/count.tsx';
import type { Sort, TableColumn } from '#ui/components/data-table/table-column.ts';
import { Name } from '#ui/components/name.tsx';
import { StatusMark } from '#ui/components/status-mark.tsx';
import { Timestamp } from '#ui/components/timestamp.tsx';
import { formatExact, formatTokens, formatUsdBriefly, nounOf } from '#ui/lib/format.ts';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { IoCell, LatencyCell, RowCard } from '../project/cells.tsx';
import styles from '../project/cells.module.css';
import { CostSumCell, ErrorRateCell, TokenSumCell } from '../project/figure-cells.tsx';
import type { IoBeginning } from '../project/preview.ts';
import { keepTime } from '../project/project-pages.ts';

/** The traces of a user in one session, in none, or in all sessions that are not named. */
export interface SessionOfUser {
  readonly id: string;
  readonly projectId: string;
  /** Stands for so many further sessions. */
  readonly otherCount: number | null;
  /** That its traces match; null for the rest. */
  readonly filter: string | null;
  readonly session: {
    readonly id: string;
    readonly sessionId: string;
    readonly firstInput: IoBeginning | null | undefined;
    readonly lastOutput: IoBeginning | null | undefined;
  } | null;
  readonly count: number;
  readonly errorRate: number;
  readonly latencyMsP95: number | null;
  readonly tokenCountTotal: number;
  readonly costTotal: number;
  readonly lastStartTime: string;
}

const NUMBER = { size: 92, align: 'end', isSortable: true } as const;

/** The columns of the table of a user's sessions. */
export const USER_SESSION_COLUMNS: readonly TableColumn<SessionOfUser>[] = [
  {
    id: 'session',
    header: 'Session',
    size: 180,
    canHide: false,
    render: (row) => <SessionName row={row} />,
  },
  {
    id: 'firstInput',
    header: 'First input',
    size: 210,
    grows: true,
    render: ({ session }) => <IoCell value={session?.firstInput} />,
  },
  {
    id: 'lastOutput',
    header: 'Last output',
    size: 210,
    grows: true,
    render: ({ session }) => <IoCell value={session?.lastOutput} />,
  },
  {
    id: 'last',
    header: 'Last trace',
    size: 112,
    isSortable: true,
    render: ({ lastStartTime }) => <Timestamp value={lastStartTime} />,
  },
  { ...NUMBER, id: 'traces', header: 'Traces', render: ({ count }) => <Count value={count} /> },
  {
    ...NUMBER,
    id: 'errors',
    header: 'Error rate',
    description: 'Share of the user’s traces with an error',
    render: ({ errorRate, count }) => <ErrorRateCell rate={errorRate} count={count} />,
  },
  {
    ...NUMBER,
    id: 'p95',
    header: 'P95',
    description: '95 % of the user’s traces are faster',
    size: 112,
    render: ({ latencyMsP95 }) => <LatencyCell ms={latencyMsP95} />,
  },
  {
    ...NUMBER,
    id: 'tokens',
    header: 'Tokens',
    render: ({ tokenCountTotal }) => <TokenSumCell tokens={tokenCountTotal} />,
  },
  { ...NUMBER, id: 'cost', header: 'Cost', render: ({ costTotal }) => <CostSumCell cost={costTotal} /> },
];

/** The columns by which the sessions can be ordered. */
export const SORTABLE = USER_SESSION_COLUMNS.filter(({ isSortable }) => isSortable).map(({ id }) => id);

/** The order until another one is chosen. */
export const LATEST_FIRST: Sort = { column: 'last', direction: 'desc' };

/** A session where there is no room for columns. */
export function renderSessionCard(row: SessionOfUser) {
  return (
    <RowCard
      mark={row.errorRate > 0 && <StatusMark status="ERROR" />}
      name={<SessionName row={row} />}
      time={<Timestamp value={row.lastStartTime} />}
      text={row.session?.firstInput}
      facts={
        <>
          <span>
            {formatExact(row.count)} {nounOf(row.count, 'traces')}
          </span>
          {row.tokenCountTotal > 0 && <span>{formatTokens(row.tokenCountTotal)} tokens</span>}
          {row.costTotal > 0 && <span>{formatUsdBriefly(row.costTotal)}</span>}
        </>
      }
    />
  );
}

function SessionName({ row: { session, otherCount, projectId } }: { readonly row: SessionOfUser }) {
  if (otherCount !== null) {
    return (
      <span className={styles.faint}>
        {formatExact(otherCount)} further {nounOf(otherCount, 'sessions')}
      </span>
    );
  }
  if (session === null) return <span className={styles.faint}>Without a session</span>;
  return (
    <Link
      to="/projects/$projectId/sessions/$sessionId"
      params={{ projectId, sessionId: session.id }}
      search={(search) => ({ ...keepTime(search), view: 'full' as const })}
      tabIndex={-1}
      className={styles.nameLink}
      title={revealHidden(session.sessionId)}
    >
      <Name>{session.sessionId}</Name>
    </Link>
  );
}
