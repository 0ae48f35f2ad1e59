import { graphql } from 'react-relay';
import type { modelCallTextsQuery } from '#ui/__generated__/modelCallTextsQuery.graphql.ts';
import { useQuery } from '#ui/lib/use-query.ts';
import { readSpokenTexts } from './model/spoken-texts.ts';
import { TurnTexts } from './turn-texts.tsx';

const QUERY = graphql`
  query modelCallTextsQuery($id: ID!) {
    trace: node(id: $id) {
      ... on Trace {
        spans(first: 30, sort: { col: startTime, dir: asc }) {
          edges {
            node {
              name
              spanKind
              input {
                value
                mimeType
              }
              output {
                value
                mimeType
              }
            }
          }
        }
      }
    }
  }
`;

/** See {@link ModelCallTexts}. */
export interface ModelCallTextsProps {
  readonly traceNodeId: string;
  /** Reads again when it changes. */
  readonly version: string;
}

/** What was said in a trace whose root tells nothing, out of its first spans. */
export function ModelCallTexts({ traceNodeId, version }: ModelCallTextsProps) {
  const { trace } = useQuery<modelCallTextsQuery>(
    QUERY,
    { id: traceNodeId },
    { version, fetchPolicy: 'store-or-network' },
  );
  return <TurnTexts {...readSpokenTexts((trace.spans?.edges ?? []).map(({ node }) => node))} />;
}
