import { Suspense } from 'react';
import { graphql } from 'react-relay';
import type { spanLogRecordsQuery } from '#ui/__generated__/spanLogRecordsQuery.graphql.ts';
import { EmptyState } from '#ui/components/empty-state.tsx';
import { ErrorBoundary } from '#ui/components/error-boundary.tsx';
import { Card } from '#ui/components/panel.tsx';
import { Skeleton } from '#ui/components/skeleton.tsx';
import { useQuery } from '#ui/lib/use-query.ts';
import { LogRecordList } from './log-record-list.tsx';

const QUERY = graphql`
  query spanLogRecordsQuery($id: ID!) {
    span: node(id: $id) {
      ... on Span {
        logRecords(first: 100) {
          edges {
            node {
              id
            }
          }
          pageInfo {
            hasNextPage
          }
          ...logRecordList_records
        }
      }
    }
  }
`;

/** See {@link SpanLogRecords}. */
export interface SpanLogRecordsProps {
  /** Global node id. */
  readonly spanNodeId: string;
  /** Whether the span has events of its own. */
  readonly hasEvents: boolean;
  /** Read again when this changes. */
  readonly revision: string;
}

/** The log records that belong to a span, where there are any. */
export function SpanLogRecords(props: SpanLogRecordsProps) {
  return (
    <ErrorBoundary fallbackTitle="The log records could not be shown" resetKey={props.spanNodeId}>
      <Suspense fallback={<Skeleton lines={2} />}>
        <Loaded {...props} />
      </Suspense>
    </ErrorBoundary>
  );
}

function Loaded({ spanNodeId, hasEvents, revision }: SpanLogRecordsProps) {
  const { span } = useQuery<spanLogRecordsQuery>(
    QUERY,
    { id: spanNodeId },
    { version: revision, fetchPolicy: 'store-and-network' },
  );
  const records = span.logRecords;
  if (records == null || records.edges.length === 0) {
    return hasEvents ? null : <EmptyState title="No events">This span was sent without events.</EmptyState>;
  }
  return (
    <Card title={`Log records (${records.edges.length}${records.pageInfo.hasNextPage ? '+' : ''})`}>
      <LogRecordList records={records} />
    </Card>
  );
}
