import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { sessionsTableRow_session$data } from '#ui/__generated__/sessionsTableRow_session.graphql.ts';
import { Count } from '#ui/components/count.tsx';
import type { TableColumn } from '#ui/components/data-table/table-column.ts';
import { Duration } from '#ui/components/duration.tsx';
import { Name } from '#ui/components/name.tsx';
import { StatusMark } from '#ui/components/status-mark.tsx';
import { Timestamp } from '#ui/components/timestamp.tsx';
import { formatExact, formatTokens } from '#ui/lib/format.ts';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { type Said, useColumnsWithAnnotations } from './annotation-columns.tsx';
import { NOTE } from './annotation-ids.ts';
import { CostCell, IoCell, LatencyCell, Missing, RowCard, TokensCell } from './cells.tsx';
import { UserLink } from './cell-links.tsx';
import styles from './cells.module.css';

type Session = sessionsTableRow_session$data;

/** The columns of the table of sessions. */
export const SESSION_COLUMNS: readonly TableColumn<Session>[] = [
  {
    id: 'sessionId',
    header: 'Session',
    size: 150,
    shrinksTo: 120,
    canHide: false,
    render: (session) => <SessionName session={session} />,
  },
  {
    id: 'firstInput',
    header: 'First input',
    size: 210,
    shrinksTo: 82,
    grows: true,
    render: ({ firstInput }) => <IoCell value={firstInput} />,
  },
  {
    id: 'lastOutput',
    header: 'Last output',
    size: 210,
    shrinksTo: 82,
    grows: true,
    render: ({ lastOutput }) => <IoCell value={lastOutput} />,
  },
  {
    id: 'user',
    header: 'User',
    size: 104,
    shrinksTo: 80,
    render: ({ userId, project }) => <UserLink userId={userId} projectId={project.id} isCell />,
  },
  {
    id: 'start',
    header: 'Start',
    size: 136,
    shrinksTo: 128,
    isSortable: true,
    render: ({ startTime }) => <Timestamp value={startTime} style="time" />,
  },
  {
    id: 'end',
    header: 'End',
    size: 136,
    isHiddenAtFirst: true,
    isSortable: true,
    render: ({ endTime }) => <Timestamp value={endTime} style="time" />,
  },
  {
    id: 'duration',
    header: 'Duration',
    description: 'From the start of the first trace to the end of the last one',
    size: 104,
    shrinksTo: 84,
    align: 'end',
    render: (session) => <LatencyCell ms={durationOf(session)} />,
  },
  {
    id: 'traces',
    header: 'Traces',
    size: 80,
    shrinksTo: 72,
    align: 'end',
    isSortable: true,
    render: ({ numTraces }) => <Count value={numTraces} />,
  },
  {
    id: 'errors',
    header: 'With errors',
    size: 88,
    shrinksTo: 76,
    align: 'end',
    render: (session) => <Errors session={session} />,
  },
  {
    id: 'tokens',
    header: 'Tokens',
    size: 84,
    shrinksTo: 76,
    align: 'end',
    isSortable: true,
    render: ({ tokenUsage }) => <TokensCell {...tokenUsage} />,
  },
  {
    id: 'cost',
    header: 'Cost',
    size: 88,
    shrinksTo: 84,
    align: 'end',
    isSortable: true,
    render: ({ costSummary }) => <CostCell summary={costSummary} />,
  },
];

/** These columns, and those for annotations, with what they need of rows. */
export function useSessionColumns(projectId: string) {
  const all = useColumnsWithAnnotations(projectId, 'sessions', SESSION_COLUMNS, 'cost', saidOf);
  return useMemo(() => {
    const { columns, annotated, noted } = all;
    return { columns, asked: { annotated, noted } };
  }, [all]);
}

function saidOf({ sessionAnnotationSummaries, sessionAnnotations }: Session): Said {
  return {
    summaries: sessionAnnotationSummaries,
    notes: sessionAnnotations?.filter(({ name }) => name === NOTE),
  };
}

/** What a session is called. */
export function nameOfSession({ sessionId }: Session): string {
  return revealHidden(sessionId);
}

/** A session where there is no room for columns. */
export function renderSessionCard(session: Session) {
  return (
    <RowCard
      mark={session.numTracesWithError > 0 && <StatusMark status="ERROR" />}
      name={<SessionName session={session} />}
      time={<Timestamp value={session.endTime} />}
      text={session.firstInput}
      facts={
        <>
          <span>{session.numTraces === 1 ? '1 trace' : `${formatExact(session.numTraces)} traces`}</span>
          <Duration ms={durationOf(session)} />
          {session.tokenUsage.total > 0 && <span>{formatTokens(session.tokenUsage.total)} tokens</span>}
          {session.userId != null && (
            <span>
              <Name>{session.userId}</Name>
            </span>
          )}
        </>
      }
    />
  );
}

/** Milliseconds from the beginning of a session to its end. */
export function durationOf(session: { readonly startTime: string; readonly endTime: string }): number {
  return Math.max(0, Date.parse(session.endTime) - Date.parse(session.startTime));
}

function SessionName({ session }: { readonly session: Session }) {
  return (
    <Link
      to="/projects/$projectId/sessions/$sessionId"
      params={{ projectId: session.project.id, sessionId: session.id }}
      search={({ range, start, end, sort, filter, saved }) => ({ range, start, end, sort, filter, saved })}
      tabIndex={-1}
      className={styles.nameLink}
      title={revealHidden(session.sessionId)}
    >
      <Name>{session.sessionId}</Name>
    </Link>
  );
}

function Errors({ session: { numTracesWithError } }: { readonly session: Session }) {
  if (numTracesWithError === 0) return <Missing />;
  return (
    <span className={styles.status}>
      <StatusMark status="ERROR" />
      <span className={styles.errors}>{formatExact(numTracesWithError)}</span>
    </span>
  );
}
