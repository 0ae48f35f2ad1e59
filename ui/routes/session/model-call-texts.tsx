import { graphql, useLazyLoadQuery } from 'react-relay';
import type { modelCallTextsQuery } from '#ui/__generated__/modelCallTextsQuery.graphql.ts';
import { TurnTexts } from './turn-texts.tsx';

const QUERY = graphql`
  query modelCallTextsQuery($id: ID!) {
    trace: node(id: $id) {
      ... on Trace {
        spans(first: 30, sort: { col: startTime, dir: asc }) {
          edges {
            node {
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

/** What was said in a trace whose root tells nothing: what the first of its spans was given, and the last one gave. */
export function ModelCallTexts({ traceNodeId, version }: ModelCallTextsProps) {
  const { trace } = useLazyLoadQuery<modelCallTextsQuery>(
    QUERY,
    { id: traceNodeId },
    { fetchKey: version, fetchPolicy: 'store-or-network' },
  );
  const spans = (trace.spans?.edges ?? []).map(({ node }) => node);
  const input = spans.find((span) => span.input != null)?.input ?? null;
  const output = spans.findLast((span) => span.output != null)?.output ?? null;
  return <TurnTexts input={input} output={output} />;
}
