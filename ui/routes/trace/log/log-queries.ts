/** Asks the API for what spans read and wrote. */
import { fetchQuery, graphql } from 'react-relay';
import type { IEnvironment } from 'relay-runtime';
import type { logQueriesContentsQuery } from '#ui/__generated__/logQueriesContentsQuery.graphql.ts';
import { type RecordedEvent, splitEvents } from '#ui/routes/span/model/events.ts';
import type { LogContent, ReadContents } from './log-contents.ts';

const CONTENTS = graphql`
  query logQueriesContentsQuery($ids: [ID!]!) {
    nodes(ids: $ids) {
      ... on Span {
        __typename
        id
        statusMessage
        input {
          value
        }
        output {
          value
        }
        events {
          name
          timestamp
          attributes
        }
      }
    }
  }
`;

/** Reads contents from the API. */
export function contentsReader(environment: IEnvironment): ReadContents {
  return async (ids) => {
    const answer = await fetchQuery<logQueriesContentsQuery>(environment, CONTENTS, { ids }).toPromise();
    const contents = new Map<string, LogContent>();
    for (const node of answer?.nodes ?? []) {
      if (node?.__typename !== 'Span') continue;
      contents.set(node.id, {
        input: node.input?.value ?? null,
        output: node.output?.value ?? null,
        statusMessage: node.statusMessage ?? '',
        exceptions: splitEvents(node.events as readonly RecordedEvent[]).exceptions,
      });
    }
    return contents;
  };
}
