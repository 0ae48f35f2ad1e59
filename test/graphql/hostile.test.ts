/** What nobody should ask, and what is said to it: each question gets its own error, soon, and the next one is answered. */
import { beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '#base/errors';
import { formatGlobalId } from '#base/global-id';
import { spanId, TEST_START_US, type TestValue, traceId } from '../harness/otlp-json.ts';
import { type InProcess, openInProcess } from './in-process.ts';

let graphql: InProcess;

/** Names that break what joins texts into queries, paths or objects. */
const HOSTILE_KEYS: readonly string[] = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty.call',
  `it's`,
  'say "so"',
  `'); DROP TABLE spans; --`,
  'back\\slash',
  'a.b.__proto__.c',
  '$.path[0]',
  '%_*?',
  'ключ 🔑',
  'two  blanks',
  'name with\ttab',
  'k'.repeat(1000),
];

const SPAN_COUNT = 20;

beforeAll(async () => {
  graphql = await openInProcess();
  const hostile = Object.fromEntries(HOSTILE_KEYS.map((key, place) => [key, `value ${place}`]));
  const spans = Array.from({ length: SPAN_COUNT }, (_, place) => ({
    traceId: traceId(1 + (place % 4)),
    spanId: spanId(place + 1),
    name: `span ${place}`,
    startUs: TEST_START_US + place * 1_000_000,
    endUs: TEST_START_US + place * 1_000_000 + place * 1000,
    attributes: {
      'session.id': `session ${place % 2}`,
      'input.value': `100% of ${'a'.repeat(place * 40)}b`,
      list: [1, [2, [3]]],
      ...(place === 7 && Object.assign(Object.create(null) as Record<string, TestValue>, hostile)),
    },
  }));
  // Some in columns, the others not yet.
  await graphql.store.send(spans.slice(0, 10));
  await graphql.store.seal();
  await graphql.store.send(spans.slice(10));
});

const ofProject = (fields: string, declared = '') =>
  `query${declared === '' ? '' : `(${declared})`} { getProjectByName(name: "default") { ${fields} } }`;

interface Refusal {
  readonly code: string | undefined;
  readonly message: string | undefined;
}

async function refusal(query: string, variables: Record<string, unknown> = {}): Promise<Refusal> {
  const { errors } = await graphql.ask(query, variables);
  return { code: errors?.[0]?.extensions?.code, message: errors?.[0]?.message };
}

async function read<Project>(fields: string, declared = '', variables: Record<string, unknown> = {}): Promise<Project> {
  const query = ofProject(fields, declared);
  return (await graphql.query<{ getProjectByName: Project }>(query, variables)).getProjectByName;
}

const invalid = (message: RegExp): object => ({ code: 'invalid_argument', message: expect.stringMatching(message) });

/** Where a filter of spans can be written. */
const FILTERED: readonly (readonly [field: string, fields: string])[] = [
  ['spans', 'spans(first: 5, filterCondition: $filter) { edges { node { id } } }'],
  ['recordCount', 'recordCount(filterCondition: $filter)'],
  ['search', 'search(text: "of", filterCondition: $filter) { isPartial }'],
  ['aggregate', 'aggregate(measures: [COUNT], filterCondition: $filter) { share }'],
  ['histogram', 'histogram(filterCondition: $filter) { scale }'],
  ['facets', 'facets(facets: [{ by: "name" }], filterCondition: $filter) { share }'],
  ['traceCount', 'traceCount(filterCondition: $filter)'],
  ['spanCountTimeSeries', 'spanCountTimeSeries(timeRange: {}, filterCondition: $filter) { data { totalCount } }'],
];

describe('a filter', () => {
  it.each<[string, string, RegExp]>([
    ['of 10,000 terms', Array.from({ length: 10_000 }, () => 'a==1').join(' or '), /too long: it has 79996 characters/],
    ['of 10,000 short terms', Array.from({ length: 6000 }, () => 'a<1').join(' or '), /more than 2000 comparisons/],
    ['nested a thousand deep', `${'('.repeat(1000)}a == 1${')'.repeat(1000)}`, /nested too deeply/],
    ['denied a thousand times', `${'not '.repeat(1000)}a == 1`, /nested too deeply/],
    ['of a thousand signs', `latency_ms > ${'-'.repeat(1000)}1`, /nested too deeply/],
    ['of annotations without end', Array.from({ length: 50 }, (_, n) => `annotations['a${n}']`).join(' or '), /16/],
    ['with a NUL', `name == 'a\u0000'`, /NUL/],
    ['of a number without end', `latency_ms > 1${'0'.repeat(400)}`, /Invalid filter/],
    ['of SQL', `name = 'a'; DROP TABLE spans`, /Invalid filter/],
    ['of Python', `__import__('os').system('true')`, /Invalid filter/],
  ])('%s is refused wherever it can be written', async (_what, filter, message) => {
    for (const [field, fields] of FILTERED) {
      const answer = await refusal(ofProject(fields, '$filter: String!'), { filter });
      expect(answer, field).toEqual(invalid(message));
    }
  });

  it.each<[string, string, number]>([
    ['of 2,000 terms', Array.from({ length: 2000 }, (_, n) => `x${n} == ${n}`).join(' or '), 0],
    ['of a list of thousands', `name in [${Array.from({ length: 4000 }, (_, n) => `'span ${n}'`).join(',')}]`, 20],
    ['of a path of 30,000 steps', `attributes['list.${'0.'.repeat(30_000)}0'] == 1`, 0],
    ['of 10,000 subscripts', `attributes['list']${'[1]'.repeat(10_000)} == 1`, 0],
    ['of a path into lists', `attributes['list.1.1.0'] == 3`, 20],
    ['of a name of 60,000 letters', `${'a'.repeat(60_000)} is None`, 20],
    ['of signs that are patterns elsewhere', `'100%' in input.value`, 20],
    ['of signs that are wildcards elsewhere', `'1_0' in input.value or '100.' in input.value`, 0],
    ['of a pattern that would explode', `'${'(a+)+'.repeat(100)}$' in input.value`, 0],
    ['of a text of 60,000 letters', `'${'a'.repeat(60_000)}' in input.value`, 0],
    ['of a division by zero', 'latency_ms / 0 > 1 or latency_ms % 0 == 0', 0],
    ['of a number of 300 digits', `latency_ms < ${'9'.repeat(300)}`, 20],
    ['of the end of time', `start_time < '9999-12-31T23:59:59.999999Z'`, 20],
    ['of the beginning of time', `start_time > '0001-01-01T00:00:00Z'`, 20],
  ])('%s is answered', async (_what, filter, count) => {
    expect(await read('recordCount(filterCondition: $filter)', '$filter: String!', { filter })).toEqual({
      recordCount: count,
    });
  });

  it('may be in every field of an operation, and is read once', async () => {
    const filter = Array.from({ length: 2000 }, (_, place) => `x${place}.yyyyyyyyy == ${place}`).join(' or ');
    const fields = Array.from({ length: 48 }, (_, place) =>
      place % 2 === 0
        ? `f${place}: validateSpanFilterCondition(condition: $filter) { isValid }`
        : `f${place}: checkFilter(grain: span, condition: $filter) { code }`,
    );
    const before = process.threadCpuUsage();
    const answer = await read<object>(fields.join(' '), '$filter: String!', { filter });
    const { user, system } = process.threadCpuUsage(before);
    expect(new Set(Object.values(answer).map((value) => JSON.stringify(value)))).toEqual(
      new Set(['{"isValid":true}', '[]']),
    );
    // A tenth of a second; reading it 48 times takes some five.
    expect(user + system).toBeLessThan(2_000_000);
  });
});

describe('attributes of hostile names', () => {
  const quote = (key: string) => `attributes['${key.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}']`;

  it.each(HOSTILE_KEYS.map((key, place) => [key.slice(0, 40), key, place] as const))(
    '%s: found, counted and grouped by',
    async (_shown, key, place) => {
      const by = quote(key);
      type Answer = {
        facets: { facets: { values: { value: string; count: number; filterCondition: string }[] }[] };
      };
      const answer = await read<Answer>(
        `recordCount(filterCondition: $filter) aggregate(groupBy: [$by], measures: [COUNT]) { groups { key series { values } } }
         facets(facets: [{ by: $by }]) { facets { values { value count filterCondition } missingCount } }`,
        '$by: String!, $filter: String!',
        { by, filter: `${by} == 'value ${place}'` },
      );
      const [value] = answer.facets.facets[0]?.values ?? [];
      expect(answer).toEqual({
        recordCount: 1,
        aggregate: {
          groups: [
            { key: [null], series: [{ values: [SPAN_COUNT - 1] }] },
            { key: [`value ${place}`], series: [{ values: [1] }] },
          ],
        },
        facets: {
          facets: [
            {
              values: [{ value: `value ${place}`, count: 1, filterCondition: expect.any(String) }],
              missingCount: SPAN_COUNT - 1,
            },
          ],
        },
      });
      const found = await read('recordCount(filterCondition: $filter)', '$filter: String!', {
        filter: value?.filterCondition,
      });
      expect(found).toEqual({ recordCount: 1 });
    },
  );

  it('are listed, and lead nowhere else', async () => {
    const { attributePaths } = await read<{ attributePaths: string[] }>('attributePaths(first: 1000)');
    expect(attributePaths).toEqual(expect.arrayContaining(HOSTILE_KEYS.slice(0, 7)));
    expect(Object.hasOwn(Object.prototype, 'c')).toBe(false);
  });
});

describe('a facet or group', () => {
  it.each<[string, string, RegExp]>([
    ['of nothing', '', /cannot be counted by/],
    ['of blanks', '  ', /cannot be counted by/],
    ['of a condition', `name == 'a'`, /cannot be counted by/],
    ['that closes what it is put into', 'name) or (name', /no bracket is open/],
    ['of a collection', 'cost_details', /is a collection/],
    ['of a comprehension', 'any(d.cost > 1 for d in cost_details)', /cannot be counted by/],
    ['of an annotation', `annotations['a'].score`, /name one field/],
    ['of a calculation', 'latency_ms + 1', /name one field/],
    ['of a parent', 'parent_span', /name one field/],
    ['of what only originals tell', 'status_message', /choose a field of the span itself/],
    ['of a whole tree', 'cumulative_token_count.total', /choose a field of the span itself/],
    ['of a constant', '1', /never missing/],
    ['with a NUL', 'a\u0000', /NUL/],
    ['of half a letter', '\ud800', /no meaning/],
    ['without end', 'a'.repeat(100_000), /^.{0,400}$/s],
    ['of brackets without end', 'a['.repeat(50_000), /^.{0,700}$/s],
  ])('%s is refused', async (_what, by, message) => {
    const facet = ofProject('facets(facets: [{ by: $by }]) { share }', '$by: String!');
    const group = ofProject('aggregate(groupBy: [$by], measures: [COUNT]) { share }', '$by: String!');
    expect(await refusal(facet, { by })).toEqual(invalid(message));
    expect(await refusal(group, { by })).toEqual(invalid(message));
  });

  it('is refused with others where they are too many, before any is read', async () => {
    const facets = Array.from({ length: 60_000 }, () => ({ by: 'name' }));
    const asFacets = ofProject('facets(facets: $facets) { share }', '$facets: [FacetInput!]!');
    const asGroups = ofProject('aggregate(groupBy: $groups, measures: [COUNT]) { share }', '$groups: [String!]!');
    expect(await refusal(asFacets, { facets })).toEqual(invalid(/at most 20 fields or attributes at once, not 60000/));
    const groups = facets.map(({ by }) => by);
    expect(await refusal(asGroups, { groups })).toEqual(invalid(/at most 2 fields or attributes at once, not 60000/));
  });

  it.each<[string, RegExp]>([
    ['facets(facets: [{ by: "name", first: -1 }]) { share }', /0 to 1000 values/],
    ['facets(facets: [{ by: "name", first: 1000000 }]) { share }', /0 to 1000 values/],
    ['aggregate(measures: [COUNT], maxGroups: 0) { share }', /1 to 200 groups/],
    ['aggregate(measures: [COUNT], maxGroups: 1000000) { share }', /1 to 200 groups/],
    [`aggregate(measures: [${'COUNT '.repeat(21)}]) { share }`, /1 to 20 measures/],
    ['attributePaths(first: 0)', /between 1 and 1000/],
    [`histogram(buckets: { timeZone: "" }) { scale }`, /no time zone/],
    [`histogram(buckets: { timeZone: "../../etc/passwd" }) { scale }`, /no time zone/],
    [`histogram(buckets: { timeZone: "${'x'.repeat(100_000)}" }) { scale }`, /no time zone x{64}…/],
    [`histogram(buckets: { utcOffsetMinutes: 1440 }) { scale }`, /less than a day/],
    [`histogram(buckets: { utcOffsetMinutes: -2147483648 }) { scale }`, /less than a day/],
    [
      `histogram(timeRange: { start: "0001-01-01T00:00:00Z" }, buckets: { scale: YEAR }) { scale }`,
      /about 2025 buckets/,
    ],
    [
      `histogram(timeRange: { start: "2000-01-01T00:00:00Z" }, buckets: { scale: SECOND }) { scale }`,
      /the limit is 2000/,
    ],
  ])('%s is refused', async (fields, message) => {
    expect(await refusal(ofProject(fields))).toEqual(invalid(message));
  });
});

describe('a page', () => {
  const LISTS = ['spans', 'traces', 'sessions', 'search(text: "of")'] as const;
  const page = (list: string, args: string) =>
    ofProject(`${list.includes('(') ? `${list.slice(0, -1)}, ` : `${list}(`}${args}) { edges { cursor } }`);

  it.each(LISTS)('of a million is refused: %s', async (list) => {
    expect(await refusal(page(list, 'first: 1000000'))).toEqual(invalid(/between 1 and/));
    for (const first of [0, -1, 1001]) {
      expect(await refusal(page(list, `first: ${first}`))).toEqual(invalid(/between 1 and/));
    }
  });

  const encode = (text: string) => Buffer.from(text).toString('base64');
  const CURSORS: readonly (readonly [what: string, cursor: string])[] = [
    ['of nothing', ''],
    ['of another list', encode('connection:3')],
    ['of another order', encode('3:FLOAT:5')],
    ['of REST', encode('Span:3')],
    ['of SQL', encode(`3 OR 1=1`)],
    ['of a row below zero', encode('-3')],
    ['of no row', encode('x')],
    ['without end', 'A'.repeat(100_000)],
  ];

  it.each(CURSORS)('after a cursor %s is refused', async (_what, after) => {
    for (const list of ['spans', 'traces', 'sessions', 'search(text: "of")']) {
      const answer = await refusal(page(list, `first: 5, after: ${JSON.stringify(after)}`));
      expect(answer, list).toEqual(invalid(/^Invalid cursor/));
    }
  });

  it.each([
    ['Project:1', 'DATETIME'],
    ['3', 'FLOAT'],
    ['3:INT:5', 'FLOAT'],
    ['3:FLOAT:', 'FLOAT'],
    ['3:FLOAT:1e9', 'FLOAT'],
    ['3:FLOAT:NaN', 'FLOAT'],
    ['12345678901234567:FLOAT:1', 'FLOAT'],
  ])('after %s is refused in the order of latency, filtered or not', async (text) => {
    const sort = 'sort: { col: latencyMs, dir: asc }';
    for (const filter of ['', ', filterCondition: "latency_ms > 3"']) {
      const answer = await refusal(page('spans', `first: 5, ${sort}, after: "${encode(text)}"${filter}`));
      expect(answer).toEqual(invalid(/^Invalid cursor/));
    }
  });

  it('after a place that was made up goes on there', async () => {
    const after = encode('9999999999999999:FLOAT:4');
    const sort = 'sort: { col: latencyMs, dir: asc }';
    type Page = { spans: { edges: { node: { latencyMs: number } }[] } };
    const { spans } = await read<Page>(`spans(first: 3, ${sort}, after: "${after}") { edges { node { latencyMs } } }`);
    expect(spans.edges.every(({ node }) => node.latencyMs >= 0)).toBe(true);
  });
});

describe('a time range', () => {
  const BACKWARDS = '{ start: "2026-01-02T00:00:00Z", end: "2026-01-01T00:00:00Z" }';
  const FIELDS = [
    'spans(first: 5, timeRange: $r) { edges { cursor } }',
    'traces(first: 5, timeRange: $r) { edges { cursor } }',
    'sessions(first: 5, timeRange: $r) { edges { cursor } }',
    'search(text: "of", timeRange: $r) { isPartial }',
    'recordCount(timeRange: $r)',
    'recordCount(timeRange: $r, filterCondition: "latency_ms > 1")',
    'traceCount(timeRange: $r)',
    'sessionCount(timeRange: $r)',
    'costSummary(timeRange: $r) { total { cost } }',
    'latencyMsQuantile(timeRange: $r, probability: 0.5)',
    'sessionDurationMsQuantile(timeRange: $r, probability: 0.5)',
    'topModelsByCost(timeRange: $r) { name }',
    'histogram(timeRange: $r) { scale }',
    'aggregate(timeRange: $r, measures: [COUNT]) { share }',
    'facets(timeRange: $r, facets: [{ by: "name" }]) { share }',
    'attributePaths(timeRange: $r)',
    'traceCountTimeSeries(timeRange: $r) { data { value } }',
  ];

  it.each(FIELDS)('that runs backwards is refused: %s', async (fields) => {
    expect(await refusal(ofProject(fields.replace('$r', BACKWARDS)))).toEqual(invalid(/ends before it starts/));
  });

  it.each(FIELDS)('that is a moment is answered: %s', async (fields) => {
    const moment = BACKWARDS.replace('2026-01-02', '2026-01-01');
    await expect(read(fields.replace('$r', moment))).resolves.toBeDefined();
  });

  it('that runs backwards takes nothing from what stands beside it', async () => {
    const fields = `good: recordCount(timeRange: { start: "2026-01-01T00:00:00Z" }) bad: sessionDurationMsQuantile(
      timeRange: ${BACKWARDS}, probability: 0.5) fine: sessionDurationMsQuantile(probability: 0.5)`;
    const { data, errors } = await graphql.ask(ofProject(fields));
    expect(data).toEqual({ getProjectByName: { good: SPAN_COUNT, bad: null, fine: expect.any(Number) } });
    expect(errors).toHaveLength(1);
  });
});

describe('ids of another type', () => {
  const project = formatGlobalId('Project', 1);
  const trace = formatGlobalId('Trace', 1);
  const policy = '{ name: "p", cronExpression: "0 3 * * *", rule: { maxCount: { maxCount: 1 } }';

  it.each<[string, RegExp]>([
    [`deleteTraces(traceIds: ["${formatGlobalId('Span', 1)}"])`, /not the id of a Trace/],
    [`deleteTraces(traceIds: ["${trace}", "${project}"])`, /not the id of a Trace/],
    [`deleteTraces(traceIds: ["${traceId(1)}"])`, /not the id of a Trace/],
    ['deleteTraces(traceIds: [])', /at least one trace/],
    [`deleteProject(id: "${trace}")`, /not the id of a Project/],
    [`clearProject(input: { id: "${trace}" })`, /not the id of a Project/],
    [`transferTracesToProject(traceIds: ["${trace}"], projectId: "${trace}")`, /not the id of a Project/],
    [`transferTracesToProject(traceIds: ["${project}"], projectId: "${project}")`, /not the id of a Trace/],
    [`deleteModel(input: { id: "${project}" })`, /not the id of a GenerativeModel/],
    [`deleteProjectTraceRetentionPolicy(input: { id: "${project}" })`, /not the id of a ProjectTraceRetentionPolicy/],
    [`patchProjectTraceRetentionPolicy(input: { id: "${trace}" })`, /not the id of a ProjectTraceRetentionPolicy/],
    [`createProjectTraceRetentionPolicy(input: ${policy}, addProjects: ["${trace}"] })`, /not the id of a Project/],
  ])('%s', async (mutation, message) => {
    expect(await refusal(`mutation { ${mutation} { __typename } }`)).toEqual(invalid(message));
    expect(await read('recordCount')).toEqual({ recordCount: SPAN_COUNT });
  });
});

describe('too much at once', () => {
  it.each<[string, string]>([
    ['charts', Array.from({ length: 49 }, (_, n) => `c${n}: histogram { buckets { totalCount } }`).join(' ')],
    [
      'groups of buckets',
      'aggregate(measures: [COUNT], groupBy: ["name"], maxGroups: 100, buckets: { scale: SECOND }) { share }',
    ],
    ['searches with snippets', 'spans(first: 1000) { edges { node { trace { search(text: "of") { isPartial } } } } }'],
    ['charts of projects', 'aggregate(measures: [COUNT]) { share }'],
  ])('is refused or answered, never hung: %s', async (_what, fields) => {
    const { errors } = await graphql.ask(ofProject(fields));
    expect(['invalid_argument', undefined]).toContain(errors?.[0]?.extensions?.code);
  });

  it('is answered as far as it is little: charts of every project, lists of 1000 within lists of 1000', async () => {
    const chart = 'histogram { buckets { totalCount latencyMsP50 } }';
    const { data, errors } = await graphql.ask(`{ projects(first: 1000) { edges { node { ${chart} } } } }`);
    expect([errors, data]).toEqual([undefined, { projects: { edges: [{ node: { histogram: expect.anything() } }] } }]);
    type Nested<Inner> = { readonly edges: readonly { readonly node: Inner }[] };
    const { traces } = await read<{ traces: Nested<{ numSpans: number; spans: Nested<{ name: string }> }> }>(
      'traces(first: 1000) { edges { node { numSpans spans(first: 1000) { edges { node { name } } } } } }',
    );
    expect(traces.edges.map(({ node }) => node.spans.edges.length)).toEqual(
      traces.edges.map(({ node }) => node.numSpans),
    );
    expect(traces.edges.flatMap(({ node }) => node.spans.edges)).toHaveLength(SPAN_COUNT);
  });

  it('of what is heavy ends when the caller has gone, and the next one is answered', async () => {
    const filter = Array.from({ length: 1000 }, (_, place) => `'x${place}' in input.value`).join(' or ');
    const query = ofProject('recordCount(filterCondition: $filter)', '$filter: String!');
    const leave = new AbortController();
    const gone = Array.from({ length: 10 }, () => graphql.ask(query, { filter }, leave.signal));
    leave.abort(new AppError('unavailable', 'gone'));
    for (const { data } of await Promise.all(gone)) expect(data ?? null).toBeNull();
    expect(await read('recordCount(filterCondition: $filter)', '$filter: String!', { filter })).toEqual({
      recordCount: 0,
    });
  });
});
