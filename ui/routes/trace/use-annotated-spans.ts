import { useMemo } from 'react';
import { graphql } from 'react-relay';
import type { useAnnotatedSpansQuery } from '#ui/__generated__/useAnnotatedSpansQuery.graphql.ts';
import { useAnswer } from '#ui/lib/use-answer.ts';
import type { Judgement } from '../annotate/model/judgements.ts';
import { readJudgement } from '../annotate/read-judgement.ts';

const QUERY = graphql`
  query useAnnotatedSpansQuery($traceId: ID!) {
    trace: node(id: $traceId) {
      ... on Trace {
        spans(first: 500, filterCondition: "any(a.name != 'note' for a in annotations)") {
          edges {
            node {
              id
              spanAnnotations(filter: { exclude: { names: ["note"] } }) {
                id
                ...readJudgement_annotation
              }
            }
          }
        }
      }
    }
  }
`;

/** What is said of spans, by their global ids, without notes. */
export type AnnotatedSpans = ReadonlyMap<string, readonly Judgement[]>;

const NONE: AnnotatedSpans = new Map();

/**
 * The annotations of the spans of a trace, of the first 500 that have any.
 * @param traceId global; undefined while the trace is being opened
 * @param version another one after annotations were changed here
 */
export function useAnnotatedSpans(traceId: string | undefined, version: number): AnnotatedSpans {
  const variables = traceId === undefined ? null : { traceId };
  const { data } = useAnswer<useAnnotatedSpansQuery>(QUERY, variables, version);
  return useMemo(() => {
    const edges = data?.trace.spans?.edges ?? [];
    if (edges.length === 0) return NONE;
    return new Map(edges.map(({ node }) => [node.id, node.spanAnnotations.map(readJudgement)]));
  }, [data]);
}
