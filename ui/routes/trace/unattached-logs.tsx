import { Suspense, useState } from 'react';
import { graphql } from 'react-relay';
import type { unattachedLogsQuery } from '#ui/__generated__/unattachedLogsQuery.graphql.ts';
import { Button } from '#ui/components/button.tsx';
import { Dialog } from '#ui/components/dialog.tsx';
import { ErrorBoundary } from '#ui/components/error-boundary.tsx';
import { Skeleton } from '#ui/components/skeleton.tsx';
import { formatExact } from '#ui/lib/format.ts';
import { useQuery } from '#ui/lib/use-query.ts';
import { LogRecordList } from '#ui/routes/span/log-record-list.tsx';
import styles from './unattached-logs.module.css';

const QUERY = graphql`
  query unattachedLogsQuery($id: ID!, $first: Int!) {
    trace: node(id: $id) {
      ... on Trace {
        unattachedLogRecords(first: $first) {
          pageInfo {
            hasNextPage
          }
          ...logRecordList_records
        }
      }
    }
  }
`;

/** As many are counted; more are not told apart. */
const MAX_COUNTED = 1000;
const FIRST = 50;
const STEP = 100;

/** See {@link UnattachedLogs}. */
export interface UnattachedLogsProps {
  /** Global node id of the trace. */
  readonly traceNodeId: string;
  /** At least 1. */
  readonly count: number;
}

/** Says that log records of a trace belong to no span of it, and shows them on request. */
export function UnattachedLogs({ traceNodeId, count }: UnattachedLogsProps) {
  const [isOpen, setIsOpen] = useState(false);
  const [many, pronoun] = count === 1 ? ['1 log record is', 'it'] : [`${countText(count)} log records are`, 'they'];
  return (
    <>
      <span className={styles.text}>
        {many} not attached to a span: {pronoun} may belong to a span that was not received, or to any of several spans.
      </span>
      <Button size="sm" onPress={() => setIsOpen(true)}>
        Show
      </Button>
      <Dialog title="Log records without a span" isOpen={isOpen} onOpenChange={setIsOpen} size="lg">
        <ErrorBoundary fallbackTitle="The log records could not be shown" resetKey={traceNodeId}>
          <Suspense fallback={<Skeleton lines={4} />}>
            <Loaded traceNodeId={traceNodeId} count={count} />
          </Suspense>
        </ErrorBoundary>
      </Dialog>
    </>
  );
}

function countText(count: number): string {
  return count < MAX_COUNTED ? formatExact(count) : `${formatExact(MAX_COUNTED)} or more`;
}

function Loaded({ traceNodeId, count }: UnattachedLogsProps) {
  const [first, setFirst] = useState(FIRST);
  const { trace } = useQuery<unattachedLogsQuery>(
    QUERY,
    { id: traceNodeId, first },
    { version: count, fetchPolicy: 'store-and-network' },
  );
  const records = trace.unattachedLogRecords;
  if (records == null) return null;
  return (
    <div className={styles.list}>
      <LogRecordList records={records} />
      {records.pageInfo.hasNextPage && first < MAX_COUNTED && (
        <Button onPress={() => setFirst(Math.min(first + STEP, MAX_COUNTED))}>Show more</Button>
      )}
    </div>
  );
}
