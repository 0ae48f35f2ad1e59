/** How an operation is called from a shell. */
import type { Operation } from './api-document.ts';
import { exampleOf, type Schemas } from './describe-schema.ts';

/** Where requests go, and whether they need a key. */
export interface Target {
  /** The server's address, without a slash at the end. */
  readonly url: string;
  readonly needsKey: boolean;
}

/** A command for curl that calls it, with what must be given. */
export function curlOf(operation: Operation, schemas: Schemas, { url, needsKey }: Target): string {
  const { method, path, parameters = [], requestBody } = operation;
  const required = parameters.filter((parameter) => parameter.in === 'query' && parameter.required === true);
  const query = required.map(({ name }) => `${encodeURIComponent(name)}=${placeholder(name)}`).join('&');
  const address = `${url}${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => placeholder(name))}`;
  const [type, content] = Object.entries(requestBody?.content ?? {}).find(([name]) => name === JSON_TYPE) ??
    Object.entries(requestBody?.content ?? {})[0] ?? [undefined, undefined];
  return [
    `curl -sS${method === 'GET' ? '' : ` -X ${method}`} ${quote(query === '' ? address : `${address}?${query}`)}`,
    ...(needsKey && operation['x-access'] !== 'public' ? ['-H "authorization: Bearer $CAIRN_API_KEY"'] : []),
    ...(type === undefined ? [] : [`-H ${quote(`content-type: ${type}`)}`]),
    ...(type === undefined ? [] : [bodyOption(type, content?.schema && exampleOf(content.schema, schemas, false))]),
  ].join(' \\\n  ');
}

const JSON_TYPE = 'application/json';

function bodyOption(type: string, example: unknown): string {
  if (type !== JSON_TYPE || example === undefined) return '--data-binary @body';
  return `-d ${quote(JSON.stringify(example, null, 2))}`;
}

/** Of every server there is one project that can be named without looking. */
function placeholder(name: string): string {
  return name === 'project_identifier' ? 'default' : name.toUpperCase();
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
