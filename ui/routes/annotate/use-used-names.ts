import { graphql } from 'react-relay';
import type { useUsedNamesQuery } from '#ui/__generated__/useUsedNamesQuery.graphql.ts';
import { useAnswer } from '#ui/lib/use-answer.ts';
import { NOTE } from './model/judgements.ts';
import type { Target } from './model/target.ts';

const NAMES = graphql`
  query useUsedNamesQuery(
    $projectId: ID!
    $ofSpans: Boolean!
    $ofTraces: Boolean!
    $ofSessions: Boolean!
    $ofDocuments: Boolean!
  ) {
    project: node(id: $projectId) {
      ... on Project {
        spanAnnotationNames @include(if: $ofSpans)
        traceAnnotationNames @include(if: $ofTraces)
        sessionAnnotationNames @include(if: $ofSessions)
        documentEvaluationNames @include(if: $ofDocuments)
      }
    }
  }
`;

/** Names under which what is of a kind was annotated in the project; none while they are read. */
export function useUsedNames(projectId: string, kind: Target['kind']): readonly string[] {
  const asked = {
    projectId,
    ofSpans: kind === 'span',
    ofTraces: kind === 'trace',
    ofSessions: kind === 'session',
    ofDocuments: kind === 'document',
  };
  const { data } = useAnswer<useUsedNamesQuery>(NAMES, asked, '');
  const { spanAnnotationNames, traceAnnotationNames, sessionAnnotationNames, documentEvaluationNames } =
    data?.project ?? {};
  const names = spanAnnotationNames ?? traceAnnotationNames ?? sessionAnnotationNames ?? documentEvaluationNames ?? [];
  return names.filter((name) => name !== NOTE);
}
