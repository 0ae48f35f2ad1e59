import { useMemo } from 'react';
import { graphql, readInlineData, useLazyLoadQuery } from 'react-relay';
import type {
  useJudgements_config$data,
  useJudgements_config$key,
} from '#ui/__generated__/useJudgements_config.graphql.ts';
import type { useJudgementsQuery } from '#ui/__generated__/useJudgementsQuery.graphql.ts';
import { usePendingDeletions } from '#ui/lib/pending-deletions.ts';
import { useViewer } from '#ui/lib/viewer.ts';
import type { AnswerField } from './model/answers.ts';
import { type Judgement, type SortedJudgements, sortJudgements } from './model/judgements.ts';
import type { Target } from './model/target.ts';
import { readJudgement } from './read-judgement.ts';

const CONFIG = graphql`
  fragment useJudgements_config on AnnotationConfig @inline {
    __typename
    ... on CategoricalAnnotationConfig {
      name
      description
      values {
        label
        score
      }
    }
    ... on ContinuousAnnotationConfig {
      name
      description
      lowerBound
      upperBound
    }
    ... on FreeformAnnotationConfig {
      name
      description
    }
  }
`;

const QUERY = graphql`
  query useJudgementsQuery($askerId: ID!, $targetId: ID!) {
    asker: node(id: $askerId) {
      ... on Project {
        annotationConfigs(first: 200) {
          edges {
            node {
              ...useJudgements_config
            }
          }
        }
      }
      ... on AnnotationQueue {
        questions: annotationConfigs {
          ...useJudgements_config
        }
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
  const answered = useLazyLoadQuery<useJudgementsQuery>(
    QUERY,
    { askerId, targetId: target.id },
    { fetchKey: version, fetchPolicy: version === 0 ? 'store-and-network' : 'network-only' },
  );
  const fields = useMemo(() => readConfigs(answered.asker).flatMap(toField), [answered.asker]);
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

function readConfigs({ annotationConfigs, questions }: useJudgementsQuery['response']['asker']) {
  const configs = questions ?? annotationConfigs?.edges.map(({ node }) => node) ?? [];
  return configs.map((config) => readInlineData<useJudgements_config$key>(CONFIG, config));
}

function toField(config: useJudgements_config$data): readonly AnswerField[] {
  switch (config.__typename) {
    case 'CategoricalAnnotationConfig': {
      const { name, description = null, values } = config;
      const choices = values.map(({ label, score = null }) => ({ label, score }));
      return [{ kind: 'categorical', name, description, values: choices }];
    }
    case 'ContinuousAnnotationConfig': {
      const { name, description = null, lowerBound = null, upperBound = null } = config;
      return [{ kind: 'continuous', name, description, lowerBound, upperBound }];
    }
    case 'FreeformAnnotationConfig':
      return [{ kind: 'freeform', name: config.name, description: config.description ?? null }];
    default:
      return [];
  }
}
