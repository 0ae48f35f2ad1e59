/** Asks for an HTTP route as one caller: without a body where the table refuses, with one where it does not. */
import { type Answer, askWithEndlessBody, askWithoutBody } from '../callers.fixture.ts';
import type { Row } from './declared.ts';
import type { HttpRoute } from './http-routes.ts';
import { type Outcome, verdictOfText } from './outcome.ts';
import type { Principal } from './credentials.ts';
import { type Occasion, PAGE, REST_EXAMPLES, type RestExample } from './rest-examples.ts';
import type { Place, World } from './world.ts';

/** What came of it. */
export async function askHttp(
  world: World,
  operation: string,
  route: HttpRoute,
  principal: Principal,
  row: Row,
  url = world.server.url,
): Promise<Outcome> {
  const { method, path } = route;
  const place = principal.column === 'other project' ? world.other : world.own;
  const mayDo = row[principal.column];
  // Who may not needs nothing made for it, but what tells whether its key is good for another project.
  const needsExample = mayDo || (row['own project'] && principal.column === 'other project');
  const example = needsExample ? await exampleOf(operation, route, { world, place, principal }) : undefined;
  const address = `${url}${fillPath(path, place, example)}${example?.query === undefined ? '' : `?${example.query}`}`;
  const headers = {
    ...contentTypeOf(method, example),
    ...(example?.as ?? principal.headers),
    ...example?.headers,
  };
  if (!needsExample) return outcomeOf(method, await askWithoutBody(address, method, headers));
  const body = example?.body === undefined ? {} : { body: JSON.stringify(example.body) };
  const response = await fetch(address, { method, headers, redirect: 'manual', ...body });
  const text = await response.text();
  const { status } = response;
  const isAsSaid = method === 'HEAD' || (example?.says?.test(text) ?? true);
  const isExpected = (example?.answers?.includes(status) ?? status < 400) && isAsSaid;
  if (mayDo && isExpected) return { verdict: 'allowed', said: text };
  // A list without what is in the other project.
  if (status === 200 && principal.column === 'other project' && !text.includes(place.projectId)) {
    return { verdict: 'hidden', said: text };
  }
  return outcomeOf(method, { status, headers: Object.fromEntries(response.headers), body: text });
}

/** What comes of a request without end. */
export async function askEndlessly(world: World, { method, path }: HttpRoute, principal: Principal): Promise<Outcome> {
  const headers = { ...contentTypeOf(method, undefined), ...principal.headers };
  const url = `${world.server.url}${fillPath(path, world.own, undefined)}`;
  return outcomeOf(method, await askWithEndlessBody(url, method, headers));
}

async function exampleOf(operation: string, route: HttpRoute, occasion: Occasion): Promise<RestExample | undefined> {
  return route.operation === 'service.openPages' ? PAGE : REST_EXAMPLES[operation]?.(occasion);
}

/** What an answer that is no success means; one to HEAD has no text to tell it by. */
export function outcomeOf(method: string, { status, headers, body }: Answer): Outcome {
  const said = body.startsWith('{') ? String((JSON.parse(body) as { message?: unknown }).message) : body;
  const wanted = method === 'HEAD' ? VERDICTS[status] : verdictOfText(said);
  const isChallenged = headers['www-authenticate']?.startsWith('Bearer') === true;
  if (status === 404) return { verdict: 'hidden', said };
  const isRefusal = wanted !== undefined && VERDICTS[status] === wanted && (status === 401) === isChallenged;
  return { verdict: isRefusal ? wanted : 'failed', said: `${status} ${said.slice(0, 200)}` };
}

const VERDICTS: Readonly<Record<number, 'unknown caller' | 'refused'>> = { 401: 'unknown caller', 403: 'refused' };

function contentTypeOf(method: string, example: RestExample | undefined): Record<string, string> {
  return method === 'GET' || method === 'HEAD' || (method === 'DELETE' && example?.body === undefined)
    ? {}
    : { 'content-type': 'application/json' };
}

function fillPath(path: string, place: Place, example: RestExample | undefined): string {
  const known: Readonly<Record<string, string>> = {
    project_identifier: place.project,
    project_id: place.projectId,
    trace_identifier: place.traceId,
    span_identifier: place.spanId,
    session_identifier: place.sessionId,
    ...example?.params,
  };
  return path
    .replaceAll(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(known[name] ?? 'unknown'))
    .replace('*', 'unknown');
}
