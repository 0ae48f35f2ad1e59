import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { tracesTableRow_trace$data } from '#ui/__generated__/tracesTableRow_trace.graphql.ts';
import { Count } from '#ui/components/count.tsx';
import type { TableColumn } from '#ui/components/data-table/table-column.ts';
import { Duration } from '#ui/components/duration.tsx';
import { describeKind, KindIcon } from '#ui/components/kind-icon.tsx';
import { Name } from '#ui/components/name.tsx';
import { StatusMark } from '#ui/components/status-mark.tsx';
import { Timestamp } from '#ui/components/timestamp.tsx';
import { formatExact, formatTokens } from '#ui/lib/format.ts';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { traceStatus } from '#ui/lib/trace-status.ts';
import { type Said, useColumnsWithAnnotations } from './annotation-columns.tsx';
import { useColumnsWithAttributes } from './attribute-columns.tsx';
import { CostCell, FirstTokenCell, IdCell, IoCell, LatencyCell, RowCard, TokensCell } from './cells.tsx';
import { SessionLink, UserLink } from './cell-links.tsx';
import styles from './cells.module.css';

type Trace = tracesTableRow_trace$data;

/** The columns of the table of traces. */
export const TRACE_COLUMNS: readonly TableColumn<Trace>[] = [
  {
    id: 'status',
    header: 'Status',
    size: 60,
    shrinksTo: 52,
    canHide: false,
    render: (trace) => <TraceStatus trace={trace} />,
  },
  {
    id: 'name',
    header: 'Name',
    size: 180,
    shrinksTo: 128,
    canHide: false,
    render: (trace) => <TraceName trace={trace} />,
  },
  {
    id: 'input',
    header: 'Input',
    size: 136,
    shrinksTo: 100,
    grows: true,
    render: ({ rootSpan }) => <IoCell value={rootSpan?.input} />,
  },
  {
    id: 'output',
    header: 'Output',
    size: 136,
    shrinksTo: 100,
    grows: true,
    render: ({ rootSpan }) => <IoCell value={rootSpan?.output} />,
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
    id: 'latency',
    header: 'Latency',
    size: 104,
    shrinksTo: 76,
    align: 'end',
    isSortable: true,
    render: (trace) => <LatencyCell ms={trace.latencyMs} isOpen={traceStatus(trace) === 'OPEN'} />,
  },
  {
    id: 'tokens',
    header: 'Tokens',
    description: 'Tokens of model calls, counted once',
    size: 80,
    shrinksTo: 76,
    align: 'end',
    isSortable: true,
    render: ({ tokenUsage }) => <TokensCell {...tokenUsage} />,
  },
  {
    id: 'cost',
    header: 'Cost',
    description: 'Cost of model calls, counted once',
    size: 88,
    shrinksTo: 84,
    align: 'end',
    isSortable: true,
    render: ({ costSummary }) => <CostCell summary={costSummary} />,
  },
  {
    id: 'spans',
    header: 'Spans',
    size: 64,
    shrinksTo: 56,
    align: 'end',
    render: (trace) => <SpanCount trace={trace} />,
  },
  {
    id: 'firstToken',
    header: 'First token',
    description: 'Time until the model of the root span began to answer, if it is reported',
    size: 96,
    align: 'end',
    isHiddenAtFirst: true,
    render: ({ rootSpan }) => <FirstTokenCell ms={rootSpan?.timeToFirstTokenMs} />,
  },
  {
    id: 'session',
    header: 'Session',
    size: 100,
    shrinksTo: 88,
    render: ({ session, projectId }) => (
      <SessionLink name={session?.sessionId} nodeId={session?.id} projectId={projectId} />
    ),
  },
  {
    id: 'user',
    header: 'User',
    size: 104,
    shrinksTo: 88,
    render: ({ userId, projectId }) => <UserLink userId={userId} projectId={projectId} isCell />,
  },
  {
    id: 'traceId',
    header: 'Trace id',
    size: 92,
    isHiddenAtFirst: true,
    render: ({ traceId }) => <IdCell id={traceId} />,
  },
];

/** What a trace is called. */
export function nameOfTrace({ rootSpan, traceId }: Trace): string {
  return revealHidden(rootSpan?.name || `trace ${traceId}`);
}

/** These columns, and those for annotations and for attributes of root spans, with what they need of rows. */
export function useTraceColumns(projectId: string) {
  const {
    columns: own,
    annotated,
    noted,
  } = useColumnsWithAnnotations(projectId, 'traces', TRACE_COLUMNS, 'cost', saidOf);
  const { columns, paths } = useColumnsWithAttributes(projectId, 'traces', own, textsOf);
  return useMemo(() => ({ columns, asked: { paths, annotated, noted } }), [columns, paths, annotated, noted]);
}

function saidOf({ traceAnnotationSummaries, notes }: Trace): Said {
  return { summaries: traceAnnotationSummaries, notes };
}

function textsOf({ rootSpan }: Trace) {
  return rootSpan?.attributeTexts ?? NO_TEXTS;
}

const NO_TEXTS: readonly string[] = [];

/** A trace where there is no room for columns. */
export function renderTraceCard(trace: Trace) {
  return (
    <RowCard
      mark={<TraceStatus trace={trace} />}
      name={<TraceName trace={trace} />}
      time={<Timestamp value={trace.startTime} />}
      text={trace.rootSpan?.input}
      facts={
        <>
          <Duration ms={trace.latencyMs} />
          {trace.tokenUsage.total > 0 && <span>{formatTokens(trace.tokenUsage.total)} tokens</span>}
          <span>{trace.numSpans === 1 ? '1 span' : `${formatExact(trace.numSpans)} spans`}</span>
        </>
      }
    />
  );
}

function TraceStatus({ trace }: { readonly trace: Trace }) {
  const mark = <StatusMark status={traceStatus(trace)} isQuiet />;
  if (trace.errorCount === 0) return mark;
  return (
    <span className={styles.status} data-has-text>
      {mark}
      <span className={styles.errors} title={`${formatExact(trace.errorCount)} failed spans`}>
        {formatTokens(trace.errorCount)}
      </span>
    </span>
  );
}

function TraceName({ trace }: { readonly trace: Trace }) {
  const { rootSpan, traceId } = trace;
  return (
    <>
      {rootSpan != null && <KindIcon kind={rootSpan.spanKind} />}
      <Link
        to="/projects/$projectId/traces/$traceId"
        params={{ projectId: trace.projectId, traceId }}
        search={({ range, start, end, sort, filter, saved }) => ({ range, start, end, sort, filter, saved })}
        tabIndex={-1}
        className={rootSpan == null ? `${styles.nameLink} ${styles.faint}` : styles.nameLink}
        title={rootSpan == null ? undefined : revealHidden(rootSpan.name)}
      >
        {rootSpan == null ? (
          'Root span not received yet'
        ) : rootSpan.name === '' ? (
          'Unnamed'
        ) : (
          <Name>{rootSpan.name}</Name>
        )}
      </Link>
    </>
  );
}

function SpanCount({ trace }: { readonly trace: Trace }) {
  const kinds = trace.spanCountsByKind.map(
    ({ spanKind, count }) => `${formatExact(count)} ${describeKind(spanKind).label}`,
  );
  return (
    <span title={kinds.join(', ')}>
      <Count value={trace.numSpans} />
    </span>
  );
}
