/** GraphQL over `fetch`, and what its refusals say. */
import { reportLost } from './connection.ts';
import { serverConfig } from './server-config.ts';
import { MissingError, ServerError } from './server-error.ts';
import { fetchInSession } from './session.ts';

const ENDPOINT = `${serverConfig.rootPath}/graphql`;

/** In characters, each of which may take three bytes. */
const MAX_KEPT_LENGTH = 10_000;

/** How an operation is sent. */
export interface RequestOptions {
  readonly signal?: AbortSignal;
  /** Whether it is sent to its end if the page is left meanwhile: for changes. */
  readonly keepalive?: boolean;
}

/** Sends an operation; the response is one that succeeded. @throws ServerError with the server's words */
export async function requestGraphql(
  body: string,
  accept: string,
  { signal, keepalive = false }: RequestOptions = {},
): Promise<Response> {
  const response = await fetchInSession(ENDPOINT, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept },
    body,
    // Browsers refuse more than 64 KiB of them at once.
    keepalive: keepalive && body.length < MAX_KEPT_LENGTH,
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
