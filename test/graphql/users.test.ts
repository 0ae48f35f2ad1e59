/** The users of an application over GraphQL, and what filters and groups say of the same traces. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { spanId, TEST_START_US, type TestSpan, traceId } from '../harness/otlp-json.ts';
import { type InProcess, openInProcess } from './in-process.ts';

let graphql: InProcess;

beforeAll(async () => {
  graphql = await openInProcess();
  await graphql.store.send([
    ...request(1, { 'user.id': 'ada', 'session.id': 'one' }),
    ...request(2, { 'user.id': 'ada', 'session.id': 'one' }, 'ERROR'),
    ...request(3, { 'user.id': 'ada' }),
    ...request(4, { 'user.id': "b/'%2F", 'session.id': 'two' }),
    ...request(5, {}),
  ]);
});

afterAll(() => graphql.store.close());

const SECOND_US = 1_000_000;

/** A request to a web server, whose span names nobody, and the call of a model within, which does; as many seconds long as its number. */
function request(
  number: number,
  named: Readonly<Record<string, string>>,
  status: 'OK' | 'ERROR' = 'OK',
): readonly TestSpan[] {
  const startUs = TEST_START_US + number * 100 * SECOND_US;
  const common = { traceId: traceId(number), startUs, endUs: startUs + number * SECOND_US };
  const call = {
    'openinference.span.kind': 'LLM',
    'llm.model_name': number > 1 ? 'large' : 'small',
    'llm.token_count.prompt': 90,
    'llm.token_count.completion': 10,
    'llm.cost.total': number,
  };
  return [
    { ...common, spanId: spanId(number * 10), name: 'POST /chat' },
    {
      ...common,
      spanId: spanId(number * 10 + 1),
      parentSpanId: spanId(number * 10),
      name: 'call',
      status,
      attributes: { ...call, ...named },
    },
  ];
}

async function ask<Data>(fields: string): Promise<Data> {
  const answer = await graphql.query<{ project: Data }>(`{ project: getProjectByName(name: "default") { ${fields} } }`);
  return answer.project;
}

interface Users {
  readonly users: {
    readonly totalCount: number;
    readonly edges: readonly { readonly cursor: string; readonly node: Readonly<Record<string, unknown>> }[];
    readonly pageInfo: { readonly hasNextPage: boolean };
  };
}

/** When a request began, as answers write it. */
const at = (number: number) =>
  new Date((TEST_START_US + number * 100 * SECOND_US) / 1000).toISOString().replace('.000Z', '+00:00');
const OF_ADA = `any(s.user_id == 'ada' for s in spans)`;

it('lists whom any span of a trace names, with what the traces come to', async () => {
  const figures =
    'userId sessionCount traceCount errorRate latencyMsP50 tokenCountTotal costTotal firstStartTime lastStartTime';
  const { users } = await ask<Users>(`users(sort: { col: costTotal, dir: desc }) {
    totalCount isPartial share edges { node { ${figures} } } pageInfo { hasNextPage } }`);
  expect(users).toMatchObject({ totalCount: 2, isPartial: false, share: 1, pageInfo: { hasNextPage: false } });
  expect(users.edges.map(({ node }) => node)).toEqual([
    {
      userId: 'ada',
      sessionCount: 1,
      traceCount: 3,
      errorRate: 1 / 3,
      latencyMsP50: 2000,
      tokenCountTotal: 300,
      costTotal: 6,
      firstStartTime: at(1),
      lastStartTime: at(3),
    },
    expect.objectContaining({ userId: "b/'%2F", sessionCount: 1, traceCount: 1, costTotal: 4 }),
  ]);
});

it('reads them page by page, and finds them by a part of their id', async () => {
  const list = 'sort: { col: lastStartTime, dir: desc }, first: 1';
  const select = '{ totalCount edges { cursor node { userId } } pageInfo { hasNextPage } }';
  const first = await ask<Users>(`users(${list}) ${select}`);
  const [edge] = first.users.edges;
  expect([edge?.node['userId'], first.users.pageInfo.hasNextPage]).toEqual(["b/'%2F", true]);
  const second = await ask<Users>(`users(${list}, after: ${JSON.stringify(edge?.cursor)}) ${select}`);
  expect(second.users.edges.map(({ node }) => node['userId'])).toEqual(['ada']);
  expect(second.users.pageInfo.hasNextPage).toBe(false);
  const found = await ask<Users>(`users(search: "AD") ${select}`);
  expect(found.users.edges.map(({ node }) => node['userId'])).toEqual(['ada']);
  const range = `timeRange: { start: "${at(4)}", end: "${at(5)}" }`;
  expect((await ask<Users>(`users(${range}) ${select}`)).users.totalCount).toBe(1);
});

it.each([
  ['search: "x"', 'x'.repeat(1025), 'Search for at most 1024'],
  ['after: "x"', 'Y29ubmVjdGlvbjotMQ==', 'Invalid cursor'],
])('refuses what is no page of users: %s', async (args, value, message) => {
  await expect(ask(`users(${args.replace('x', value)}) { totalCount }`)).rejects.toThrow(message);
});

it('agrees with filters: a trace is of a user whom any of its spans names', async () => {
  const filter = `traceFilterCondition: "${OF_ADA}"`;
  expect(
    await ask(`traceTotals(${filter}) { count errorCount cost }
      spanGroups(by: "model_name", filterCondition: "model_name is not None", ${filter}) { groups { value count costTotal } }
      sessionCount(sessionFilterCondition: "${OF_ADA}")`),
  ).toEqual({
    traceTotals: { count: 3, errorCount: 1, cost: 6 },
    spanGroups: {
      groups: [
        { value: 'large', count: 2, costTotal: 5 },
        { value: 'small', count: 1, costTotal: 1 },
      ],
    },
    sessionCount: 1,
  });
});

it('groups the traces of a user by session, and gives each group its session and a filter', async () => {
  const { traceGroups } = await ask<{ traceGroups: { groups: readonly { filter: string }[] } }>(
    `traceGroups(by: "session", traceFilterCondition: "${OF_ADA}", sort: { col: costTotal, dir: desc }) {
      groups { value filter count costTotal firstStartTime lastStartTime session { sessionId numTraces } } }`,
  );
  expect(traceGroups.groups).toEqual([
    {
      value: 'one',
      filter: "any(s.session_id == 'one' for s in spans)",
      count: 2,
      costTotal: 3,
      firstStartTime: at(1),
      lastStartTime: at(2),
      session: { sessionId: 'one', numTraces: 2 },
    },
    {
      value: null,
      filter: 'all(s.session_id is None for s in spans)',
      count: 1,
      costTotal: 3,
      firstStartTime: at(3),
      lastStartTime: at(3),
      session: null,
    },
  ]);
  for (const { filter } of traceGroups.groups) {
    const { traceCount } = await ask<{ traceCount: number }>(
      `traceCount: traceTotals(traceFilterCondition: ${JSON.stringify(`${OF_ADA} and ${filter}`)}) { count }`,
    );
    expect(traceCount).toEqual({ count: filter.startsWith('any') ? 2 : 1 });
  }
});
