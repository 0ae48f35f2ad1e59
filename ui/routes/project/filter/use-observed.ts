/** What is known of a project's data, for suggestions: asked for when somebody writes. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { fetchQuery, graphql, useRelayEnvironment } from 'react-relay';
import type { Observed } from '#filter/completion/source';
import type { FacetValue } from '#filter/facet-terms';
import type { useObservedPathsQuery } from '#ui/__generated__/useObservedPathsQuery.graphql.ts';
import type { useObservedValuesQuery } from '#ui/__generated__/useObservedValuesQuery.graphql.ts';

const PATHS = graphql`
  query useObservedPathsQuery($projectId: ID!, $first: Int!) {
    project: node(id: $projectId) {
      ... on Project {
        attributePaths(first: $first)
        spanAnnotationNames
        traceAnnotationNames
        sessionAnnotationNames
        documentAnnotationNameCounts {
          name
        }
      }
    }
  }
`;

const VALUES = graphql`
  query useObservedValuesQuery($projectId: ID!, $facets: [FacetInput!]!) {
    project: node(id: $projectId) {
      ... on Project {
        facets(facets: $facets) {
          facets {
            values {
              value
            }
          }
        }
      }
    }
  }
`;

/** Paths that are looked up at most, those of most spans. */
export const OBSERVED_PATHS = 300;

/** Values of a field that are offered. */
const MAX_VALUES = 30;

/** What was observed so far, and what looks up the values of a field once. Without an answer nothing is offered. */
export function useObserved(projectId: string, isWanted: boolean): readonly [Observed, (field: string) => void] {
  const environment = useRelayEnvironment();
  const [names, setNames] = useState<Pick<Observed, 'attributePaths' | 'annotationNames'>>();
  const [values, setValues] = useState<ReadonlyMap<string, readonly FacetValue[]>>(new Map());
  const asked = useRef(new Set<string>());

  useEffect(() => {
    if (!isWanted || names !== undefined) return;
    const reading = fetchQuery<useObservedPathsQuery>(environment, PATHS, {
      projectId,
      first: OBSERVED_PATHS,
    }).subscribe({
      next: ({ project }) =>
        setNames({
          attributePaths: project.attributePaths ?? [],
          annotationNames: {
            span: project.spanAnnotationNames ?? [],
            trace: project.traceAnnotationNames ?? [],
            session: project.sessionAnnotationNames ?? [],
            document: (project.documentAnnotationNameCounts ?? []).map(({ name }) => name),
          },
        }),
      error: () => setNames({ attributePaths: [] }),
    });
    return () => reading.unsubscribe();
  }, [environment, projectId, isWanted, names]);

  const lookUp = useCallback(
    (field: string) => {
      if (asked.current.has(field)) return;
      asked.current.add(field);
      const variables = { projectId, facets: [{ by: field, first: MAX_VALUES }] };
      fetchQuery<useObservedValuesQuery>(environment, VALUES, variables).subscribe({
        next: ({ project }) => {
          const found = project.facets?.facets[0]?.values.map(({ value }) => value as FacetValue) ?? [];
          setValues((before) => new Map([...before, [field, found]]));
        },
        error: () => undefined,
      });
    },
    [environment, projectId],
  );
  return [{ ...names, values }, lookUp];
}
