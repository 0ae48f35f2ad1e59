import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { spansTableRow_span$data } from '#ui/__generated__/spansTableRow_span.graphql.ts';
import type { TableColumn } from '#ui/components/data-table/table-column.ts';
import { Duration } from '#ui/components/duration.tsx';
import { KindBadge, KindIcon } from '#ui/components/kind-icon.tsx';
import { Name } from '#ui/components/name.tsx';
import { type Status, StatusMark } from '#ui/components/status-mark.tsx';
import { Timestamp } from '#ui/components/timestamp.tsx';
import { formatTokens } from '#ui/lib/format.ts';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { type Said, useColumnsWithAnnotations } from './annotation-columns.tsx';
import { useColumnsWithAttributes } from './attribute-columns.tsx';
import { CostCell, FirstTokenCell, IdCell, IoCell, LatencyCell, RowCard, TextCell, TokensCell } from './cells.tsx';
import { SessionLink, UserLink } from './cell-links.tsx';
import styles from './cells.module.css';

type Span = spansTableRow_span$data;

/** The columns of the table of spans. */
export const SPAN_COLUMNS: readonly TableColumn<Span>[] = [
  {
    id: 'status',
    header: 'Status',
    size: 60,
    shrinksTo: 52,
    canHide: false,
    render: (span) => (
      <span className={styles.status} data-has-text={span.statusCode === 'ERROR' || undefined}>
        <StatusMark status={statusOf(span)} isQuiet />
      </span>
    ),
  },
  {
    id: 'kind',
    header: 'Kind',
    size: 112,
    shrinksTo: 100,
    canHide: false,
    render: ({ spanKind }) => <KindBadge kind={spanKind} />,
  },
  { id: 'name', header: 'Name', size: 150, shrinksTo: 112, canHide: false, render: (span) => <SpanName span={span} /> },
  {
    id: 'input',
    header: 'Input',
    size: 136,
    shrinksTo: 76,
    grows: true,
    render: ({ input }) => <IoCell value={input} />,
  },
  {
    id: 'output',
    header: 'Output',
    size: 136,
    shrinksTo: 76,
    grows: true,
    render: ({ output }) => <IoCell value={output} />,
  },
  {
    id: 'model',
    header: 'Model',
    size: 110,
    shrinksTo: 92,
    render: ({ modelName }) => <TextCell>{modelName}</TextCell>,
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
    render: (span) => <LatencyCell ms={span.latencyMs} isOpen={statusOf(span) === 'OPEN'} />,
  },
  {
    id: 'tokens',
    header: 'Tokens',
    size: 80,
    shrinksTo: 76,
    align: 'end',
    isSortable: true,
    render: (span) => (
      <TokensCell total={span.tokenCountTotal} prompt={span.tokenCountPrompt} completion={span.tokenCountCompletion} />
    ),
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
  {
    id: 'firstToken',
    header: 'First token',
    description: 'Time until the model began to answer, if it is reported',
    size: 96,
    align: 'end',
    isHiddenAtFirst: true,
    render: ({ timeToFirstTokenMs }) => <FirstTokenCell ms={timeToFirstTokenMs} />,
  },
  {
    id: 'session',
    header: 'Session',
    size: 104,
    isHiddenAtFirst: true,
    render: ({ sessionId, trace, project }) => (
      <SessionLink name={sessionId} nodeId={trace.projectSessionId} projectId={project.id} />
    ),
  },
  {
    id: 'user',
    header: 'User',
    size: 100,
    shrinksTo: 88,
    render: ({ userId, project }) => <UserLink userId={userId} projectId={project.id} isCell />,
  },
  {
    id: 'traceId',
    header: 'Trace id',
    size: 92,
    isHiddenAtFirst: true,
    render: ({ context }) => <IdCell id={context.traceId} />,
  },
  {
    id: 'spanId',
    header: 'Span id',
    size: 92,
    isHiddenAtFirst: true,
    render: ({ context }) => <IdCell id={context.spanId} />,
  },
];

/** What a span is called. */
export function nameOfSpan({ name, context }: Span): string {
  return revealHidden(name || `span ${context.spanId}`);
}

/** These columns, and those for annotations and attributes, with what they need of rows. */
export function useSpanColumns(projectId: string) {
  const {
    columns: own,
    annotated,
    noted,
  } = useColumnsWithAnnotations(projectId, 'spans', SPAN_COLUMNS, 'cost', saidOf);
  const { columns, paths } = useColumnsWithAttributes(projectId, 'spans', own, textsOf);
  return useMemo(() => ({ columns, asked: { paths, annotated, noted } }), [columns, paths, annotated, noted]);
}

function saidOf({ spanAnnotationSummaries, spanNotes }: Span): Said {
  return { summaries: spanAnnotationSummaries, notes: spanNotes };
}

function textsOf({ attributeTexts }: Span) {
  return attributeTexts ?? [];
}

/** A span where there is no room for columns. */
export function renderSpanCard(span: Span) {
  return (
    <RowCard
      mark={<StatusMark status={statusOf(span)} isQuiet />}
      name={
        <>
          <KindIcon kind={span.spanKind} />
          <SpanName span={span} />
        </>
      }
      time={<Timestamp value={span.startTime} />}
      text={span.input}
      facts={
        <>
          <Duration ms={span.latencyMs} />
          {(span.tokenCountTotal ?? 0) > 0 && <span>{formatTokens(span.tokenCountTotal)} tokens</span>}
          {span.modelName != null && (
            <span>
              <Name>{span.modelName}</Name>
            </span>
          )}
        </>
      }
    />
  );
}

function SpanName({ span }: { readonly span: Span }) {
  return (
    <Link
      to="/projects/$projectId/spans/$traceId"
      params={{ projectId: span.project.id, traceId: span.context.traceId }}
      search={({ range, start, end, sort, spans, filter, saved }) => ({
        range,
        start,
        end,
        sort,
        spans,
        filter,
        saved,
        selectedSpanNodeId: span.id,
      })}
      tabIndex={-1}
      className={styles.nameLink}
      title={revealHidden(span.name)}
    >
      {span.name === '' ? 'Unnamed' : <Name>{span.name}</Name>}
    </Link>
  );
}

function statusOf({ statusCode, endTime }: Span): Status {
  return endTime == null && statusCode !== 'ERROR' ? 'OPEN' : statusCode;
}
