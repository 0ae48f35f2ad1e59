/** Where the statements look. */
export interface Place {
  readonly url: string;
  /** The project of the many spans. */
  readonly manyProjectId: string;
  /** The project of the traces and the session that are large by themselves. */
  readonly bigProjectId: string;
  /** Hexadecimal. */
  readonly traceIds: { readonly big: string; readonly huge: string; readonly longOutput: string };
}

/** The id of a project that exists. */
export async function findProjectId(url: string, name: string): Promise<string> {
  const { getProjectByName } = await query<{ getProjectByName: { id: string } }>(
    url,
    'query ($name: String!) { getProjectByName(name: $name) { id } }',
    { name },
  );
  return getProjectByName.id;
}

/** Asks over GraphQL. */
export async function query<Data>(url: string, text: string, variables: object = {}): Promise<Data> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'accept-encoding': 'gzip, deflate, br, zstd' }, // as browsers do
    body: JSON.stringify({ query: text, variables }),
  });
  const { data, errors } = (await response.json()) as { data: Data; errors?: readonly { message: string }[] };
  if (errors !== undefined) throw new Error(errors.map(({ message }) => message).join('\n'));
  return data;
}
