/** Annotation configs over GraphQL: their three types, and what projects offer. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatGlobalId } from '#base/global-id';
import { askGraphql, queryGraphql } from '../harness/graphql.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';

let server: TestServer;
let numbers = 0;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

const CONFIG = `... on Node { id } ... on AnnotationConfigBase { __typename name description annotationType isStrict projectCount }
  ... on CategoricalAnnotationConfig { optimizationDirection values { label score } shapeExamples(mode: CURATED) }
  ... on ContinuousAnnotationConfig { optimizationDirection lowerBound upperBound shapeExamples(language: TYPESCRIPT) }
  ... on FreeformAnnotationConfig { optimizationDirection threshold lowerBound upperBound }`;

interface Config {
  readonly id: string;
  readonly name: string;
}

/** Data, or the code and the message of the error. */
async function ask(query: string, variables: Record<string, unknown> = {}) {
  const { data, errors: [error] = [] } = await askGraphql<Record<string, never>>(server.url, query, variables);
  return error === undefined ? data : { code: error.extensions?.code, message: error.message };
}

async function create(annotationConfig: object): Promise<Config> {
  const query = `mutation($input: CreateAnnotationConfigInput!) { createAnnotationConfig(input: $input) { annotationConfig { ${CONFIG} } } }`;
  const input = { annotationConfig };
  const { createAnnotationConfig: made } = await queryGraphql<{ createAnnotationConfig: { annotationConfig: Config } }>(
    server.url,
    query,
    { input },
  );
  return made.annotationConfig;
}

const update = (id: string, annotationConfig: object) =>
  ask(
    `mutation($input: UpdateAnnotationConfigInput!) { updateAnnotationConfig(input: $input) { annotationConfig { ${CONFIG} } } }`,
    { input: { id, annotationConfig } },
  );

const remove = (...ids: readonly string[]) =>
  ask(
    `mutation($input: DeleteAnnotationConfigsInput!) { deleteAnnotationConfigs(input: $input) { annotationConfigs { ... on AnnotationConfigBase { name } } } }`,
    { input: { ids } },
  );

async function createProject(): Promise<string> {
  const query = `mutation { createProject(input: { name: "project ${++numbers}" }) { project { id } } }`;
  const { createProject: made } = await queryGraphql<{ createProject: { project: { id: string } } }>(server.url, query);
  return made.project.id;
}

const change = (verb: 'add' | 'remove', projectId: string, ...annotationConfigIds: readonly string[]) => {
  const [field, type] =
    verb === 'add'
      ? ['addAnnotationConfigToProject', 'AddAnnotationConfigToProjectInput']
      : ['removeAnnotationConfigFromProject', 'RemoveAnnotationConfigFromProjectInput'];
  return ask(`mutation($input: [${type}!]!) { ${field}(input: $input) { project { id ${OFFERED} } } }`, {
    input: annotationConfigIds.map((annotationConfigId) => ({ projectId, annotationConfigId })),
  });
};

const OFFERED = 'annotationConfigs { edges { node { ... on AnnotationConfigBase { name } } } }';
const offering = (...names: readonly string[]) => ({
  annotationConfigs: { edges: names.map((name) => ({ node: { name } })) },
});

describe('a config', () => {
  it('has the type of its kind, and is found by its id', async () => {
    const values = [{ label: 'yes', score: 1 }, { label: 'no' }];
    const categorical = await create({
      categorical: { name: 'helps', optimizationDirection: 'MAXIMIZE', values, isStrict: true },
    });
    expect(categorical).toEqual({
      id: expect.any(String),
      __typename: 'CategoricalAnnotationConfig',
      name: 'helps',
      description: null,
      annotationType: 'CATEGORICAL',
      isStrict: true,
      projectCount: 0,
      optimizationDirection: 'MAXIMIZE',
      values: [
        { label: 'yes', score: 1 },
        { label: 'no', score: null },
      ],
      shapeExamples: ['{"label": "yes", "score": 1}', '{"label": "no"}'],
    });
    const continuous = await create({
      continuous: {
        name: 'grade',
        description: 'x',
        optimizationDirection: 'MINIMIZE',
        lowerBound: 0,
        upperBound: 0.5,
      },
    });
    expect(continuous).toMatchObject({
      __typename: 'ContinuousAnnotationConfig',
      description: 'x',
      annotationType: 'CONTINUOUS',
      lowerBound: 0,
      upperBound: 0.5,
      shapeExamples: ['{ score: 0 }', '{ score: 0.5 }', expect.stringContaining('explanation')],
    });
    const freeform = await create({ freeform: { name: 'words', threshold: 0.25 } });
    expect(freeform).toMatchObject({
      __typename: 'FreeformAnnotationConfig',
      annotationType: 'FREEFORM',
      optimizationDirection: 'NONE',
      threshold: 0.25,
      lowerBound: null,
    });
    for (const config of [categorical, continuous, freeform]) {
      expect(await ask(`query($id: ID!) { node(id: $id) { ${CONFIG} } }`, { id: config.id })).toEqual({ node: config });
    }
  });

  it('is refused with a code that says why', async () => {
    const query =
      'mutation($input: CreateAnnotationConfigInput!) { createAnnotationConfig(input: $input) { __typename } }';
    const refuse = (annotationConfig: object) => ask(query, { input: { annotationConfig } });
    const continuous = { name: 'x', optimizationDirection: 'NONE', lowerBound: 1, upperBound: 1 };
    expect(await refuse({ continuous })).toMatchObject({ code: 'invalid_argument' });
    expect(await refuse({ freeform: { name: 'note' } })).toMatchObject({ code: 'already_exists' });
    expect(await refuse({ freeform: { name: 'user_feedback' } })).toMatchObject({ code: 'already_exists' });
    // Exactly one kind.
    expect(await refuse({})).toMatchObject({ message: expect.stringContaining('AnnotationConfigInput') });
  });

  it('can become one of another kind, with another id', async () => {
    const { id } = await create({ freeform: { name: 'shape' } });
    const continuous = { name: 'shape', optimizationDirection: 'NONE', upperBound: 3 };
    const answer = (await update(id, { continuous })) as unknown as {
      updateAnnotationConfig: { annotationConfig: Config };
    };
    const { annotationConfig } = answer.updateAnnotationConfig;
    expect(annotationConfig).toMatchObject({ __typename: 'ContinuousAnnotationConfig', upperBound: 3 });
    expect(annotationConfig.id).not.toBe(id);
    expect(await ask('query($id: ID!) { node(id: $id) { id } }', { id })).toMatchObject({ code: 'not_found' });
    // Changes find it by the id that it had.
    expect(await update(id, { freeform: { name: 'shape' } })).toMatchObject({
      updateAnnotationConfig: { annotationConfig: { id } },
    });
    const unknown = formatGlobalId('FreeformAnnotationConfig', 99_999);
    expect(await update(unknown, { continuous })).toMatchObject({ code: 'not_found' });
    expect(await update(formatGlobalId('Project', 1), { continuous })).toMatchObject({ code: 'invalid_argument' });
  });

  it('is deleted with others, all or none', async () => {
    const ids = [await create({ freeform: { name: 'gone 1' } }), await create({ freeform: { name: 'gone 2' } })].map(
      ({ id }) => id,
    );
    expect(await remove(...ids, formatGlobalId('FreeformAnnotationConfig', 99_999))).toMatchObject({
      code: 'not_found',
    });
    expect(await remove(...ids)).toEqual({
      deleteAnnotationConfigs: { annotationConfigs: [{ name: 'gone 1' }, { name: 'gone 2' }] },
    });
    expect(await remove(...ids)).toMatchObject({ code: 'not_found' });
  });

  it('is listed by name, in pages from either end', async () => {
    await create({ freeform: { name: 'aaa' } });
    await create({ freeform: { name: 'zzz' } });
    const list = (args: string) =>
      ask(`{ annotationConfigs(${args}) { edges { cursor node { ... on AnnotationConfigBase { name } } }
        pageInfo { hasNextPage hasPreviousPage endCursor } } }`);
    const first = await list('first: 1');
    expect(first).toMatchObject({
      annotationConfigs: {
        edges: [{ node: { name: 'aaa' } }],
        pageInfo: { hasNextPage: true, hasPreviousPage: false },
      },
    });
    expect(await list('last: 1')).toMatchObject({
      annotationConfigs: { edges: [{ node: { name: 'zzz' } }], pageInfo: { hasNextPage: false } },
    });
    expect(await list('first: 1, after: "x"')).toMatchObject({ code: 'invalid_argument' });
  });
});

describe('a project', () => {
  it('offers configs that are added to it, until they are removed', async () => {
    const id = await createProject();
    const [one, two] = [await create({ freeform: { name: 'one' } }), await create({ freeform: { name: 'two' } })];
    const other = await createProject();
    expect(await change('add', id, two.id, one.id)).toEqual({
      addAnnotationConfigToProject: { project: { id, ...offering('one', 'two') } },
    });
    expect(await change('add', id, one.id)).toMatchObject({ code: 'already_exists' });
    expect(await change('add', other, one.id)).toMatchObject({
      addAnnotationConfigToProject: { project: { id: other } },
    });
    const query = `query($id: ID!, $one: ID!) { project: node(id: $id) { ... on Project { annotationConfigs(first: 1, names: ["two", "gone"]) {
      edges { node { ... on AnnotationConfigBase { name projectCount } } } pageInfo { hasNextPage } } } }
      config: node(id: $one) { ... on AnnotationConfigBase { projectCount } } }`;
    expect(await ask(query, { id, one: one.id })).toEqual({
      project: {
        annotationConfigs: { edges: [{ node: { name: 'two', projectCount: 1 } }], pageInfo: { hasNextPage: false } },
      },
      config: { projectCount: 2 },
    });
    expect(await change('remove', id, one.id)).toEqual({
      removeAnnotationConfigFromProject: { project: { id, ...offering('two') } },
    });
    expect(await change('remove', id, one.id)).toMatchObject({ code: 'not_found' });
    await remove(two.id);
    expect(await ask(`query($id: ID!) { node(id: $id) { ... on Project { ${OFFERED} } } }`, { id })).toEqual({
      node: offering(),
    });
  });

  it('is not changed by what names nothing', async () => {
    const id = await createProject();
    const { id: config } = await create({ freeform: { name: `config ${++numbers}` } });
    expect(await change('add', id)).toMatchObject({ code: 'invalid_argument' });
    expect(await change('add', formatGlobalId('Project', 99_999), config)).toMatchObject({ code: 'not_found' });
    expect(await change('add', config, config)).toMatchObject({ code: 'invalid_argument' });
    expect(await change('add', id, config, formatGlobalId('FreeformAnnotationConfig', 99_999))).toMatchObject({
      code: 'not_found',
    });
    expect(await ask(`query($id: ID!) { node(id: $id) { ... on Project { ${OFFERED} } } }`, { id })).toEqual({
      node: offering(),
    });
  });
});
