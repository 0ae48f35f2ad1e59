/** GraphQL over `fetch`: requests as JSON, subscriptions as server-sent events. */
import {
  Environment,
  type FetchFunction,
  type GraphQLResponse,
  type GraphQLSingularResponse,
  Network,
  Observable,
  RecordSource,
  Store,
  type SubscribeFunction,
} from 'relay-runtime';
import { reportBroken } from './connection.ts';
import { readEvents } from './event-stream.ts';
import { refusalOf, requestGraphql } from './graphql-fetch.ts';

const fetchQuery: FetchFunction = ({ text, name, operationKind }, variables) =>
  Observable.create<GraphQLResponse>((sink) => {
    const aborting = new AbortController();
    const call: Call = {
      name,
      callOff: () => {
        aborting.abort();
        sink.error(new Error('The request was cancelled before the server answered.'));
      },
    };
    calls.add(call);
    requestGraphql(JSON.stringify({ query: text, operationName: name, variables }), 'application/json', {
      signal: aborting.signal,
      keepalive: operationKind === 'mutation',
    })
      .then(async (response) => {
        const answer = (await response.json()) as GraphQLSingularResponse;
        // Relay would say the same in words for developers.
        if (answer.data == null) throw refusalOf(answer);
        sink.next(answer);
        sink.complete();
      })
      .catch((error: unknown) => aborting.signal.aborted || sink.error(toError(error)))
      .finally(() => calls.delete(call));
    return () => aborting.abort();
  });

interface Call {
  readonly name: string;
  readonly callOff: () => void;
}

/** What is being asked. */
const calls = new Set<Call>();

/** Stops asking: queries of this name that have no answer yet fail. */
export function callOff(name: string): void {
  for (const call of calls) if (call.name === name) call.callOff();
}

const subscribe: SubscribeFunction = ({ text, name }, variables) =>
  Observable.create<GraphQLResponse>((sink) => {
    const aborting = new AbortController();
    requestGraphql(JSON.stringify({ query: text, operationName: name, variables }), 'text/event-stream', {
      signal: aborting.signal,
    })
      .then(async (response) => {
        let isComplete = false;
        for await (const { event, data } of readEvents(response)) {
          if (event === 'complete') {
            isComplete = true;
            break;
          }
          if (event === 'next') sink.next(JSON.parse(data) as GraphQLResponse);
        }
        if (!isComplete) reportBroken();
        sink.complete();
      })
      .catch((error: unknown) => {
        if (aborting.signal.aborted) return;
        reportBroken();
        sink.error(toError(error));
      });
    return () => aborting.abort();
  });

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

/** The page's one store of what it has read. */
export const relayEnvironment = new Environment({
  network: Network.create(fetchQuery, subscribe),
  store: new Store(new RecordSource(), { gcReleaseBufferSize: 20 }),
});
