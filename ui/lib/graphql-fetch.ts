/** GraphQL over `fetch`, and what its refusals say. */
import { reportLost } from './connection.ts';
import { serverConfig } from './server-config.ts';
import { MissingError, ServerError } from './server-error.ts';
import { fetchInSession } from './session.ts';

const ENDPOINT = `${serverConfig.rootPath}/graphql`;

/** Sends an operation; the response is one that succeeded. @throws ServerError with the server's words */
export async function requestGraphql(body: string, accept: string, signal?: AbortSignal): Promise<Response> {
  const response = await fetchInSession(ENDPOINT, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept },
    body,
    ...(signal !== undefined && { signal }),
  }).catch((error: unknown) => {
    // That the session cannot be renewed is said in words.
    if (signal?.aborted === true || !(error instanceof TypeError)) throw error;
    reportLost();
    throw new Error('The server is not responding. Check that it is running; the page reconnects automatically.', {
      cause: error,
    });
  });
  // What stands before the server says that it is gone.
  if (response.status === 502 || response.status === 503 || response.status === 504) reportLost();
  if (response.ok) return response;
  const text = await response.text();
  if (response.headers.get('content-type')?.startsWith('application/json') === true) throw refusalOf(parseObject(text));
  throw new ServerError(text || `The server responded with status ${response.status}.`, null);
}

/** The data of an operation that succeeds, for pages without a store. @throws ServerError */
export async function askGraphql<Data>(
  query: string,
  variables: Readonly<Record<string, unknown>> = {},
): Promise<Data> {
  const response = await requestGraphql(JSON.stringify({ query, variables }), 'application/json');
  const answer = (await response.json()) as { readonly data?: Data | null; readonly errors?: readonly unknown[] };
  if (answer.data == null || answer.errors !== undefined) throw refusalOf(answer);
  return answer.data;
}

/** The first error of an answer without data, in the server's words. */
export function refusalOf(answer: object): ServerError {
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
