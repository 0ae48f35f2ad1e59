/** An operation for each field of GraphQL, which does no harm to what other operations need. */
import { formatGlobalId } from '#base/global-id';
import { ACCOUNTS } from './credentials.ts';
import {
  newBulkAction,
  newConfig,
  newQueue,
  type Occasion,
  spareAccount,
  spareGrantOf,
  spareKeyOf,
} from './rest-examples.ts';

/** What is asked. */
export interface GraphqlExample {
  readonly query: string;
  /** Codes of errors that callers who may get all the same. */
  readonly codes?: readonly string[];
}

type MakeExample = (occasion: Occasion) => GraphqlExample | Promise<GraphqlExample>;

const SAID = 'name: "quality", annotatorKind: HUMAN, metadata: {}, source: API';

/** Of fields whose made-up arguments are not enough. */
export const GRAPHQL_EXAMPLES: Readonly<Record<string, MakeExample>> = {
  'query getProjectByName': ({ place }) => ({ query: `{ getProjectByName(name: "${place.project}") { name } }` }),
  'query getProjectSessionById': ({ place }) => ({
    query: `{ getProjectSessionById(sessionId: "${place.sessionId}") { id } }`,
  }),
  'query getSpanByOtelId': ({ place }) => ({ query: `{ getSpanByOtelId(spanId: "${place.spanId}") { id } }` }),
  'query getTraceByOtelId': ({ place }) => ({ query: `{ getTraceByOtelId(traceId: "${place.traceId}") { id } }` }),
  'query tracesByIdPrefix': ({ place }) => ({
    query: `{ tracesByIdPrefix(prefix: "${place.traceId.slice(0, 8)}") { id } }`,
  }),
  'query spansByIdPrefix': ({ place }) => ({
    query: `{ spansByIdPrefix(prefix: "${place.spanId.slice(0, 8)}") { id } }`,
  }),
  'query sessionsByIdPrefix': ({ place }) => ({
    query: `{ sessionsByIdPrefix(prefix: "${place.sessionId}") { id } }`,
  }),
  'query searchResources': () => ({ query: '{ searchResources(query: "a") { __typename } }' }),
  'query node': ({ place }) => ({ query: `{ node(id: "${place.projectId}") { id } }` }),
  'query nodes': ({ place }) => ({ query: `{ nodes(ids: ["${place.projectId}"]) { id } }` }),

  'mutation createProject': ({ world }) => ({
    query: `mutation { createProject(input: { name: "made ${world.takeNumber()}" }) { project { name } } }`,
  }),
  'mutation patchProject': ({ place }) => ({
    query: `mutation { patchProject(input: { id: "${place.projectId}", description: "ours" }) { project { name } } }`,
  }),
  'mutation clearProject': ({ place }) => ({
    query: `mutation { clearProject(input: { id: "${place.projectId}", endTime: "2001-01-01T00:00:00Z" }) { __typename } }`,
  }),
  'mutation bulkDelete': ({ place }) => ({
    query: `mutation { bulkDelete(input: { projectId: "${place.projectId}", rows: TRACES, ids: ["${formatGlobalId('Trace', 9_999_999)}"] }) { id } }`,
  }),
  'mutation bulkMove': ({ world, place }) => ({
    query: `mutation { bulkMove(input: { projectId: "${place.projectId}", rows: TRACES, ids: ["${formatGlobalId('Trace', 9_999_999)}"] },
      toProjectId: "${(place === world.other ? world.own : world.other).projectId}") { id } }`,
  }),
  'mutation bulkAnnotate': ({ place }) => ({
    query: `mutation { bulkAnnotate(input: { projectId: "${place.projectId}", rows: TRACES, ids: ["${formatGlobalId('Trace', 9_999_999)}"] },
      annotation: { name: "tone", label: "kind" }) { id } }`,
  }),
  'mutation bulkQueue': ({ place }) => ({
    query: `mutation { bulkQueue(input: { projectId: "${place.projectId}", rows: TRACES, ids: ["${formatGlobalId('Trace', 9_999_999)}"] },
      queueId: "${formatGlobalId('AnnotationQueue', 9_999_999)}") { id } }`,
    codes: ['not_found'],
  }),
  'mutation cancelBulkAction': async (occasion) => ({
    query: `mutation { cancelBulkAction(id: "${await newBulkAction(occasion)}") { id } }`,
    codes: ['failed_precondition'],
  }),
  'mutation deleteProject': async ({ world }) => ({
    query: `mutation { deleteProject(id: "${await newProject(world)}") { __typename } }`,
  }),
  'mutation deleteTraces': async (occasion) => ({
    query: `mutation { deleteTraces(traceIds: ["${await traceNode(occasion)}"]) { __typename } }`,
  }),
  'mutation transferTracesToProject': async (occasion) => ({
    query: `mutation { transferTracesToProject(projectId: "${occasion.place.projectId}", traceIds: ["${await traceNode(occasion)}"]) { __typename } }`,
  }),

  'mutation createModel': ({ world }) => ({
    query: `mutation { createModel(input: { ${modelOf(world.takeNumber())} }) { model { name } } }`,
  }),
  'mutation updateModel': async ({ world }) => ({
    query: `mutation { updateModel(input: { id: "${await newModel(world)}", ${modelOf(world.takeNumber())} }) { model { name } } }`,
  }),
  'mutation deleteModel': async ({ world }) => ({
    query: `mutation { deleteModel(input: { id: "${await newModel(world)}" }) { model { name } } }`,
  }),
  'mutation repriceSpans': () => ({
    query: 'mutation { repriceSpans(input: { namePattern: "nobody" }) { __typename } }',
    codes: ['failed_precondition', 'conflict', 'already_exists'],
  }),

  'mutation createAnnotationConfig': ({ world }) => ({
    query: `mutation { createAnnotationConfig(input: { annotationConfig: { freeform: { name: "made ${world.takeNumber()}" } } }) { __typename } }`,
  }),
  'mutation updateAnnotationConfig': async ({ world }) => ({
    query: `mutation { updateAnnotationConfig(input: { id: "${await newConfig(world)}",
      annotationConfig: { freeform: { name: "made ${world.takeNumber()}" } } }) { __typename } }`,
  }),
  'mutation deleteAnnotationConfigs': async ({ world }) => ({
    query: `mutation { deleteAnnotationConfigs(input: { ids: ["${await newConfig(world)}"] }) { __typename } }`,
  }),
  'mutation addAnnotationConfigToProject': async ({ world, place }) => ({
    query: `mutation { addAnnotationConfigToProject(input: [{ projectId: "${place.projectId}", annotationConfigId: "${await newConfig(world)}" }]) { __typename } }`,
  }),
  'mutation removeAnnotationConfigFromProject': async ({ world, place }) => {
    const id = await newConfig(world);
    await world.send('PUT', `/v1/projects/${place.projectId}/annotation_configs/${id}`);
    return {
      query: `mutation { removeAnnotationConfigFromProject(input: [{ projectId: "${place.projectId}", annotationConfigId: "${id}" }]) { __typename } }`,
    };
  },
  ...annotationExamples(),
  ...queueExamples(),

  'mutation createProjectTraceRetentionPolicy': ({ world }) => ({
    query: `mutation { createProjectTraceRetentionPolicy(input: ${retentionOf(world.takeNumber())}) { node { id } } }`,
  }),
  'mutation patchProjectTraceRetentionPolicy': async ({ world }) => ({
    query: `mutation { patchProjectTraceRetentionPolicy(input: { id: "${await newRetention(world)}", cronExpression: "0 1 * * *" }) { node { id } } }`,
  }),
  'mutation deleteProjectTraceRetentionPolicy': async ({ world }) => ({
    query: `mutation { deleteProjectTraceRetentionPolicy(input: { id: "${await newRetention(world)}" }) { node { id } } }`,
  }),

  'mutation createSavedView': ({ world, place }) => ({
    query: `mutation { createSavedView(input: { projectId: "${place.projectId}", table: SPANS, name: "view ${world.takeNumber()}", content: "{}", isShared: false }) { savedView { id } } }`,
  }),
  // Which views a caller may change, the tests of the commands say.
  'mutation patchSavedView': () => ({
    query: `mutation { patchSavedView(input: { id: "${NO_VIEW}", name: "renamed" }) { savedView { id } } }`,
    codes: ['not_found'],
  }),
  'mutation deleteSavedView': () => ({
    query: `mutation { deleteSavedView(input: { id: "${NO_VIEW}" }) { savedView { id } } }`,
    codes: ['not_found'],
  }),
  'mutation setOwnDefaultSavedView': ({ place }) => ({
    query: `mutation { setOwnDefaultSavedView(input: { projectId: "${place.projectId}", table: SPANS }) { savedView { id } } }`,
  }),
  'mutation setSharedDefaultSavedView': ({ place }) => ({
    query: `mutation { setSharedDefaultSavedView(input: { projectId: "${place.projectId}", table: SPANS }) { savedView { id } } }`,
  }),

  'query viewer': () => ({ query: '{ viewer { passwordNeedsReset } }' }),
  'User.apiKeys': (occasion) => ({ query: askOwnAccount(occasion, 'apiKeys { id }') }),
  'User.oauth2Grants': (occasion) => ({ query: askOwnAccount(occasion, 'oauth2Grants { id }') }),
  'User.oauth2GrantCount': (occasion) => ({ query: askOwnAccount(occasion, 'oauth2GrantCount') }),
  'mutation revokeOAuth2Grant': async (occasion) => ({
    query: `mutation { revokeOAuth2Grant(input: { id: "${formatGlobalId('OAuth2Grant', await spareGrantOf(occasion))}" }) { grantId } }`,
  }),
  'User.apiKeyCount': (occasion) => ({ query: askOwnAccount(occasion, 'apiKeyCount') }),
  'mutation createUser': ({ world }) => ({
    query: `mutation { createUser(input: { ${newUser(world.takeNumber())} }) { user { id } } }`,
  }),
  'mutation patchUser': async (occasion) => ({
    query: `mutation { patchUser(input: { userId: "${await userNode(occasion)}", newUsername: "renamed ${occasion.world.takeNumber()}" }) { user { id } } }`,
  }),
  'mutation deleteUsers': async (occasion) => ({
    query: `mutation { deleteUsers(input: { userIds: ["${await userNode(occasion)}"] }) { userIds } }`,
  }),
  'mutation unlockUser': async (occasion) => ({
    query: `mutation { unlockUser(input: { userId: "${await userNode(occasion)}" }) { user { id } } }`,
  }),
  // Changes nothing. Who must choose a password may change nothing without it.
  'mutation patchViewer': ({ principal: { account, column } }) =>
    column === 'pending'
      ? { query: 'mutation { patchViewer(input: { newPassword: "x" }) { user { id } } }', codes: ['invalid_argument'] }
      : { query: `mutation { patchViewer(input: { newUsername: "the ${account ?? 'nobody'}" }) { user { id } } }` },
  'mutation createUserApiKey': () => ({
    query: 'mutation { createUserApiKey(input: { name: "made" }) { apiKey { id } } }',
  }),
  'mutation deleteUserApiKey': async (occasion) => ({
    query: `mutation { deleteUserApiKey(input: { id: "${formatGlobalId('UserApiKey', await spareKeyOf(occasion))}" }) { apiKeyId } }`,
  }),
  'mutation createSystemApiKey': () => ({
    query: 'mutation { createSystemApiKey(input: { name: "made" }) { apiKey { id } } }',
  }),
  'mutation deleteSystemApiKey': async ({ world }) => ({
    query: `mutation { deleteSystemApiKey(input: { id: "${formatGlobalId('SystemApiKey', (await world.credentials.addKey(null)).id)}" }) { apiKeyId } }`,
  }),
  'mutation upsertOrDeleteSecrets': ({ world }) => ({
    query: `mutation { upsertOrDeleteSecrets(input: { secrets: [{ key: "SECRET_${world.takeNumber()}", value: "hidden" }] }) { deletedIds } }`,
  }),
  'Secret.value': async ({ world }) => {
    const key = `SECRET_${world.takeNumber()}`;
    await world.send('PUT', '/v1/secrets', { secrets: [{ key, value: 'hidden' }] });
    return { query: `{ secrets(keys: ["${key}"]) { edges { node { value { __typename } } } } }` };
  },
  'query auditEvents': () => ({ query: '{ auditEvents(first: 1) { edges { node { id } } } }' }),

  'subscription projectChanges': ({ place }) => ({
    query: `subscription { projectChanges(projectId: "${place.projectId}") { project { name } } }`,
  }),
};

/** What only authors may change is asked of annotations that are not there: who may not change any is refused before. */
function annotationExamples(): Readonly<Record<string, MakeExample>> {
  const ofNone = (mutation: string, input: string): [string, MakeExample] => [
    `mutation ${mutation}`,
    () => ({ query: `mutation { ${mutation}(${input}) { __typename } }`, codes: ['not_found'] }),
  ];
  const types = { Span: 'SpanAnnotation', Trace: 'TraceAnnotation', Document: 'DocumentAnnotation' } as const;
  const session = formatGlobalId('ProjectSessionAnnotation', 9_999_999);
  const changes = Object.entries(types).flatMap(([target, type]) => {
    const id = formatGlobalId(type, 9_999_999);
    return [
      ofNone(`patch${target}Annotations`, `input: [{ annotationId: "${id}", label: "good" }]`),
      ofNone(`delete${target}Annotations`, `input: { annotationIds: ["${id}"] }`),
      ...(target === 'Document' ? [] : [ofNone(`delete${target}Notes`, `input: { annotationIds: ["${id}"] }`)]),
    ];
  });
  const byName = (mutation: string): [string, MakeExample] => [
    `mutation ${mutation}`,
    ({ place }) => ({
      query: `mutation { ${mutation}(input: { projectId: "${place.projectId}", annotationName: "nothing" }) { deletedAnnotationCount } }`,
    }),
  ];
  return {
    ...Object.fromEntries([
      ...changes,
      ofNone('deleteProjectSessionAnnotation', `id: "${session}"`),
      ofNone('deleteProjectSessionNotes', `input: { annotationIds: ["${session}"] }`),
      ofNone('updateProjectSessionAnnotations', `input: { id: "${session}", ${SAID} }`),
      ...['Span', 'Trace', 'Session', 'Document'].map((target) => byName(`deleteProject${target}Annotations`)),
    ]),
    'mutation createSpanAnnotations': async (occasion) => ({
      query: `mutation { createSpanAnnotations(input: [{ spanId: "${await spanNode(occasion)}", ${SAID} }]) { __typename } }`,
    }),
    'mutation createTraceAnnotations': async (occasion) => ({
      query: `mutation { createTraceAnnotations(input: [{ traceId: "${await idOf(occasion, `getTraceByOtelId(traceId: "${occasion.place.traceId}")`)}", ${SAID} }]) { __typename } }`,
    }),
    'mutation createDocumentAnnotations': async (occasion) => ({
      query: `mutation { createDocumentAnnotations(input: [{ spanId: "${await spanNode(occasion)}", documentPosition: 0, ${SAID} }]) { __typename } }`,
      // The span retrieved none.
      codes: ['invalid_argument'],
    }),
    'mutation createProjectSessionAnnotations': async (occasion) => ({
      query: `mutation { createProjectSessionAnnotations(input: { projectSessionId: "${await idOf(occasion, `getProjectSessionById(sessionId: "${occasion.place.sessionId}")`)}", ${SAID} }) { __typename } }`,
    }),
    'mutation createSpanNote': async (occasion) => ({
      query: `mutation { createSpanNote(annotationInput: { spanId: "${await spanNode(occasion)}", note: "seen" }) { __typename } }`,
    }),
    'mutation createSpanNotes': ({ place }) => ({
      query: `mutation { createSpanNotes(input: [{ span: { otelId: "${place.spanId}" }, note: "seen" }]) { __typename } }`,
    }),
    'mutation createTraceNotes': ({ place }) => ({
      query: `mutation { createTraceNotes(input: [{ trace: { otelId: "${place.traceId}" }, note: "seen" }]) { __typename } }`,
    }),
    'mutation createProjectSessionNotes': ({ place }) => ({
      query: `mutation { createProjectSessionNotes(input: [{ session: { sessionId: "${place.sessionId}" }, note: "seen" }]) { __typename } }`,
    }),
  };
}

function queueExamples(): Readonly<Record<string, MakeExample>> {
  const ITEM = formatGlobalId('AnnotationQueueItem', 9_999_999);
  return {
    'mutation createAnnotationQueue': ({ world }) => ({
      query: `mutation { createAnnotationQueue(input: { name: "made ${world.takeNumber()}", rows: SPANS, annotationConfigIds: [] }) { id } }`,
    }),
    'mutation patchAnnotationQueue': async ({ world }) => ({
      query: `mutation { patchAnnotationQueue(input: { id: "${await newQueue(world)}", isBlind: true }) { id } }`,
    }),
    'mutation deleteAnnotationQueue': async ({ world }) => ({
      query: `mutation { deleteAnnotationQueue(id: "${await newQueue(world)}") }`,
    }),
    'mutation addAnnotationQueueRule': async ({ world, place }) => ({
      query: `mutation { addAnnotationQueueRule(input: { queueId: "${await newQueue(world)}", projectId: "${place.projectId}", samplePercent: 1 }) { id } }`,
    }),
    'mutation deleteAnnotationQueueRule': () => ({
      query: `mutation { deleteAnnotationQueueRule(id: "${formatGlobalId('AnnotationQueueRule', 9_999_999)}") { id } }`,
      codes: ['not_found'],
    }),
    'mutation removeAnnotationQueueItems': async ({ world }) => ({
      query: `mutation { removeAnnotationQueueItems(queueId: "${await newQueue(world)}", itemIds: ["${ITEM}"]) { id } }`,
      codes: ['not_found'],
    }),
    'mutation holdAnnotationQueueItem': async ({ world }) => ({
      query: `mutation { holdAnnotationQueueItem(queueId: "${await newQueue(world)}", holder: "somebody") { item { id } } }`,
    }),
    'mutation releaseAnnotationQueueItem': () => ({
      query: `mutation { releaseAnnotationQueueItem(itemId: "${ITEM}", holder: "somebody") { id } }`,
      codes: ['not_found'],
    }),
    'mutation reviewAnnotationQueueItem': () => ({
      query: `mutation { reviewAnnotationQueueItem(itemId: "${ITEM}", outcome: SKIPPED, holder: "somebody") { item { id } } }`,
      codes: ['not_found'],
    }),
  };
}

/** The id of what a query finds. */
async function idOf({ world }: Occasion, field: string): Promise<string> {
  const { found } = (await run({ world }, `{ found: ${field} { id } }`)) as { found: { id: string } };
  return found.id;
}

function spanNode(occasion: Occasion): Promise<string> {
  return idOf(occasion, `getSpanByOtelId(spanId: "${occasion.place.spanId}")`);
}
const NO_VIEW = formatGlobalId('SavedView', 9_999_999);

/** Of callers without an account the system's, where there is a caller. */
function askOwnAccount({ principal: { account, column } }: Occasion, fields: string): string {
  if (account === null && column !== 'off') return `{ viewer { ${fields} } }`;
  const id = formatGlobalId('User', ACCOUNTS[account ?? 'admin']);
  return `{ node(id: "${id}") { ... on User { ${fields} } } }`;
}

function newUser(number: number): string {
  return `email: "made-${number}@example.org", username: "made ${number} here", role: MEMBER, password: "a-password-of-tests"`;
}

async function userNode(occasion: Occasion): Promise<string> {
  return formatGlobalId('User', await spareAccount(occasion));
}

type Data = Readonly<Record<string, unknown>>;

async function run({ world }: Pick<Occasion, 'world'>, query: string): Promise<Data> {
  const { data, errors } = (await world.send('POST', '/graphql', { query })) as { data?: Data; errors?: unknown };
  if (errors !== undefined || data === undefined) throw new Error(`${query}: ${JSON.stringify(errors)}`);
  return data;
}

async function newProject(world: Occasion['world']): Promise<string> {
  const query = `mutation { createProject(input: { name: "doomed ${world.takeNumber()}" }) { project { id } } }`;
  const { createProject } = (await run({ world }, query)) as { createProject: { project: { id: string } } };
  return createProject.project.id;
}

async function traceNode({ world, place }: Occasion): Promise<string> {
  const { traceId } = place === world.other ? place : world.takeTrace();
  const { getTraceByOtelId } = (await run({ world }, `{ getTraceByOtelId(traceId: "${traceId}") { id } }`)) as {
    getTraceByOtelId: { id: string };
  };
  return getTraceByOtelId.id;
}

function modelOf(number: number): string {
  const costs = ['input', 'output'].map(
    (tokenType) =>
      `{ tokenType: "${tokenType}", costPerMillionTokens: 1, kind: ${tokenType === 'input' ? 'PROMPT' : 'COMPLETION'} }`,
  );
  return `name: "model ${number}", namePattern: "^model ${number}$", costs: [${costs.join(', ')}]`;
}

async function newModel(world: Occasion['world']): Promise<string> {
  const query = `mutation { createModel(input: { ${modelOf(world.takeNumber())} }) { model { id } } }`;
  const { createModel } = (await run({ world }, query)) as { createModel: { model: { id: string } } };
  return createModel.model.id;
}

function retentionOf(number: number): string {
  return `{ name: "policy ${number}", cronExpression: "0 0 * * *", rule: { maxDays: { maxDays: 100 } } }`;
}

async function newRetention(world: Occasion['world']): Promise<string> {
  const query = `mutation { createProjectTraceRetentionPolicy(input: ${retentionOf(world.takeNumber())}) { node { id } } }`;
  const made = (await run({ world }, query)) as { createProjectTraceRetentionPolicy: { node: { id: string } } };
  return made.createProjectTraceRetentionPolicy.node.id;
}
