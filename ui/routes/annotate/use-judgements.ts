import { useMemo } from 'react';
import { graphql } from 'react-relay';
import type { useJudgementsQuery } from '#ui/__generated__/useJudgementsQuery.graphql.ts';
import { usePendingDeletions } from '#ui/lib/pending-deletions.ts';
import { useQuery } from '#ui/lib/use-query.ts';
import { useViewer } from '#ui/lib/viewer.ts';
import type { AnswerField } from './model/answers.ts';
import { type Judgement, type SortedJudgements, sortJudgements } from './model/judgements.ts';
import type { Target } from './model/target.ts';
import { readFields, readQuestions } from './read-fields.ts';
import { readJudgement } from './read-judgement.ts';

const QUERY = graphql`
  query useJudgementsQuery($askerId: ID!, $targetId: ID!) {
    asker: node(id: $askerId) {
      ... on Project @alias(as: "project") {
        ...readFields_project
      }
      ... on AnnotationQueue @alias(as: "queue") {
        ...readFields_queue
      }
    }
    target: node(id: $targetId) {
      __typename
      ... on Span {
        spanAnnotations {
          id
          ...readJudgement_annotation
        }
        documentEvaluations {
          id
          documentPosition
          ...readJudgement_annotation
        }
      }
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

/** What is said of a target, and what is asked of it. */
export interface Judgements extends SortedJudgements {
  readonly fields: readonly AnswerField[];
}

/**
 * Reads what is said of a target.
 * @param askerId of the project or the queue that asks
 * @param version another number reads again
 */
export function useJudgements(askerId: string, target: Target, version: number): Judgements {
  const viewer = useViewer();
  const answered = useQuery<useJudgementsQuery>(
    QUERY,
    { askerId, targetId: target.id },
    { version, fetchPolicy: version === 0 ? 'store-and-network' : 'network-only' },
  );
  const fields = useMemo(() => fieldsOf(answered.asker), [answered.asker]);
  const pending = usePendingDeletions();
  const sorted = useMemo(() => {
    const shown = readAnnotations(answered.target, target).filter(({ id }) => !pending.has(id));
    return sortJudgements(shown, viewer?.id ?? null);
  }, [answered.target, target, viewer, pending]);
  return { ...sorted, fields };
}

type AnsweredTarget = useJudgementsQuery['response']['target'];

function readAnnotations(node: AnsweredTarget, target: Target): readonly Judgement[] {
  switch (node.__typename) {
    case 'Span':
      if (target.kind !== 'document') return node.spanAnnotations.map(readJudgement);
      return node.documentEvaluations
        .filter(({ documentPosition }) => documentPosition === target.position)
        .map(readJudgement);
    case 'Trace':
      return node.traceAnnotations.map(readJudgement);
    case 'ProjectSession':
      return node.sessionAnnotations.map(readJudgement);
    default:
      return [];
  }
}

function fieldsOf({ project, queue }: useJudgementsQuery['response']['asker']): readonly AnswerField[] {
  if (queue != null) return readQuestions(queue);
  return project == null ? [] : readFields(project);
}
