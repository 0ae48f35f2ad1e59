/** What calls cost, from their arrival to every place that shows it, and what models cost, over GraphQL and REST. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askGraphql, queryGraphql } from '../harness/graphql.ts';
import { exportAll } from '../harness/otlp-client.ts';
import { Double, spanId, TEST_START_US, type TestSpan, traceId, traceRequest } from '../harness/otlp-json.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
  const call = (number: number, attributes: TestSpan['attributes'], of: Partial<TestSpan> = {}): TestSpan => ({
    spanId: spanId(number),
    parentSpanId: spanId(1),
    attributes: {
      'openinference.span.kind': 'LLM',
      'llm.model_name': 'gpt-4o',
      'llm.provider': 'openai',
      'llm.token_count.prompt': 1000,
      'llm.token_count.completion': 100,
      'session.id': 'conversation',
      ...attributes,
    },
    ...of,
  });
  await exportAll(
    server.url,
    traceRequest([
      { spanId: spanId(1), name: 'agent', attributes: { 'openinference.span.kind': 'AGENT' } },
      call(2, { 'llm.token_count.prompt_details.cache_read': 400, 'llm.token_count.completion_details.reasoning': 40 }),
      call(3, { 'llm.cost.total': 0.5 }),
      call(4, { 'llm.model_name': 'house-model' }),
      call(5, { 'llm.model_name': 'house-model' }, { traceId: traceId(2) }),
    ]),
  );
});

afterAll(() => server[Symbol.asyncDispose]());

const SUMMARY = 'prompt { tokens cost } completion { tokens cost } total { tokens cost }';
const DETAILS = 'tokenType isPrompt value { tokens cost }';

/** What the trace costs, in millionths of a dollar. */
async function traceCost(): Promise<number> {
  const query = `{ getTraceByOtelId(traceId: "${traceId(1)}") { costSummary { total { cost } } } }`;
  const data = await queryGraphql<{ getTraceByOtelId: { costSummary: { total: { cost: number } } } }>(
    server.url,
    query,
  );
  return Math.round(data.getTraceByOtelId.costSummary.total.cost * 1e6);
}

describe('what calls cost', () => {
  it('is shown of spans, whether computed, reported or unknown', async () => {
    const query = `query($id: String!) { span: getSpanByOtelId(spanId: $id) { reportedCost computedCost
      costSummary { ${SUMMARY} } costDetailSummaryEntries { ${DETAILS} } } }`;
    const read = async (number: number) =>
      (await queryGraphql<{ span: Record<string, unknown> }>(server.url, query, { id: spanId(number) })).span;
    expect(await read(2)).toEqual({
      reportedCost: null,
      computedCost: 0.003,
      costSummary: {
        prompt: { tokens: 1000, cost: 0.002 },
        completion: { tokens: 100, cost: 0.001 },
        total: { tokens: 1100, cost: 0.003 },
      },
      costDetailSummaryEntries: [
        { tokenType: 'input', isPrompt: true, value: { tokens: 600, cost: 0.0015 } },
        { tokenType: 'cache_read', isPrompt: true, value: { tokens: 400, cost: 0.0005 } },
        { tokenType: 'output', isPrompt: false, value: { tokens: 60, cost: 0.0006 } },
        { tokenType: 'reasoning', isPrompt: false, value: { tokens: 40, cost: 0.0004 } },
      ],
    });
    expect(await read(3)).toMatchObject({
      reportedCost: 0.5,
      computedCost: 0.0035,
      costSummary: { prompt: { cost: null }, completion: { cost: null }, total: { cost: 0.5 } },
    });
    expect(await read(4)).toMatchObject({ computedCost: null, costSummary: null, costDetailSummaryEntries: [] });
  });

  it('adds up over a span, its trace, its session and its project', async () => {
    const total = { tokens: 3300, cost: 0.503 };
    const data = await queryGraphql(
      server.url,
      `{ span: getSpanByOtelId(spanId: "${spanId(1)}") {
          costSummary { total { cost } } cumulativeCostSummary { total { tokens cost } }
          cumulativeCostDetailSummaryEntries { tokenType value { tokens cost } } }
        trace: getTraceByOtelId(traceId: "${traceId(1)}") {
          costSummary { total { tokens cost } } costDetailSummaryEntries { tokenType value { tokens } } }
        session: getProjectSessionById(sessionId: "conversation") {
          costSummary { total { tokens cost } } costDetailSummaryEntries { tokenType value { tokens } } }
        project: getProjectByName(name: "default") {
          costSummary { ${SUMMARY} } early: costSummary(timeRange: { end: "2000-01-01T00:00:00Z" }) { total { tokens cost } } } }`,
    );
    const entries = [
      { tokenType: 'input', value: { tokens: 1600 } },
      { tokenType: 'cache_read', value: { tokens: 400 } },
      { tokenType: 'output', value: { tokens: 160 } },
      { tokenType: 'reasoning', value: { tokens: 40 } },
    ];
    expect(data).toMatchObject({
      span: { costSummary: null, cumulativeCostSummary: { total }, cumulativeCostDetailSummaryEntries: entries },
      trace: { costSummary: { total }, costDetailSummaryEntries: entries },
      session: { costSummary: { total: { tokens: 4400, cost: 0.503 } }, costDetailSummaryEntries: entries },
      project: {
        costSummary: {
          prompt: { tokens: 4000, cost: 0.002 },
          completion: { tokens: 400, cost: 0.001 },
          total: { tokens: 4400, cost: 0.503 },
        },
        early: { total: { tokens: 0, cost: 0 } },
      },
    });
  });

  it('orders spans and sessions', async () => {
    const data = await queryGraphql<{
      project: { spans: { edges: { node: { spanId: string } }[] }; sessions: { edges: unknown[] } };
    }>(
      server.url,
      `{ project: getProjectByName(name: "default") {
          spans(first: 2, sort: { col: tokenCostTotal, dir: desc }) { edges { node { spanId } } }
          sessions(first: 3, sort: { col: costTotal, dir: desc }) { edges { node { sessionId } } } } }`,
    );
    expect(data.project.spans.edges.map(({ node }) => node.spanId)).toEqual([spanId(3), spanId(2)]);
    expect(data.project.sessions.edges).toHaveLength(1);
  });

  it('narrows lists', async () => {
    const count = async (condition: string) => {
      const query = `query($condition: String!) { project: getProjectByName(name: "default") {
        spans(first: 9, filterCondition: $condition) { edges { node { spanId } } } } }`;
      const data = await queryGraphql<{ project: { spans: { edges: unknown[] } } }>(server.url, query, { condition });
      return data.project.spans.edges.length;
    };
    expect(await count('total_cost > 0.4')).toBe(1);
    expect(await count("total_cost == 0 and span_kind == 'LLM'")).toBe(2);
    expect(await count("any(d.token_type == 'cache_read' and d.tokens == 400 for d in cost_details)")).toBe(1);
  });
});

describe('absurd claims', () => {
  const CLAIMS = [1e308, -1e308, Number.NaN, Number.POSITIVE_INFINITY, 9.2e10, 9.2e18, -1, '1e400', 'NaN'];
  const TRACES = [traceId(901), traceId(902)];
  /** Calls that each claim the most that is believed, so that the cost of each trace leaves the exact integers, and calls that claim more. */
  const spans = TRACES.flatMap((trace, number) =>
    [...Array.from({ length: 150 }, () => 1e5), ...CLAIMS].map((claim, place): TestSpan => {
      const isBelieved = claim === 1e5;
      const said = typeof claim === 'string' ? claim : new Double(claim);
      const tokens = isBelieved ? 10_000_000_000 : said;
      return {
        traceId: trace,
        spanId: spanId(1000 * (number + 1) + place),
        startUs: TEST_START_US + number * 1_000_000,
        attributes: {
          'openinference.span.kind': 'LLM',
          'llm.cost.total': said,
          'llm.token_count.prompt': tokens,
          'llm.token_count.completion': tokens,
          'session.id': 'absurd conversation',
        },
      };
    }),
  );
  const half = { total: { tokens: 150 * 2e10, cost: 150 * 1e5 } };
  const whole = { total: { tokens: 300 * 2e10, cost: 300 * 1e5 } };
  const nothing = { total: { tokens: 0, cost: 0 } };

  it('are stored, summed, listed and deleted', async () => {
    const resource = { 'openinference.project.name': 'absurd' };
    // In two requests, so that sums are added to stored ones.
    for (const part of [0, 1])
      await exportAll(server.url, traceRequest(spans.filter((_, place) => place % 2 === part), resource)); // biome-ignore format: one
    const costs = 'costSummary { total { tokens cost } }';
    const cut = `{ end: "${new Date(TEST_START_US / 1000 + 500).toISOString()}" }`;
    const read = async () => {
      const { project } = await queryGraphql<{ project: Record<string, unknown> }>(
        server.url,
        `{ project: getProjectByName(name: "absurd") { ${costs} cut: costSummary(timeRange: ${cut}) { total { tokens cost } }
            sessions(first: 5, sort: { col: costTotal, dir: desc }) { edges { node { ${costs} } } }
            traces(first: 1, sort: { col: costTotal, dir: desc }) { edges { node { ${costs} } } pageInfo { endCursor } } } }`,
      );
      return project;
    };
    const edges = (costSummary: object) => [{ node: { costSummary } }];
    const shown = await read();
    expect(shown).toMatchObject({
      costSummary: whole,
      cut: half,
      sessions: { edges: edges(whole) },
      traces: { edges: edges(half) },
    });
    const { pageInfo } = shown['traces'] as { pageInfo: { endCursor: string } };
    const next = `{ project: getProjectByName(name: "absurd") {
      traces(first: 1, after: "${pageInfo.endCursor}", sort: { col: costTotal, dir: desc }) { edges { node { ${costs} } } } } }`;
    expect(await queryGraphql(server.url, next)).toMatchObject({ project: { traces: { edges: edges(half) } } });
    const remove = async (trace: string) =>
      (await fetch(`${server.url}/v1/traces/${trace}`, { method: 'DELETE' })).status;
    expect(await remove(TRACES[1] ?? '')).toBe(204);
    await expect.poll(read, { interval: 20 }).toMatchObject({ costSummary: half, sessions: { edges: edges(half) } });
    expect(await remove(TRACES[0] ?? '')).toBe(204);
    await expect
      .poll(read, { interval: 20 })
      .toMatchObject({ costSummary: nothing, sessions: { edges: [] }, traces: { edges: [] } });
  });
});

describe('what models cost', () => {
  const HOUSE = {
    name: 'House model',
    name_pattern: '^house-',
    prices: [
      { token_type: 'input', is_prompt: true, usd_per_million_tokens: 10 },
      { token_type: 'output', is_prompt: false, usd_per_million_tokens: 20 },
    ],
  };
  const send = (path: string, method: string, body?: unknown) =>
    fetch(`${server.url}${path}`, {
      method,
      ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });

  it('is said with when a call last had the price, in any project; of others nothing', async () => {
    const startUs = 1_790_000_000_000_000;
    const call = (number: number, startedUs: number): TestSpan => ({
      traceId: traceId(number),
      spanId: spanId(number),
      startUs: startedUs,
      endUs: startedUs + 1000,
      attributes: {
        'openinference.span.kind': 'LLM',
        'llm.model_name': 'claude-haiku-4-5',
        'llm.provider': 'anthropic',
      },
    });
    for (const [project, span] of [
      ['early', call(51, startUs)],
      ['late', call(52, startUs + 60_000_000)],
    ] as const) {
      await exportAll(server.url, traceRequest([span], { 'openinference.project.name': project }));
    }
    const { generativeModels } = await queryGraphql<{
      generativeModels: { edges: { node: { name: string; provider: string; lastUsedAt: string | null } }[] };
    }>(server.url, '{ generativeModels(first: 1000) { edges { node { name provider lastUsedAt } } } }');
    const nodes = generativeModels.edges.map(({ node }) => node);
    const find = (name: string) =>
      nodes.find((node) => node.name === name && node.provider === 'anthropic')?.lastUsedAt;
    expect(Date.parse(find('claude-haiku-4-5') ?? '')).toBe(startUs / 1000 + 60_000);
    expect(find('claude-opus-5-5')).toBeNull();
  });

  it('is created, listed, changed, applied to stored spans and deleted', async () => {
    const created = await send('/v1/model_prices', 'POST', HOUSE);
    expect(created.status).toBe(201);
    const { data: price } = (await created.json()) as { data: { id: string } };
    expect(price).toMatchObject({ ...HOUSE, provider: null, is_built_in: false, start_time: null });
    expect(await (await send(`/v1/model_prices/${price.id}`, 'GET')).json()).toEqual({ data: price });
    const list = (await (await send('/v1/model_prices?name_contains=house&limit=5', 'GET')).json()) as object;
    expect(list).toEqual({ data: [price], next_cursor: null });
    expect(await traceCost()).toBe(503_000);

    expect((await send('/v1/repricing', 'POST', { name_pattern: 'house' })).status).toBe(202);
    await expect
      .poll(async () => ((await (await send('/v1/repricing', 'GET')).json()) as { data: object }).data, {
        interval: 20,
      })
      .toMatchObject({ is_running: false, progress: 1, changed_count: 2, failed_count: 0, name_pattern: 'house' });
    expect(await traceCost()).toBe(515_000);

    const replaced = { ...HOUSE, start_time: '2026-06-01T00:00:00+00:00' };
    expect(await (await send(`/v1/model_prices/${price.id}`, 'PUT', replaced)).json()).toMatchObject({
      data: replaced,
    });
    expect((await send(`/v1/model_prices/${price.id}`, 'DELETE')).status).toBe(204);
    expect((await send(`/v1/model_prices/${price.id}`, 'GET')).status).toBe(404);
  });

  it.each([
    [
      'a negative price',
      { prices: [{ ...HOUSE.prices[0], usd_per_million_tokens: -1 }, HOUSE.prices[1]] },
      400,
      /negative/,
    ],
    ['no price of answers', { prices: [HOUSE.prices[0]] }, 400, /output of the completion is missing/],
    [
      'tokens that nobody counts',
      { prices: [...HOUSE.prices, { token_type: 'image', is_prompt: true, usd_per_million_tokens: 1 }] },
      400,
      /No tokens of a prompt are counted as "image"/,
    ],
    ['two prices of one', { prices: [...HOUSE.prices, HOUSE.prices[0]] }, 400, /two prices for input/],
    ['a pattern that would explode', { name_pattern: '(a+)+\\1$' }, 400, /cannot be read/],
    ['no name', { name: '  ' }, 400, /needs a name/],
    ['a time that is none', { start_time: 'soon' }, 422, /datetime/],
    ['a price that is a text', { prices: 'cheap' }, 422, /prices/],
    [
      'lengths of prompts twice',
      { long_prompt_prices: [1, 2].map(() => ({ above_prompt_tokens: 5, prices: [] })) },
      400,
      /two lists of prices above 5/,
    ],
  ])('cannot be %s', async (_what, change, status, message) => {
    const response = await send('/v1/model_prices', 'POST', { ...HOUSE, ...change });
    expect(response.status).toBe(status);
    expect(await response.text()).toMatch(message);
  });

  it('is refused for a pass whose times are backwards', async () => {
    const range = { start_time: '2026-01-02T00:00:00Z', end_time: '2026-01-01T00:00:00Z' };
    const response = await send('/v1/repricing', 'POST', range);
    expect([response.status, await response.text()]).toEqual([400, 'The time range ends before it starts.']);
  });

  it('is said over GraphQL, too', async () => {
    const input = {
      name: 'mine',
      provider: 'azure',
      namePattern: '^mine-',
      startTime: '2026-01-01T00:00:00Z',
      costs: [
        { tokenType: 'input', kind: 'PROMPT', costPerMillionTokens: 2 },
        { tokenType: 'output', kind: 'COMPLETION', costPerMillionTokens: 4 },
      ],
    };
    const fields = `id name provider providerKey namePattern kind startTime
      tokenPrices { tokenType kind costPerMillionTokens costPerToken }`;
    const create = `mutation($input: CreateModelMutationInput!) { createModel(input: $input) { model { ${fields} } } }`;
    const { createModel } = await queryGraphql<{ createModel: { model: { id: string } } }>(server.url, create, {
      input,
    });
    expect(createModel.model).toMatchObject({
      name: 'mine',
      providerKey: 'AZURE_OPENAI',
      kind: 'CUSTOM',
      tokenPrices: [
        { tokenType: 'input', kind: 'PROMPT', costPerMillionTokens: 2, costPerToken: 2e-6 },
        { tokenType: 'output', kind: 'COMPLETION', costPerMillionTokens: 4, costPerToken: 4e-6 },
      ],
    });
    expect((await askGraphql(server.url, create, { input })).errors?.[0]?.message).toMatch(/named mine/);
    const { id } = createModel.model;
    const rename = `mutation($input: UpdateModelMutationInput!) { updateModel(input: $input) { model { name } query {
      generativeModels(first: 2) { edges { node { id name kind } } } } } }`;
    const renamed = await queryGraphql(server.url, rename, { input: { ...input, id, name: 'ours' } });
    expect(renamed).toMatchObject({
      updateModel: {
        model: { name: 'ours' },
        query: { generativeModels: { edges: [{ node: { id, kind: 'CUSTOM' } }, { node: { kind: 'BUILT_IN' } }] } },
      },
    });
    const remove = 'mutation($id: ID!) { deleteModel(input: { id: $id }) { model { name } } }';
    expect(await queryGraphql(server.url, remove, { id })).toEqual({ deleteModel: { model: { name: 'ours' } } });
    const builtIn = await queryGraphql<{ generativeModels: { edges: { node: { id: string } }[] } }>(
      server.url,
      '{ generativeModels(first: 1) { edges { node { id } } } }',
    );
    const [first] = builtIn.generativeModels.edges;
    const refused = await askGraphql(server.url, remove, { id: first?.node.id });
    expect(refused.errors?.[0]?.message).toMatch(/comes with the product/);
    const node = await queryGraphql(server.url, 'query($id: ID!) { node(id: $id) { __typename id } }', {
      id: first?.node.id,
    });
    expect(node).toEqual({ node: { __typename: 'GenerativeModel', id: first?.node.id } });
  });
});
