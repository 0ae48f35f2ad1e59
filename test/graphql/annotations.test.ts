/** Annotations and notes over GraphQL, on a whole server that knows its people. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { formatGlobalId } from '#base/global-id';
import { addPerson, type Shown, type TestPerson, WITH_PEOPLE } from '../harness/accounts.ts';
import { AS_ADMIN } from '../harness/asking-server.ts';
import { type GraphqlAnswer, postGraphql, readEvents } from '../harness/graphql.ts';
import { exportAll } from '../harness/otlp-client.ts';
import { spanId, TEST_START_US, traceId, traceRequest } from '../harness/otlp-json.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';

let server: TestServer;
let ann: TestPerson;
let bob: TestPerson;
/** Ids of two spans, of their trace, of its session, and of its project. */
let spans: readonly [string, string];
let trace: string;
let session: string;
let project: string;

beforeAll(async () => {
  server = await startTestServer(WITH_PEOPLE);
  ann = await addPerson(server.url, 'ann', 'MEMBER');
  bob = await addPerson(server.url, 'bob', 'MEMBER');
  const attributes = {
    'session.id': 'talk',
    'openinference.span.kind': 'RETRIEVER',
    ...Object.fromEntries([0, 1, 2].map((place) => [`retrieval.documents.${place}.document.content`, `text ${place}`])),
  };
  const request = traceRequest(
    [1, 2].map((number) => ({
      traceId: traceId(1),
      spanId: spanId(number),
      startUs: TEST_START_US + number,
      ...(number === 2 && { parentSpanId: spanId(1) }),
      attributes,
    })),
  );
  await exportAll(server.url, request, AS_ADMIN);
  type Found = Readonly<Record<'one' | 'two' | 'trace' | 'session' | 'project', { readonly id: string }>>;
  const found = await read<Found>(`{
    one: getSpanByOtelId(spanId: "${spanId(1)}") { id } two: getSpanByOtelId(spanId: "${spanId(2)}") { id }
    trace: getTraceByOtelId(traceId: "${traceId(1)}") { id } session: getProjectSessionById(sessionId: "talk") { id }
    project: getProjectByName(name: "default") { id } }`);
  spans = [found.one.id, found.two.id];
  [trace, session, project] = [found.trace.id, found.session.id, found.project.id];
});

afterAll(() => server[Symbol.asyncDispose]());

async function ask<Data = Readonly<Record<string, never>>>(
  query: string,
  headers: Shown = ann.headers,
  variables: object = {},
): Promise<GraphqlAnswer<Data>> {
  return (await (await postGraphql(server.url, { query, variables }, headers)).json()) as GraphqlAnswer<Data>;
}

/** The data of what succeeds. */
async function read<Data>(query: string, headers?: Shown, variables?: object): Promise<Data> {
  const { data, errors } = await ask<Data>(query, headers, variables);
  expect(errors).toBeUndefined();
  return data as Data;
}

async function refusal(mutation: string, headers?: Shown): Promise<string> {
  const { errors } = await ask(`mutation { ${mutation} { __typename } }`, headers);
  return `${errors?.[0]?.extensions?.code}: ${errors?.[0]?.message}`;
}

interface Said {
  readonly id: string;
  readonly name: string;
  readonly label: string | null;
  readonly score: number | null;
}

const said = (name: string, more = '') => `name: "${name}", annotatorKind: LLM, metadata: {}, source: API ${more}`;

/** Says something of spans; gives what the answer says. */
async function say(inputs: readonly string[], headers?: Shown): Promise<readonly Said[]> {
  const list = inputs.map((input) => `{ ${input} }`).join(' ');
  const { createSpanAnnotations } = await read<{ createSpanAnnotations: { spanAnnotations: readonly Said[] } }>(
    `mutation { createSpanAnnotations(input: [${list}]) { spanAnnotations { id name label score } query { projectCount } } }`,
    headers,
  );
  return createSpanAnnotations.spanAnnotations;
}

it('are stored in the order of the input, each in place of the one with its key, and read with their spans', async () => {
  const [one, two] = await say([
    `spanId: "${spans[1]}" ${said('quality', 'score: 0.5')}`,
    `spanId: "${spans[0]}" ${said('quality', 'label: "poor" explanation: "because"')}`,
  ]);
  expect([one?.score, two?.label]).toEqual([0.5, 'poor']);
  const [again] = await say([`spanId: "${spans[0]}" ${said('quality', 'label: "good"')}`]);
  expect(again).toEqual({ ...two, label: 'good' });
  const { node } = await read<{ node: object }>(
    `{ node(id: "${two?.id}") { __typename ... on Annotation { name identifier source annotatorKind metadata user { username } }
      ... on SpanAnnotation { label explanation spanId span { spanId spanAnnotations { id } } } } }`,
  );
  expect(node).toEqual({
    __typename: 'SpanAnnotation',
    name: 'quality',
    identifier: '',
    source: 'API',
    annotatorKind: 'LLM',
    metadata: {},
    user: { username: 'ann' },
    label: 'good',
    explanation: null,
    spanId: spans[0],
    span: { spanId: spanId(1), spanAnnotations: [{ id: two?.id }] },
  });
});

it('of one person over the web UI are one for each name, and those of another person another', async () => {
  const input = `spanId: "${spans[0]}" name: "taste" annotatorKind: HUMAN metadata: {} source: APP`;
  const [mine] = await say([input]);
  expect((await say([`${input} label: "sweet"`]))[0]?.id).toBe(mine?.id);
  expect((await say([input], bob.headers))[0]?.id).not.toBe(mine?.id);
  const byUsers = (filter: string) =>
    read<{ node: { spanAnnotations: readonly { identifier: string }[] } }>(
      `{ node(id: "${spans[0]}") { ... on Span { spanAnnotations(filter: ${filter}) { identifier } } } }`,
    );
  const { node } = await byUsers(`{ include: { names: ["taste"], userIds: ["${ann.id}"] } }`);
  expect(node.spanAnnotations).toEqual([{ identifier: `px-app:${ann.id}` }]);
  const { node: rest } = await byUsers(`{ include: { names: ["taste"] }, exclude: { userIds: ["${ann.id}"] } }`);
  expect(rest.spanAnnotations).toEqual([{ identifier: `px-app:${bob.id}` }]);
});

it('are changed by their author alone, and deleted by their author or an administrator', async () => {
  const [first, second] = await say([
    `spanId: "${spans[0]}" ${said('mine', 'label: "a" score: 1')}`,
    `spanId: "${spans[1]}" ${said('mine')}`,
  ]);
  const patch = `patchSpanAnnotations(input: [{ annotationId: "${first?.id}", label: null, explanation: "why" }])`;
  expect(await refusal(patch, bob.headers)).toBe(
    'permission_denied: At least one annotation is not associated with the current user.',
  );
  expect(await read(`mutation { ${patch} { spanAnnotations { label score explanation } } }`)).toEqual({
    patchSpanAnnotations: { spanAnnotations: [{ label: null, score: 1, explanation: 'why' }] },
  });
  const remove = (ids: readonly string[]) => `deleteSpanAnnotations(input: { annotationIds: ${JSON.stringify(ids)} })`;
  expect(await refusal(remove([first?.id ?? '']), bob.headers)).toMatch(/^permission_denied/);
  expect(await refusal(remove([]))).toMatch(/^invalid_argument/);
  expect(await refusal(remove([first?.id ?? '', first?.id ?? '']))).toMatch(/^invalid_argument.*more than once/);
  expect(await read(`mutation { ${remove([second?.id ?? ''])} { spanAnnotations { id } } }`)).toEqual({
    deleteSpanAnnotations: { spanAnnotations: [{ id: second?.id }] },
  });
  expect(await read(`mutation { ${remove([first?.id ?? ''])} { spanAnnotations { id } } }`, AS_ADMIN)).toEqual({
    deleteSpanAnnotations: { spanAnnotations: [{ id: first?.id }] },
  });
});

it('of traces and sessions are stored over and over, changed and deleted', async () => {
  const ofTrace = (more: string) =>
    read<{ createTraceAnnotations: { traceAnnotations: readonly [Said] } }>(
      `mutation { createTraceAnnotations(input: [{ traceId: "${trace}" ${said('tone', more)} }]) { traceAnnotations { id name label score } } }`,
    );
  const {
    createTraceAnnotations: {
      traceAnnotations: [older],
    },
  } = await ofTrace('score: 1');
  const {
    createTraceAnnotations: {
      traceAnnotations: [newer],
    },
  } = await ofTrace('identifier: "b"');
  expect(await read(`{ node(id: "${trace}") { ... on Trace { traceAnnotations { id trace { traceId } } } } }`)).toEqual(
    {
      node: { traceAnnotations: [newer, older].map(({ id }) => ({ id, trace: { traceId: traceId(1) } })) },
    },
  );
  expect(await refusal(`patchTraceAnnotations(input: [{ annotationId: "${newer.id}", identifier: "" }])`)).toMatch(
    /^already_exists/,
  );

  const ofSession = (more: string) =>
    read<{ createProjectSessionAnnotations: { projectSessionAnnotation: Said } }>(
      `mutation { createProjectSessionAnnotations(input: { projectSessionId: "${session}" ${said('mood', more)} }) { projectSessionAnnotation { id name label score } } }`,
    );
  const {
    projectSessionAnnotation: { id },
  } = (await ofSession('label: "calm" score: 2')).createProjectSessionAnnotations;
  expect((await ofSession('label: "angry"')).createProjectSessionAnnotations.projectSessionAnnotation).toMatchObject({
    id,
    label: 'angry',
    score: null,
  });
  const update = `updateProjectSessionAnnotations(input: { id: "${id}" name: "mood" score: 3 metadata: {} })`;
  expect(
    await read(
      `mutation { ${update} { projectSessionAnnotation { label score source annotatorKind projectSession { sessionId } } } }`,
    ),
  ).toEqual({
    updateProjectSessionAnnotations: {
      projectSessionAnnotation: {
        label: null,
        score: 3,
        source: 'APP',
        annotatorKind: 'HUMAN',
        projectSession: { sessionId: 'talk' },
      },
    },
  });
  await read(`mutation { deleteProjectSessionAnnotation(id: "${id}") { projectSessionAnnotation { id } } }`);
  expect(await read(`{ node(id: "${session}") { ... on ProjectSession { sessionAnnotations { id } } } }`)).toEqual({
    node: { sessionAnnotations: [] },
  });
});

it('of documents tell how well a span retrieved them', async () => {
  const scored = (place: number, score: number) =>
    `{ spanId: "${spans[0]}" documentPosition: ${place} ${said('relevance', `score: ${score}`)} }`;
  await read(
    `mutation { createDocumentAnnotations(input: [${scored(2, 1)} ${scored(1, 0)}]) { documentAnnotations { id } } }`,
  );
  expect(await refusal(`createDocumentAnnotations(input: [${scored(3, 1)}])`)).toMatch(
    /^invalid_argument.*3 retrieved documents/,
  );
  const fields = `documentEvaluations { documentPosition score span { spanId } }
    documentRetrievalMetrics(evaluationName: "relevance") { evaluationName ndcg atTwo: ndcg(k: 2) precision reciprocalRank hit }`;
  expect(await read(`{ node(id: "${spans[0]}") { ... on Span { ${fields} } } }`)).toEqual({
    node: {
      documentEvaluations: [1, 2].map((place) => ({
        documentPosition: place,
        score: place - 1,
        span: { spanId: spanId(1) },
      })),
      documentRetrievalMetrics: [
        { evaluationName: 'relevance', ndcg: 0.5, atTwo: 0, precision: 1 / 3, reciprocalRank: 1 / 3, hit: 1 },
      ],
    },
  });
});

it('named note are notes, which have mutations of their own', async () => {
  type Notes<Name extends string> = Readonly<Record<Name, { readonly spanAnnotations: readonly Said[] }>>;
  const one = `mutation { createSpanNote(annotationInput: { spanId: "${spans[1]}", note: " first " }) { spanAnnotations { id } } }`;
  const [first] = (await read<Notes<'createSpanNote'>>(one)).createSpanNote.spanAnnotations;
  const input = (note: string) =>
    `{ span: { otelId: "${spanId(2)}" }, note: "${note}", annotatorKind: LLM, source: API, identifier: "x" }`;
  const two = `mutation { createSpanNotes(input: [${input('second')} ${input('third')}]) { spanAnnotations { id } } }`;
  const [second, third] = (await read<Notes<'createSpanNotes'>>(two)).createSpanNotes.spanAnnotations;
  expect(second).toEqual(third);
  expect(
    await read(
      `{ node(id: "${spans[1]}") { ... on Span { spanNotes { name explanation identifier annotatorKind source } } } }`,
    ),
  ).toEqual({
    node: {
      spanNotes: [
        {
          name: 'note',
          explanation: 'first',
          identifier: expect.stringMatching(/^px-span-note:[0-9a-f-]{36}$/),
          annotatorKind: 'HUMAN',
          source: 'APP',
        },
        { name: 'note', explanation: 'third', identifier: 'x', annotatorKind: 'LLM', source: 'API' },
      ],
    },
  });
  for (const [target, key, mutation] of [
    ['trace', `otelId: "${traceId(1)}"`, 'createTraceNotes'],
    ['session', 'sessionId: "talk"', 'createProjectSessionNotes'],
  ]) {
    await read(`mutation { ${mutation}(input: [{ ${target}: { ${key} }, note: "seen" }]) { __typename } }`);
  }
  expect(await refusal(`createSpanNotes(input: [{ spanId: "${spans[1]}", note: "  " }])`)).toBe(
    'invalid_argument: Note cannot be empty.',
  );
  const unknown = formatGlobalId('Span', 9_999_999);
  expect(await refusal(`createSpanNotes(input: [${input('fourth')} { spanId: "${unknown}", note: "x" }])`)).toMatch(
    new RegExp(`^not_found.*${unknown}`),
  );
  expect(await refusal(`createSpanAnnotations(input: [{ spanId: "${spans[0]}" ${said('note')} }])`)).toMatch(
    /^invalid_argument.*createSpanNotes/,
  );
  expect(await refusal(`patchSpanAnnotations(input: [{ annotationId: "${first?.id}", label: "x" }])`)).toMatch(
    /^invalid_argument.*createSpanNotes/,
  );
  expect(await refusal(`deleteSpanAnnotations(input: { annotationIds: ["${first?.id}"] })`)).toMatch(
    /^invalid_argument.*deleteSpanNotes/,
  );
  expect(await refusal(`deleteSpanNotes(input: { annotationIds: ["${first?.id}"] })`, bob.headers)).toMatch(
    /^permission_denied/,
  );
  const remove = `mutation { deleteSpanNotes(input: { annotationIds: ["${second?.id}", "${first?.id}"] }) { spanAnnotations { id } } }`;
  expect(await read(remove)).toEqual({ deleteSpanNotes: { spanAnnotations: [{ id: second?.id }, { id: first?.id }] } });
});

it('of one name in a project are deleted by an administrator, those of a time alone', async () => {
  await say(spans.map((id) => `spanId: "${id}" ${said('old')}`));
  const remove = (more: string) =>
    `deleteProjectSpanAnnotations(input: { projectId: "${project}", annotationName: "old" ${more} })`;
  expect(await refusal(remove(''))).toMatch(/^permission_denied/);
  const deleted = async (more: string) =>
    read<object>(`mutation { ${remove(more)} { deletedAnnotationCount } }`, AS_ADMIN);
  const count = (deletedAnnotationCount: number) => ({ deleteProjectSpanAnnotations: { deletedAnnotationCount } });
  const second = new Date(TEST_START_US / 1000).toISOString().replace('Z', '');
  const range = `timeRange: { start: "${second.slice(0, -3)}000002Z" }`;
  expect(await deleted(`timeRange: { end: "2001-01-01T00:00:00Z" }`)).toEqual(count(0));
  expect(await deleted(`${range}, timeRangeField: SOURCE_START_TIME`)).toEqual(count(1));
  expect(await deleted('')).toEqual(count(1));
});

it('of documents are counted by name, and deleted by it', async () => {
  const inputs = [0, 1, 2].map(
    (position) => `{ spanId: "${spans[0]}", documentPosition: ${position}, ${said('fits')} }`,
  );
  await read(`mutation { createDocumentAnnotations(input: [${inputs.join(' ')}]) { __typename } }`);
  const counts = async () =>
    (
      await read<{ node: { documentAnnotationNameCounts: readonly object[] } }>(
        `{ node(id: "${project}") { ... on Project { documentAnnotationNameCounts { name count } } } }`,
      )
    ).node.documentAnnotationNameCounts;
  expect(await counts()).toContainEqual({ name: 'fits', count: 3 });
  const remove = `deleteProjectDocumentAnnotations(input: { projectId: "${project}", annotationName: "fits" })`;
  expect(await refusal(remove)).toMatch(/^permission_denied/);
  expect(await read(`mutation { ${remove} { deletedAnnotationCount } }`, AS_ADMIN)).toEqual({
    deleteProjectDocumentAnnotations: { deletedAnnotationCount: 3 },
  });
  expect(await counts()).not.toContainEqual(expect.objectContaining({ name: 'fits' }));
});

it('tell pages that show the project', async () => {
  const subscription = { query: `subscription { projectChanges(projectId: "${project}") { changedAt } }` };
  const stream = await postGraphql(server.url, subscription, { ...ann.headers, accept: 'text/event-stream' });
  const events = readEvents(stream);
  await events.next();
  await say([`spanId: "${spans[0]}" ${said('news')}`]);
  expect((await events.next()).value).toMatchObject({ data: { projectChanges: {} } });
  await events.return(undefined);
});
