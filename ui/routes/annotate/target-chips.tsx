import { Suspense } from 'react';
import { graphql } from 'react-relay';
import type { targetChipsQuery } from '#ui/__generated__/targetChipsQuery.graphql.ts';
import { ErrorBoundary } from '#ui/components/error-boundary.tsx';
import { useQuery } from '#ui/lib/use-query.ts';
import styles from './annotation-chip.module.css';
import { AnnotationChips } from './annotation-chips.tsx';
import { readJudgement } from './read-judgement.ts';

const QUERY = graphql`
  query targetChipsQuery($id: ID!) {
    target: node(id: $id) {
      ... on Trace {
        traceAnnotations {
          id
          ...readJudgement_annotation
        }
      }
      ... on ProjectSession {
        sessionAnnotations {
          id
          ...readJudgement_annotation
        }
      }
    }
  }
`;

/** See {@link TargetChips}. */
export interface TargetChipsProps {
  readonly kind: 'trace' | 'session';
  /** Global node id. */
  readonly id: string;
}

/** What is said of a trace or session. It is an extra: without it the page is as good. */
export function TargetChips(props: TargetChipsProps) {
  return (
    <ErrorBoundary fallbackTitle="" resetKey={props.id} renderFailure={() => null}>
      <Suspense>
        <LoadedChips {...props} />
      </Suspense>
    </ErrorBoundary>
  );
}

function LoadedChips({ kind, id }: TargetChipsProps) {
  const { target } = useQuery<targetChipsQuery>(QUERY, { id }, { fetchPolicy: 'store-and-network' });
  const annotations = target?.traceAnnotations ?? target?.sessionAnnotations ?? [];
  if (annotations.length === 0) return null;
  return (
    <div className={styles.line}>
      <AnnotationChips annotations={annotations.map(readJudgement)} choice={kind} />
    </div>
  );
}
