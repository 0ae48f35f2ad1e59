/** A request for each HTTP route, which does no harm to what other requests need. */
import { formatGlobalId } from '#base/global-id';
import { logsRequest, requestOf, otlpSpan, spanId, traceId } from '../../harness/otlp-json.ts';
import { ACCOUNTS, cookie, type Principal } from './credentials.ts';
import type { Place, World } from './world.ts';

/** What is sent; parameters of the path stand for what the place has unless the example says others. */
export interface RestExample {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Credentials instead of the caller's, where using them up would leave the caller without. */
  readonly as?: Readonly<Record<string, string>>;
  /** Statuses of callers who may; below 400 unless said otherwise. */
  readonly answers?: readonly number[];
  /** What those answers say, where a caller who may not could be answered with the same status. */
  readonly says?: RegExp;
}

/** What an example is made of. */
export interface Occasion {
  readonly world: World;
  /** Where it happens: for keys of another project not in theirs. */
  readonly place: Place;
  readonly principal: Principal;
}

type MakeExample = (occasion: Occasion) => RestExample | Promise<RestExample>;

/** Of routes that need more than the parameters of their path. */
export const REST_EXAMPLES: Readonly<Record<string, MakeExample>> = {
  'POST /v1/traces': ({ world, place }) => ({
    headers: { 'x-project-name': place.project },
    body: requestOf([newSpan(world)]),
  }),
  'POST /v1/logs': ({ world, place }) => ({
    headers: { 'x-project-name': place.project },
    body: logsRequest([{ traceId: traceId(newNumber(world)), spanId: spanId(1), body: 'said' }]),
  }),
  'POST /v1/metrics': ({ place }) => ({ headers: { 'x-project-name': place.project }, body: { resourceMetrics: [] } }),

  'GET /v1/projects/{project_identifier}/search': () => ({ query: 'text=said' }),
  'POST /v1/projects/{project_identifier}/spans': ({ world }) => {
    const id = newNumber(world);
    const time = '2026-01-01T00:00:00Z';
    const context = { trace_id: traceId(id), span_id: spanId(id) };
    const span = { name: 'made', context, span_kind: 'CHAIN', start_time: time, end_time: time, status_code: 'OK' };
    return { body: { data: [span] } };
  },
  'POST /v1/spans': ({ place }) => ({ body: { queries: [{}], project_name: place.project } }),
  'DELETE /v1/projects/{project_identifier}': async ({ world }) => {
    const name = `doomed ${world.takeNumber()}`;
    await world.send('POST', '/v1/traces', requestOf([newSpan(world)], { 'openinference.project.name': name }));
    return { params: { project_identifier: name } };
  },
  'DELETE /v1/projects/{project_identifier}/traces': () => ({
    query: 'start_time=2001-01-01T00:00:00Z&end_time=2001-01-02T00:00:00Z',
  }),
  'POST /v1/projects/{project_identifier}/bulk_actions': () => ({ body: NAMED_ROWS }),
  'GET /v1/projects/{project_identifier}/bulk_actions/{bulk_action_id}': async (occasion) => ({
    params: { bulk_action_id: await newBulkAction(occasion) },
  }),
  'POST /v1/projects/{project_identifier}/bulk_actions/{bulk_action_id}/cancel': async (occasion) => ({
    params: { bulk_action_id: await newBulkAction(occasion) },
    answers: [409],
    says: /over already/,
  }),
  'PATCH /v1/projects/{project_identifier}/retention': () => ({ body: { policy_id: null } }),
  'DELETE /v1/traces/{trace_identifier}': (occasion) => ({ params: { trace_identifier: spareOf(occasion).traceId } }),
  'DELETE /v1/spans/{span_identifier}': (occasion) => ({ params: { span_identifier: spareOf(occasion).spanId } }),
  'DELETE /v1/sessions/{session_identifier}': (occasion) => ({
    params: { session_identifier: spareOf(occasion).sessionId },
  }),
  'POST /v1/sessions/delete': (occasion) => ({ body: { session_identifiers: [spareOf(occasion).sessionId] } }),
  'POST /v1/traces/transfer': (occasion) => ({
    body: {
      trace_identifiers: [spareOf(occasion).traceId],
      destination_project_identifier: occasion.place.project,
    },
  }),

  'POST /v1/span_annotations': ({ place }) => annotationsOf({ span_id: place.spanId }),
  'POST /v1/trace_annotations': ({ place }) => annotationsOf({ trace_id: place.traceId }),
  'POST /v1/session_annotations': ({ place }) => annotationsOf({ session_id: place.sessionId }),
  'POST /v1/document_annotations': ({ place }) => annotationsOf({ span_id: place.spanId, document_position: 0 }),
  'POST /v1/span_notes': ({ place }) => ({ body: { data: { span_id: place.spanId, note: 'seen' } } }),
  'POST /v1/trace_notes': ({ place }) => ({ body: { data: { trace_id: place.traceId, note: 'seen' } } }),
  'POST /v1/session_notes': ({ place }) => ({ body: { data: { session_id: place.sessionId, note: 'seen' } } }),
  'GET /v1/projects/{project_identifier}/span_annotations': () => ({ query: 'identifier=none' }),
  'GET /v1/projects/{project_identifier}/trace_annotations': () => ({ query: 'identifier=none' }),
  'GET /v1/projects/{project_identifier}/session_annotations': () => ({ query: 'identifier=none' }),
  'DELETE /v1/projects/{project_identifier}/span_annotations': () => NO_ANNOTATIONS,
  'DELETE /v1/projects/{project_identifier}/trace_annotations': () => NO_ANNOTATIONS,
  'DELETE /v1/projects/{project_identifier}/session_annotations': () => NO_ANNOTATIONS,
  'DELETE /v1/span_annotations/{annotation_id}': () => noAnnotation('SpanAnnotation'),
  'DELETE /v1/trace_annotations/{annotation_id}': () => noAnnotation('TraceAnnotation'),
  'DELETE /v1/session_annotations/{annotation_id}': () => noAnnotation('ProjectSessionAnnotation'),
  'DELETE /v1/document_annotations/{annotation_id}': () => noAnnotation('DocumentAnnotation'),

  'GET /v1/model_prices/{price_id}': async ({ world }) => ({ params: { price_id: await newPrice(world) } }),
  'POST /v1/model_prices': ({ world }) => ({ body: priceOf(world.takeNumber()) }),
  'PUT /v1/model_prices/{price_id}': async ({ world }) => ({
    params: { price_id: await newPrice(world) },
    body: priceOf(world.takeNumber()),
  }),
  'DELETE /v1/model_prices/{price_id}': async ({ world }) => ({ params: { price_id: await newPrice(world) } }),
  'POST /v1/repricing': () => ({ body: { name_pattern: 'nobody' }, answers: [202, 409] }),
  'POST /v1/reindex': () => ({ body: { normalise: true } }),

  'POST /v1/annotation_configs': ({ world }) => ({ body: configOf(world.takeNumber()) }),
  'GET /v1/annotation_configs/{config_identifier}': () => ({ params: { config_identifier: 'user_feedback' } }),
  'PUT /v1/annotation_configs/{config_identifier}': async ({ world }) => ({
    params: { config_identifier: await newConfig(world) },
    body: configOf(world.takeNumber()),
  }),
  'DELETE /v1/annotation_configs/{config_identifier}': async ({ world }) => ({
    params: { config_identifier: await newConfig(world) },
  }),
  'PUT /v1/projects/{project_identifier}/annotation_configs': () => ({ body: { annotation_config_ids: [] } }),
  'PUT /v1/projects/{project_identifier}/annotation_configs/{config_identifier}': () => ({
    params: { config_identifier: 'user_feedback' },
  }),
  'DELETE /v1/projects/{project_identifier}/annotation_configs/{config_identifier}': () => ({
    params: { config_identifier: 'user_feedback' },
  }),

  'POST /v1/annotation_queues': ({ world }) => ({ body: queueOf(world.takeNumber()) }),
  'GET /v1/annotation_queues/{queue_identifier}': namesQueue,
  'PATCH /v1/annotation_queues/{queue_identifier}': async (occasion) => ({
    ...(await namesQueue(occasion)),
    body: { is_blind: true },
  }),
  'DELETE /v1/annotation_queues/{queue_identifier}': namesQueue,
  'POST /v1/annotation_queues/{queue_identifier}/rules': async (occasion) => ({
    ...(await namesQueue(occasion)),
    body: { project_identifier: occasion.place.project, sample_percent: 1 },
  }),
  'DELETE /v1/annotation_queues/{queue_identifier}/rules/{rule_id}': async (occasion) => ({
    params: { ...(await namesQueue(occasion)).params, rule_id: formatGlobalId('AnnotationQueueRule', 9_999_999) },
    answers: [404],
    says: /no such rule/,
  }),
  'GET /v1/annotation_queues/{queue_identifier}/items': namesQueue,
  'POST /v1/annotation_queues/{queue_identifier}/items/hold': async (occasion) => ({
    ...(await namesQueue(occasion)),
    body: { holder: 'somebody' },
  }),
  'DELETE /v1/annotation_queues/{queue_identifier}/items/{item_id}': noItem,
  'POST /v1/annotation_queues/{queue_identifier}/items/{item_id}/review': async (occasion) => ({
    ...(await noItem(occasion)),
    body: { outcome: 'completed', holder: 'somebody' },
  }),
  'POST /v1/annotation_queues/{queue_identifier}/items/{item_id}/release': async (occasion) => ({
    ...(await noItem(occasion)),
    body: { holder: 'somebody' },
  }),

  'POST /v1/projects': ({ world }) => ({ body: { name: `made ${world.takeNumber()}` } }),
  'PUT /v1/projects/{project_identifier}': () => ({ body: { description: 'ours' } }),

  'POST /v1/users': ({ world }) => ({ body: { user: newUser(world.takeNumber()), send_welcome_email: false } }),
  'DELETE /v1/users/{user_id}': async (occasion) => ({
    params: { user_id: formatGlobalId('User', await spareAccount(occasion)) },
  }),
  'POST /v1/user/api_keys': () => ({ body: NEW_KEY }),
  'DELETE /v1/user/api_keys/{api_key_id}': async (occasion) => ({
    params: { api_key_id: formatGlobalId('UserApiKey', await spareKeyOf(occasion)) },
  }),
  'POST /v1/system/api_keys': () => ({ body: NEW_KEY }),
  'DELETE /v1/system/api_keys/{api_key_id}': async ({ world }) => ({
    params: { api_key_id: formatGlobalId('SystemApiKey', (await world.credentials.addKey(null)).id) },
  }),
  'PUT /v1/secrets': ({ world }) => ({ body: { secrets: [{ key: `SECRET_${world.takeNumber()}`, value: 'hidden' }] } }),
  'GET /v1/audit_events/export': () => ({ query: 'format=csv' }),

  // What is sent is nothing to sign in with: 401 is how signing in is refused, to everybody alike.
  'POST /auth/login': () => ({ body: {}, answers: [401], says: /Email and password/ }),
  'POST /auth/ldap/login': () => ({ body: {}, answers: [503], says: /has no directory/ }),
  'POST /auth/refresh': async (occasion) => {
    const { refresh } = await spareSession(occasion);
    return { as: { cookie: `phoenix-refresh-token=${refresh}` } };
  },
  'GET /auth/logout': async (occasion) => ({ as: cookie((await spareSession(occasion)).access) }),
  'POST /auth/password-reset-email': () => ({ body: {}, answers: [422, 503] }),
  'POST /auth/password-reset': () => ({
    body: { token: 'nonsense', password: 'another one' },
    answers: [401],
    says: /token/i,
  }),

  // Refusals lead back to the page for signing in, whoever asks.
  'GET /oauth2/{idp}/login': () => NO_PROVIDER,
  'POST /oauth2/{idp}/login': () => NO_PROVIDER,
  'GET /oauth2/{idp}/tokens': () => NO_PROVIDER,
  'GET /oauth2/authorize': () => ({ query: `${AUTHORIZATION}` }),
  'GET /oauth2/authorize/request': () => ({ query: `${AUTHORIZATION}` }),
  'POST /oauth2/authorize/decision': ({ world }) => ({
    body: { ...Object.fromEntries(AUTHORIZATION), approved: false },
    headers: { origin: world.server.url },
  }),
  // Nothing that is sent is a code, a token or an address: that is how everybody is told alike.
  'POST /oauth2/token': () => ({ headers: FORM, answers: [400], says: /grant_type is missing/ }),
  'POST /oauth2/revoke': () => ({ headers: FORM }),
  'POST /oauth2/register': () => ({ body: {}, answers: [400], says: /redirect_uris/ }),

  'GET /docs': () => PAGE,
  // Nothing has the id; a checkout that is not built has no page to say so.
  'GET /redirects/*': () => ({ answers: [404, 503] }),
  'GET /graphql': () => PAGE,
  'POST /graphql': () => ({ body: { query: '{ __typename }' } }),
};

const NO_ANNOTATIONS: RestExample = { query: 'delete_all=true&name=none' };

/** In the background, where positions of documents need not be there. */
function annotationsOf(target: object): RestExample {
  return { body: { data: [{ ...target, name: 'seen', annotator_kind: 'HUMAN', result: { label: 'yes' } }] } };
}

/** Who may delete is told that there is no such annotation. */
function noAnnotation(type: Parameters<typeof formatGlobalId>[0]): RestExample {
  return { params: { annotation_id: formatGlobalId(type, 9_999_999) }, answers: [404], says: /do not exist/ };
}

/** A provider that no settings name. */
const NO_PROVIDER: RestExample = { params: { idp: 'nobody' } };

/** Of pages, which a checkout that is not built does not have. */
export const PAGE: RestExample = { answers: [200, 503] };

function configOf(number: number) {
  return { type: 'FREEFORM', name: `config ${number}` };
}

function queueOf(number: number) {
  return { name: `made ${number}`, rows: 'traces' };
}

/** The id of a queue that was made for it. */
export async function newQueue(world: World): Promise<string> {
  const { data } = (await world.send('POST', '/v1/annotation_queues', queueOf(world.takeNumber()))) as {
    data: { id: string };
  };
  return data.id;
}

async function namesQueue({ world }: Pick<Occasion, 'world'>) {
  return { params: { queue_identifier: await newQueue(world) } };
}

async function noItem(occasion: Occasion) {
  const { params } = await namesQueue(occasion);
  const item_id = formatGlobalId('AnnotationQueueItem', 9_999_999);
  return { params: { ...params, item_id }, answers: [404], says: /no such item|not in the queue/ };
}

/** The id of an annotation config that nothing else needs. */
export async function newConfig(world: World): Promise<string> {
  const { data } = (await world.send('POST', '/v1/annotation_configs', configOf(world.takeNumber()))) as {
    data: { id: string };
  };
  return data.id;
}

/** What a caller may delete; of another project only what must not be deleted. */
/** Rows that are not there: nothing is deleted. */
const NAMED_ROWS = { action: 'delete', rows: 'traces', ids: [formatGlobalId('Trace', 9_999_999)] };

/** The id of a bulk action in the place's project, which is over. */
export async function newBulkAction({ world, place }: Pick<Occasion, 'world' | 'place'>): Promise<string> {
  const path = `/v1/projects/${encodeURIComponent(place.projectId)}/bulk_actions`;
  const { data } = (await world.send('POST', path, NAMED_ROWS)) as { data: { id: string } };
  return data.id;
}

function spareOf({ world, place }: Occasion): Place {
  return place === world.other ? place : world.takeTrace();
}

/** An account that nothing else needs, by its row id. */
export async function spareAccount({ world }: Pick<Occasion, 'world'>): Promise<number> {
  const number = world.takeNumber();
  // Downwards, because servers give ids upwards.
  const rowId = 1_000_000 - number;
  await world.credentials.addAccount(rowId, `spare ${number}`, 'VIEWER');
  return rowId;
}

async function spareSession(occasion: Occasion) {
  return occasion.world.credentials.signIn(await spareAccount(occasion));
}

/** A key that its caller may delete, by its row id. */
export async function spareKeyOf({ world, principal: { account } }: Occasion): Promise<number> {
  return (await world.credentials.addKey(ACCOUNTS[account ?? 'member'])).id;
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

/** What the command line asks for. */
const AUTHORIZATION = new URLSearchParams({
  response_type: 'code',
  client_id: 'phoenix-cli',
  redirect_uri: 'http://127.0.0.1:1/callback',
  state: 'a-state-of-22-characters',
  code_challenge: 'c'.repeat(43),
  code_challenge_method: 'S256',
});

/** A grant that its caller may revoke, by its row id. */
export async function spareGrantOf({ world, principal: { account } }: Occasion): Promise<number> {
  return (await world.credentials.addGrant(ACCOUNTS[account ?? 'member'])).id;
}

const NEW_KEY = { data: { name: 'made' } };

function newUser(number: number) {
  return {
    auth_method: 'LOCAL',
    email: `made-${number}@example.com`,
    username: `made ${number}`,
    role: 'MEMBER',
    password: 'a-password-of-tests',
  };
}

/** Ids that nothing else has. */
function newNumber(world: World): number {
  return 100_000 + world.takeNumber();
}

function newSpan(world: World) {
  const id = newNumber(world);
  return otlpSpan({ traceId: traceId(id), spanId: spanId(id) });
}

function priceOf(number: number) {
  const prices = ['input', 'output'].map((token_type) => ({
    token_type,
    is_prompt: token_type === 'input',
    usd_per_million_tokens: 1,
  }));
  return { name: `price ${number}`, name_pattern: `^model ${number}$`, prices };
}

async function newPrice(world: World): Promise<string> {
  const { data } = (await world.send('POST', '/v1/model_prices', priceOf(world.takeNumber()))) as {
    data: { id: string };
  };
  return data.id;
}
