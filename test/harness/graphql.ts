/** GraphQL over HTTP, as tests call it. */

/** What an operation answers. */
export interface GraphqlAnswer<Data = Record<string, unknown>> {
  readonly data?: Data | null;
  readonly errors?: readonly {
    readonly message: string;
    readonly path?: readonly (string | number)[];
    readonly extensions?: { readonly code: string };
  }[];
}

/** Sends a request body as JSON. */
export function postGraphql(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

/** The whole answer, errors included. */
export async function askGraphql<Data = Record<string, unknown>>(
  url: string,
  query: string,
  variables: Record<string, unknown> = {},
): Promise<GraphqlAnswer<Data>> {
  return (await (await postGraphql(url, { query, variables })).json()) as GraphqlAnswer<Data>;
}

/** The data of an operation that succeeds. @throws Error with the errors */
export async function queryGraphql<Data = Record<string, unknown>>(
  url: string,
  query: string,
  variables: Record<string, unknown> = {},
): Promise<Data> {
  const { data, errors } = await askGraphql<Data>(url, query, variables);
  if (errors !== undefined || data == null) throw new Error(JSON.stringify(errors));
  return data;
}

/** The texts of a stream as they come. */
export async function* readTexts(response: Response): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const bytes of response.body ?? []) yield decoder.decode(bytes as Uint8Array, { stream: true });
}

/** The results of a stream of server-sent events. */
export async function* readEvents<Data = Record<string, unknown>>(
  response: Response,
): AsyncGenerator<GraphqlAnswer<Data>> {
  let text = '';
  for await (const more of readTexts(response)) {
    const blocks = (text + more).split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const data = /^event: next\ndata: (.*)$/.exec(block)?.[1];
      if (data !== undefined) yield JSON.parse(data) as GraphqlAnswer<Data>;
    }
  }
}
