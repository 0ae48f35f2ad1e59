/** Names under which spans, traces, sessions or documents of a project were annotated. */
import { graphql } from 'react-relay';
import type { annotationNamesQuery } from '#ui/__generated__/annotationNamesQuery.graphql.ts';
import { useAnswer } from './use-answer.ts';

const NAMES = graphql`
  query annotationNamesQuery(
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

/** The names in use, that of notes included, and what asks for them again. */
export interface UsedNames {
  /** Undefined before the first answer. */
  readonly names: readonly string[] | undefined;
  readonly ask: () => void;
}

/** Asks again whenever `refresh` changes. */
export function useUsedNames(
  projectId: string,
  kind: 'span' | 'trace' | 'session' | 'document',
  refresh: unknown,
): UsedNames {
  const asked = {
    projectId,
    ofSpans: kind === 'span',
    ofTraces: kind === 'trace',
    ofSessions: kind === 'session',
    ofDocuments: kind === 'document',
  };
  const { data, ask } = useAnswer<annotationNamesQuery>(NAMES, asked, refresh);
  const { spanAnnotationNames, traceAnnotationNames, sessionAnnotationNames, documentEvaluationNames } =
    data?.project ?? {};
  const names = spanAnnotationNames ?? traceAnnotationNames ?? sessionAnnotationNames ?? documentEvaluationNames;
  return { names: names ?? undefined, ask };
}
