import { useNavigate } from '@tanstack/react-router';
import { GitCompareArrows } from 'lucide-react';
import { useState } from 'react';
import { fetchQuery, graphql, useRelayEnvironment } from 'react-relay';
import type { compareSelectedQuery } from '#ui/__generated__/compareSelectedQuery.graphql.ts';
import { Button } from '#ui/components/button.tsx';
import { showToast } from '#ui/components/toast.tsx';
import { describeError } from '#ui/lib/describe-error.ts';
import styles from './selection-bar.module.css';

const QUERY = graphql`
  query compareSelectedQuery($ids: [ID!]!) {
    nodes(ids: $ids) {
      ... on Trace @alias(as: "trace") {
        traceId
        startTime
      }
    }
  }
`;

/** Shows two selected traces side by side, the earlier one as A. */
export function CompareSelected({ ids }: { readonly ids: readonly string[] }) {
  const environment = useRelayEnvironment();
  const navigate = useNavigate();
  const [isAsking, setIsAsking] = useState(false);

  async function compare(): Promise<void> {
    setIsAsking(true);
    try {
      const answer = await fetchQuery<compareSelectedQuery>(environment, QUERY, { ids }).toPromise();
      const traces = (answer?.nodes ?? []).flatMap((node) => node?.trace ?? []);
      const [a, b] = traces.toSorted((one, other) => Date.parse(one.startTime) - Date.parse(other.startTime));
      await navigate({ to: '/compare/traces', search: { a: a?.traceId, b: b?.traceId } });
    } catch (error) {
      showToast({ tone: 'danger', title: 'The traces could not be compared', description: describeError(error) });
    } finally {
      setIsAsking(false);
    }
  }

  return (
    <Button
      variant="ghost"
      size="sm"
      icon={GitCompareArrows}
      aria-label="Compare selected traces"
      isDisabled={isAsking}
      onPress={() => void compare()}
    >
      <span className={styles.word}>Compare</span>
    </Button>
  );
}
