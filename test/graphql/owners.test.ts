/** Spans, traces and sessions narrowed by filters of their owners, and what lies below spans, over GraphQL. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { spanId, TEST_START_US, type TestSpan, traceId } from '../harness/otlp-json.ts';
import { type InProcess, openInProcess } from './in-process.ts';

let graphql: InProcess;

beforeAll(async () => {
  graphql = await openInProcess();
  await graphql.store.send([...talk(1, 'one', 'ada'), ...talk(2, 'one', 'ada', 'ERROR'), ...talk(3, 'two', 'bob')]);
});

afterAll(() => graphql.store.close());

const SECOND_US = 1_000_000;

/** A trace of a root and as many calls of ten tokens as its number says; as many seconds long. */
function talk(number: number, session: string, user: string, status: 'OK' | 'ERROR' = 'OK'): readonly TestSpan[] {
  const startUs = TEST_START_US + number * 10 * SECOND_US;
  const common = { traceId: traceId(number), startUs, endUs: startUs + number * SECOND_US };
  const root = { 'openinference.span.kind': 'AGENT', 'session.id': session, 'user.id': user };
  const call = { 'openinference.span.kind': 'LLM', 'llm.token_count.prompt': 7, 'llm.token_count.completion': 3 };
  return [
    { ...common, spanId: spanId(number * 10), name: 'ask', attributes: root },
    ...Array.from({ length: number }, (_, place) => ({
      ...common,
      spanId: spanId(number * 10 + place + 1),
      parentSpanId: spanId(number * 10),
      status,
      name: 'call',
      attributes: call,
    })),
  ];
}

async function ask<Data>(fields: string): Promise<Data> {
  const answer = await graphql.query<{ project: Data }>(`{ project: getProjectByName(name: "default") { ${fields} } }`);
  return answer.project;
}

describe('Project.spans', () => {
  const list = async (args: string) => {
    const names: string[] = [];
    for (let after = ''; ; ) {
      const { spans } = await ask<{
        spans: { edges: { node: { spanId: string } }[]; pageInfo: { hasNextPage: boolean; endCursor: string } };
      }>(`spans(first: 2, ${args}${after}) { edges { node { spanId } } pageInfo { hasNextPage endCursor } }`);
      names.push(...spans.edges.map(({ node }) => node.spanId));
      if (!spans.pageInfo.hasNextPage) return names;
      after = `, after: ${JSON.stringify(spans.pageInfo.endCursor)}`;
    }
  };

  it('are of traces that match', async () => {
    const found = await list(`traceFilterCondition: "error_count > 0", filterCondition: "span_kind == 'LLM'"`);
    expect(found).toEqual([21, 22].map(spanId));
    expect(await list(`traceFilterCondition: "user.id == 'bob'", sort: { col: startTime, dir: desc }`)).toHaveLength(4);
  });

  it.each(['cumulativeTokenCountTotal', 'cumulativeTokenCountPrompt', 'cumulativeTokenCountCompletion'])(
    'are sorted by %s',
    async (col) => {
      const down = await list(`sort: { col: ${col}, dir: desc }`);
      expect(down.slice(0, 2)).toEqual([30, 20].map(spanId));
      expect(down).toHaveLength(9);
      expect(await list(`sort: { col: ${col}, dir: asc }`)).toEqual(down.toReversed());
    },
  );

  it('say each in its cursor what a span comes to', async () => {
    const { spans } = await ask<{ spans: { edges: { cursor: string }[] } }>(
      'spans(first: 2, sort: { col: cumulativeTokenCountTotal, dir: desc }) { edges { cursor } }',
    );
    const cursors = spans.edges.map(({ cursor }) => Buffer.from(cursor, 'base64').toString());
    expect(cursors).toEqual([expect.stringMatching(/:INT:30$/), expect.stringMatching(/:INT:20$/)]);
  });
});

describe('sums', () => {
  it('are of the sessions that match', async () => {
    const filter = 'sessionFilterCondition: "num_traces > 1"';
    expect(
      await ask(`recordCount(${filter}) traceCount(${filter}) sessionCount(${filter})
        costSummary(${filter}) { total { tokens } }
        latencyMsQuantile(probability: 1, ${filter}) spanLatencyMsQuantile(probability: 0, ${filter})
        averageSessionDurationMs(${filter}) averageTracesPerSession(${filter})
        sessionDurationMsQuantile(probability: 0.5, ${filter})`),
    ).toEqual({
      recordCount: 5,
      traceCount: 2,
      sessionCount: 1,
      costSummary: { total: { tokens: 30 } },
      latencyMsQuantile: 2000,
      spanLatencyMsQuantile: 1000,
      averageSessionDurationMs: 12_000,
      averageTracesPerSession: 2,
      sessionDurationMsQuantile: 12_000,
    });
    const none = 'sessionFilterCondition: "num_traces > 9"';
    expect(
      await ask(
        `averageTracesPerSession(${none}) sessionDurationMsQuantile(probability: 1, ${none}) traceCount(${none})`,
      ),
    ).toEqual({ averageTracesPerSession: null, sessionDurationMsQuantile: null, traceCount: 0 });
  });

  it.each(['recordCount', 'traceCount', 'latencyMsQuantile'])(
    'of spans and sessions at once are refused: %s',
    async (field) => {
      const probability = field === 'latencyMsQuantile' ? 'probability: 0.5, ' : '';
      const filters = `${probability}filterCondition: "name == 'ask'", sessionFilterCondition: "num_traces > 1"`;
      const { errors } = await graphql.ask(`{ getProjectByName(name: "default") { ${field}(${filters}) } }`);
      expect(errors).toMatchObject([
        { message: expect.stringContaining('use one of them'), extensions: { code: 'invalid_argument' } },
      ]);
    },
  );
});

describe('above a table', () => {
  it('of traces there are only those that match', async () => {
    const { traceHistogram, traceFacets, traceCountTimeSeries } = await ask<{
      traceHistogram: { buckets: { totalCount: number }[] };
      traceFacets: object;
      traceCountTimeSeries: object;
    }>(`traceHistogram(traceFilterCondition: "num_spans > 2", buckets: { scale: MINUTE }) {
        isPartial earlierCount buckets { totalCount okCount errorCount unsetCount latencyMsP50 } }
      traceFacets(traceFilterCondition: "latency_ms > 1000", facets: [{ by: "user.id" }, { by: "num_spans" }]) {
        facets { by values { value count filterCondition } numbers { min max count } } }
      traceCountTimeSeries(traceFilterCondition: "num_spans > 2", timeRange: {
        start: "2026-01-01T00:00:00Z", end: "2026-01-01T01:00:00Z" }) { data { value } }`);
    expect(traceHistogram).toEqual({
      isPartial: false,
      earlierCount: 0,
      buckets: [{ totalCount: 2, okCount: 1, errorCount: 1, unsetCount: 0, latencyMsP50: 2500 }],
    });
    expect(traceFacets).toEqual({
      facets: [
        {
          by: 'user.id',
          values: [
            { value: 'ada', count: 1, filterCondition: "user.id == 'ada'" },
            { value: 'bob', count: 1, filterCondition: "user.id == 'bob'" },
          ],
          numbers: null,
        },
        { by: 'num_spans', values: [], numbers: { min: 3, max: 4, count: 2 } },
      ],
    });
    expect(traceCountTimeSeries).toEqual({ data: [{ value: 2 }] });
  });

  it('of sessions there are only those that match, and beside them those that began before', async () => {
    const late = 'timeRange: { start: "2026-01-01T00:00:15Z", end: "2026-01-01T01:00:00Z" }';
    const found = await ask(`sessionHistogram(${late}, buckets: { scale: HOUR }) { earlierCount buckets { totalCount } }
      sessionCountTimeSeries(${late}, sessionFilterCondition: "num_traces == 1") { data { value } }
      sessionFacets(sessionFilterCondition: "num_traces > 1", facets: [{ by: "user.id" }]) {
        facets { values { value count filterCondition } } }`);
    expect(found).toEqual({
      sessionHistogram: { earlierCount: 1, buckets: [{ totalCount: 1 }] },
      sessionCountTimeSeries: { data: [{ value: 1 }] },
      sessionFacets: { facets: [{ values: [{ value: 'ada', count: 1, filterCondition: "user.id == 'ada'" }] }] },
    });
  });

  it('of traces or sessions it is said what all of them come to', async () => {
    const fields = '{ isPartial share count errorCount latencyMsP50 latencyMsP95 promptTokens completionTokens cost }';
    const late = 'timeRange: { start: "2026-01-01T00:00:15Z", end: "2026-01-01T01:00:00Z" }';
    const found = await ask(`all: traceTotals ${fields}
      failed: traceTotals(traceFilterCondition: "error_count > 0") { count latencyMsP50 promptTokens }
      owners: traceTotals(filterCondition: "name == 'call' and status_code == 'ERROR'") { count errorCount }
      none: traceTotals(traceFilterCondition: "num_spans > 99") ${fields}
      sessions: sessionTotals(${late}) { count errorCount latencyMsP50 promptTokens completionTokens }
      one: sessionTotals(sessionFilterCondition: "num_traces > 1") { count latencyMsP95 }`);
    const whole = { isPartial: false, share: 1 };
    expect(found).toEqual({
      all: {
        ...whole,
        count: 3,
        errorCount: 1,
        latencyMsP50: 2000,
        latencyMsP95: 2900,
        promptTokens: 42,
        completionTokens: 18,
        cost: 0,
      },
      failed: { count: 1, latencyMsP50: 2000, promptTokens: 14 },
      owners: { count: 1, errorCount: 1 },
      none: {
        ...whole,
        count: 0,
        errorCount: 0,
        latencyMsP50: null,
        latencyMsP95: null,
        promptTokens: 0,
        completionTokens: 0,
        cost: 0,
      },
      sessions: { count: 2, errorCount: 1, latencyMsP50: 7500, promptTokens: 42, completionTokens: 18 },
      one: { count: 1, latencyMsP95: 12_000 },
    });
  });
});
