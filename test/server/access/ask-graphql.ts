/** Asks for a field of GraphQL as one caller. */
import type { GraphqlAnswer } from '../../harness/graphql.ts';
import { postGraphql, readEvents, readTexts } from '../../harness/graphql.ts';
import { outcomeOf } from './ask-http.ts';
import type { Row } from './declared.ts';
import { GRAPHQL_EXAMPLES, type GraphqlExample } from './graphql-examples.ts';
import type { GraphqlOperation } from './graphql-fields.ts';
import { type Outcome, verdictOfText } from './outcome.ts';
import type { Principal } from './credentials.ts';
import type { World } from './world.ts';

/** What clients accept: streams of either kind for subscriptions, JSON for the others. */
export function formsOf({ operation }: GraphqlOperation): readonly string[] {
  if (!operation.startsWith('subscription')) return ['application/json'];
  return ['text/event-stream', 'multipart/mixed; subscriptionSpec=1.0'];
}

/** What came of it. @param accept one of {@link formsOf} */
export async function askGraphqlAs(
  world: World,
  { operation, document }: GraphqlOperation,
  accept: string,
  principal: Principal,
  row: Row,
): Promise<Outcome> {
  const place = principal.column === 'other project' ? world.other : world.own;
  const headers = { 'content-type': 'application/json', accept, ...principal.headers };
  // A question does no harm; what changes something has made-up ids for those who are refused before they are looked at.
  const isRefusedByRole = !row[principal.column] && !REFUSED_BY_OBJECT.has(operation);
  const needsExample = !operation.startsWith('mutation') || !isRefusedByRole;
  const example = needsExample ? await GRAPHQL_EXAMPLES[operation]?.({ world, place, principal }) : undefined;
  const query = example?.query ?? document;
  if (query === '') return { verdict: 'failed', said: `there is no example of ${operation}` };
  const response = await postGraphql(world.server.url, { query }, headers);
  const { status } = response;
  if (status !== 200) {
    return outcomeOf('POST', { status, headers: Object.fromEntries(response.headers), body: await response.text() });
  }
  return outcomeOfAnswer(await firstAnswer(response), example);
}

/** What everybody who signed in may ask for: whether they get it depends on whose it is. */
const REFUSED_BY_OBJECT: ReadonlySet<string> = new Set(['mutation deleteUserApiKey', 'mutation revokeOAuth2Grant']);

async function firstAnswer(response: Response): Promise<GraphqlAnswer> {
  const type = response.headers.get('content-type') ?? '';
  if (type.startsWith('application/json')) return (await response.json()) as GraphqlAnswer;
  const answers = type.startsWith('text/event-stream') ? readEvents(response) : readParts(response);
  const { value } = await answers.next();
  await response.body?.cancel().catch(() => undefined);
  return (value ?? { errors: [{ message: 'the stream ended without an event' }] }) as GraphqlAnswer;
}

/** The results of a stream of parts. */
async function* readParts(response: Response): AsyncGenerator<GraphqlAnswer> {
  let text = '';
  for await (const more of readTexts(response)) {
    const parts = (text + more).split('\r\n--graphql');
    text = parts.pop() ?? '';
    for (const part of parts) {
      const json = /\r\n\r\n({"payload":.*})$/s.exec(part)?.[1];
      if (json !== undefined) yield (JSON.parse(json) as { payload: GraphqlAnswer }).payload;
    }
  }
}

function outcomeOfAnswer({ data, errors = [] }: GraphqlAnswer, example: GraphqlExample | undefined): Outcome {
  const codes = errors.map(({ extensions }) => extensions?.code ?? 'none');
  const said = errors.map(({ message }) => message).join('; ');
  if (errors.length > 0 && errors.every(isRefusal)) return { verdict: 'refused', said };
  if (data !== undefined && codes.every((code) => example?.codes?.includes(code) === true)) {
    return { verdict: 'allowed', said };
  }
  const isHidden = errors.length > 0 && codes.every((code) => code === 'not_found');
  return { verdict: isHidden ? 'hidden' : 'failed', said: JSON.stringify({ data, errors }) };
}

function isRefusal({ message, extensions }: NonNullable<GraphqlAnswer['errors']>[number]): boolean {
  return extensions?.code === 'permission_denied' && verdictOfText(message) === 'refused';
}
