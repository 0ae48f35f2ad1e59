/** Arguments and fields that older scripts use: roots of lists, exceptions of traces, a search over names. */
import { beforeAll, expect, it } from 'vitest';
import { spanId, TEST_START_US, type TestSpan, traceId } from '../harness/otlp-json.ts';
import { type InProcess, openInProcess } from './in-process.ts';

let graphql: InProcess;

beforeAll(async () => {
  graphql = await openInProcess();
  const thrown = (type: string) => [{ name: 'exception', attributes: { 'exception.type': type } }];
  const span = (number: number, more: Partial<TestSpan> = {}): TestSpan => ({
    traceId: traceId(1),
    spanId: spanId(number),
    name: `span ${number}`,
    startUs: TEST_START_US + number,
    ...more,
  });
  await graphql.store.send([
    span(1),
    span(2, { parentSpanId: spanId(1), status: 'ERROR', events: thrown('Timeout') }),
    span(3, { parentSpanId: spanId(1), status: 'ERROR', events: [...thrown('Timeout'), ...thrown('Refused')] }),
    span(4, { parentSpanId: spanId(9), status: 'ERROR', events: thrown('Timeout') }),
    span(5, { parentSpanId: spanId(9), status: 'ERROR' }),
  ]);
});

it.each([
  ['', '12345'],
  [', rootSpansOnly: true', '145'],
  [', rootSpansOnly: true, orphanSpanAsRootSpan: false', '1'],
  [', orphanSpanAsRootSpan: false', '12345'],
  [', rootSpansOnly: true, filterCondition: "status_code == \'ERROR\'"', '45'],
  [', rootSpansOnly: true, orphanSpanAsRootSpan: false, filterCondition: "status_code == \'ERROR\'"', ''],
])('lists of a project and of a trace take roots alone: first: 9%s', async (args, expected) => {
  const spans = `spans(first: 9, sort: { col: startTime, dir: asc }${args}) { edges { node { name } } }`;
  type List = { readonly spans: { readonly edges: readonly { readonly node: { readonly name: string } }[] } };
  const { project, trace } = await graphql.query<Readonly<Record<'project' | 'trace', List>>>(
    `{ project: getProjectByName(name: "default") { ${spans} } trace: getTraceByOtelId(traceId: "${traceId(1)}") { ${spans} } }`,
  );
  for (const list of [project, trace]) {
    expect(list.spans.edges.map(({ node }) => node.name.slice(-1)).join('')).toBe(expected);
  }
});

it('the exceptions of a trace are counted by their type', async () => {
  const fields = 'errorsByType { exceptionType count }';
  expect(await graphql.query(`{ getTraceByOtelId(traceId: "${traceId(1)}") { ${fields} } }`)).toEqual({
    getTraceByOtelId: {
      errorsByType: [
        { exceptionType: 'Timeout', count: 2 },
        { exceptionType: 'Refused', count: 1 },
        { exceptionType: null, count: 1 },
      ],
    },
  });
});

it('the descendants of a span are read forward alone', async () => {
  const { errors } = await graphql.ask(
    `{ getSpanByOtelId(spanId: "${spanId(1)}") { descendants(first: null, last: 2) { edges { cursor } } } }`,
  );
  expect(errors?.[0]?.message).toMatch(/can only be read forward/);
});

it('projects are found by their name first, then by their description', async () => {
  await graphql.store.exec(`INSERT INTO projects (name, name_folded, description, gradient_start_color, gradient_end_color, created_at_us, updated_at_us)
    VALUES ('Shop', 'shop', NULL, '#000000', '#000000', 0, 0), ('about', 'about', 'All of the SHOP', '#000000', '#000000', 0, 0)`);
  const search = async (args: string) => {
    type Found = { readonly searchResources: readonly { readonly __typename: string; readonly name: string }[] };
    const { searchResources } = await graphql.query<Found>(
      `{ searchResources(${args}) { __typename ... on Project { name } } }`,
    );
    return searchResources.map(({ __typename, name }) => `${__typename} ${name}`);
  };
  expect(await search('query: "sHop"')).toEqual(['Project Shop', 'Project about']);
  expect(await search('query: "sHop", limitPerType: 1')).toEqual(['Project Shop']);
  expect(await search('query: "  "')).toEqual([]);
  expect(
    (await graphql.ask('{ searchResources(query: "a", limitPerType: 26) { __typename } }')).errors?.[0]?.message,
  ).toMatch(/between 1 and 25/);
});
