/** What spans can be counted by over GraphQL, and what is said of names that they do not have. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { spanId, TEST_START_US, traceId } from '../harness/otlp-json.ts';
import { type InProcess, openInProcess } from './in-process.ts';

let graphql: InProcess;

beforeAll(async () => {
  graphql = await openInProcess();
  const kinds = [
    { 'openinference.span.kind': 'LLM', 'llm.model_name': 'large', 'user.id': 'ada' },
    { 'openinference.span.kind': 'EMBEDDING', 'embedding.model_name': 'vectors' },
    { 'openinference.span.kind': 'RERANKER', 'reranker.model_name': 'order', 'tag.kind': 'rare' },
    { 'openinference.span.kind': 'TOOL' },
  ];
  const times = { startUs: TEST_START_US, endUs: TEST_START_US + 1 };
  const common = { ...times, traceId: traceId(1), name: 'step' };
  await graphql.store.send(kinds.map((attributes, place) => ({ ...common, spanId: spanId(place + 1), attributes })));
});

afterAll(() => graphql.store.close());

const facets = (field: string, by: string) =>
  graphql.ask<{ project: Record<string, { facets: readonly { values: readonly unknown[] }[] }> }>(
    `query ($by: String!) { project: getProjectByName(name: "default") {
      ${field}(facets: [{ by: $by }]) { facets { values { value filterCondition } missingCount } } } }`,
    { by },
  );
const groups = (by: string) =>
  graphql.ask(
    `query ($by: String!) { project: getProjectByName(name: "default") {
      aggregate(groupBy: [$by], measures: [COUNT]) { groups { key } } } }`,
    { by },
  );

it('the model is that of calls, embeddings and rerankers, as tables show it', async () => {
  const { data } = await facets('facets', 'model_name');
  expect(data?.project['facets']?.facets[0]).toEqual({
    values: ['large', 'order', 'vectors'].map((value) => ({ value, filterCondition: `model_name == '${value}'` })),
    missingCount: 1,
  });
  const spans = await graphql.query<{ project: { recordCount: number } }>(
    `{ project: getProjectByName(name: "default") { recordCount(filterCondition: "model_name == 'vectors'") } }`,
  );
  expect(spans.project.recordCount).toBe(1);
});

it.each([
  ['llm.model_nme', 'llm.model_name'],
  ['modle_name', 'model_name'],
  ['usr.id', 'user.id'],
])('of %s, which no span has, it is asked whether %s was meant', async (by, meant) => {
  const error = {
    message: `No span has ${by} to count by: did you mean ${meant}?`,
    extensions: { code: 'invalid_argument' },
  };
  expect((await facets('facets', by)).errors).toMatchObject([error]);
  expect((await groups(by)).errors).toMatchObject([error]);
});

it('of roots it is said, too', async () => {
  const { errors } = await facets('traceFacets', "attributes['llm.model_nme']");
  expect(errors).toMatchObject([{ message: expect.stringContaining("did you mean attributes['llm.model_name']?") }]);
});

it.each(['tag.kind', 'llm.token_count.total', 'what.is.called.like.nothing.else'])(
  'by %s they are counted',
  async (by) => {
    expect((await facets('facets', by)).errors).toBeUndefined();
    expect((await groups(by)).errors).toBeUndefined();
  },
);
