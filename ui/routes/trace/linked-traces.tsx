import { Link } from '@tanstack/react-router';
import { Fragment, Suspense } from 'react';
import { graphql } from 'react-relay';
import type { linkedTracesQuery } from '#ui/__generated__/linkedTracesQuery.graphql.ts';
import { ErrorBoundary } from '#ui/components/error-boundary.tsx';
import { Name } from '#ui/components/name.tsx';
import { useQuery } from '#ui/lib/use-query.ts';
import { Fact } from './fact.tsx';

const QUERY = graphql`
  query linkedTracesQuery($id: ID!) {
    trace: node(id: $id) {
      ... on Trace {
        linksTo {
          id
          traceId
          projectId
          rootSpan {
            name
          }
        }
        linkedFrom {
          id
          traceId
          projectId
          rootSpan {
            name
          }
        }
      }
    }
  }
`;

/** See {@link LinkedTraces}. */
export interface LinkedTracesProps {
  /** Global node id of the trace. */
  readonly traceNodeId: string;
  /** Links are read again when this changes. */
  readonly spanCount: number;
}

/** Facts about other traces that this one points to, and that point to it. They load by themselves, and are an extra. */
export function LinkedTraces(props: LinkedTracesProps) {
  return (
    <ErrorBoundary fallbackTitle="" resetKey={props.traceNodeId} renderFailure={() => null}>
      <Suspense fallback={null}>
        <LoadedTraces {...props} />
      </Suspense>
    </ErrorBoundary>
  );
}

function LoadedTraces({ traceNodeId, spanCount }: LinkedTracesProps) {
  const { trace } = useQuery<linkedTracesQuery>(
    QUERY,
    { id: traceNodeId },
    { version: spanCount, fetchPolicy: 'store-and-network' },
  );
  return (
    <>
      <TraceLinks label="Links to" traces={trace.linksTo ?? []} />
      <TraceLinks label="Linked from" traces={trace.linkedFrom ?? []} />
    </>
  );
}

type LinkedTrace = NonNullable<linkedTracesQuery['response']['trace']['linksTo']>[number];

function TraceLinks({ label, traces }: { readonly label: string; readonly traces: readonly LinkedTrace[] }) {
  if (traces.length === 0) return null;
  const hidden = traces.length - MAX_SHOWN;
  return (
    <Fact label={label}>
      {traces.slice(0, MAX_SHOWN).map(({ id, traceId, projectId, rootSpan }, index) => (
        <Fragment key={id}>
          {index > 0 && ', '}
          <Link to="/projects/$projectId/traces/$traceId" params={{ projectId, traceId }}>
            <Name>{rootSpan?.name || `trace ${traceId.slice(0, 8)}`}</Name>
          </Link>
        </Fragment>
      ))}
      {hidden > 0 && ` and ${hidden} more`}
    </Fact>
  );
}

const MAX_SHOWN = 3;
