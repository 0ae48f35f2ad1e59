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
import { reportBroken, reportLost } from './connection.ts';
import { readEvents } from './event-stream.ts';
import { serverConfig } from './server-config.ts';
import { MissingError, ServerError } from './server-error.ts';

const ENDPOINT = `${serverConfig.rootPath}/graphql`;

const fetchQuery: FetchFunction = ({ text, name }, variables) =>
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
    request(JSON.stringify({ query: text, operationName: name, variables }), 'application/json', aborting.signal)
      .then(async (response) => {
        const answer = (await response.json()) as GraphQLSingularResponse;
        // Relay would say the same in words for developers.
        if (answer.data == null) throw refusal(answer);
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
    request(JSON.stringify({ query: text, operationName: name, variables }), 'text/event-stream', aborting.signal)
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

async function request(body: string, accept: string, signal: AbortSignal): Promise<Response> {
  const response = await fetch(ENDPOINT, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept },
    body,
    signal,
  }).catch((error: unknown) => {
    if (signal.aborted) throw error;
    reportLost();
    throw new Error('The server is not responding. Check that it is running; the page reconnects automatically.', {
      cause: error,
    });
  });
  // What stands before the server says that it is gone.
  if (response.status === 502 || response.status === 503 || response.status === 504) reportLost();
  if (response.ok) return response;
  const text = await response.text();
  if (response.headers.get('content-type')?.startsWith('application/json') === true) throw refusal(parseObject(text));
  throw new ServerError(text || `The server responded with status ${response.status}.`, null);
}

/** The first error of an answer without data, in the server's words. */
function refusal(answer: object): ServerError {
  const { errors = [] } = answer as { errors?: readonly AnsweredError[] };
  const message = errors[0]?.message ?? 'The server sent an empty response.';
  const code = errors[0]?.extensions?.code ?? null;
  return code === 'not_found' ? new MissingError(message) : new ServerError(message, code);
}

function parseObject(text: string): object {
  try {
    return Object(JSON.parse(text)) as object;
  } catch {
    return {};
  }
}

interface AnsweredError {
  readonly message: string;
  readonly extensions?: { readonly code?: string };
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

/** The page's one store of what it has read. */
export const relayEnvironment = new Environment({
  network: Network.create(fetchQuery, subscribe),
  store: new Store(new RecordSource(), { gcReleaseBufferSize: 20 }),
});
