/** Asks the API for what spans read and wrote. */
import { fetchQuery, graphql } from 'react-relay';
import type { IEnvironment } from 'relay-runtime';
import type { logQueriesContentsQuery } from '#ui/__generated__/logQueriesContentsQuery.graphql.ts';
import type { LogContent, LogException, ReadContents } from './log-contents.ts';

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
          message
          attributes
        }
      }
    }
  }
`;

type Node = NonNullable<logQueriesContentsQuery['response']['nodes'][number]>;
type Event = Extract<Node, { __typename: 'Span' }>['events'][number];

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
        statusMessage: node.statusMessage,
        exceptions: node.events.filter(({ name }) => name === 'exception').map(toException),
      });
    }
    return contents;
  };
}

function toException({ message, attributes }: Event): LogException {
  const known = typeof attributes === 'object' && attributes !== null ? (attributes as Record<string, unknown>) : {};
  return {
    type: textOf(known['exception.type']) ?? 'Exception',
    message: message || (textOf(known['exception.message']) ?? ''),
    stack: textOf(known['exception.stacktrace']),
  };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
