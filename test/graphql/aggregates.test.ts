/** Charts, groups and facets over GraphQL, of spans that arrive over OTLP. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askGraphql, queryGraphql } from '../harness/graphql.ts';
import { exportAll } from '../harness/otlp-client.ts';
import { spanId, type TestSpan, traceId, traceRequest } from '../harness/otlp-json.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';

const HOUR_US = 3_600_000_000;

/** The hour before clocks in Berlin go back. */
const START_US = Date.UTC(2026, 9, 25, 0) * 1000;
const RANGE = { start: '2026-10-25T00:00:00Z', end: '2026-10-25T03:00:00Z' };

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
  await exportAll(server.url, traceRequest([...chat(1, 0, 'gpt-4o-mini', 2), ...chat(11, 1, 'gpt-4o', 4, 'ERROR')]));
  await exportAll(server.url, traceRequest(chat(21, 1.5, 'gpt-4o-mini', 8)));
});

afterAll(() => server[Symbol.asyncDispose]());

/** A trace of an agent that asks a model for so many seconds. */
function chat(
  number: number,
  hour: number,
  model: string,
  seconds: number,
  status: 'OK' | 'ERROR' = 'OK',
): readonly TestSpan[] {
  const startUs = START_US + hour * HOUR_US;
  const endUs = startUs + seconds * 1_000_000;
  return [
    {
      traceId: traceId(number),
      spanId: spanId(number),
      name: 'agent',
      startUs,
      endUs,
      attributes: { 'openinference.span.kind': 'AGENT', 'session.id': 'one', 'user.id': `user ${number}` },
    },
    {
      traceId: traceId(number),
      spanId: spanId(number + 1),
      parentSpanId: spanId(number),
      name: 'ask',
      startUs,
      endUs,
      status,
      attributes: {
        'openinference.span.kind': 'LLM',
        'llm.model_name': model,
        'llm.token_count.prompt': 100,
        'llm.token_count.completion': 10,
        'llm.token_count.prompt_details.cache_read': 40,
        'llm.cost.total': 0.5,
        wide: 9_007_199_254_740_993n,
      },
    },
  ];
}

/** `$r` in the fields is the range. */
function toQuery(fields: string, { start, end } = RANGE): string {
  const range = `{ start: "${start}", end: "${end}" }`;
  return `{ getProjectByName(name: "default") { ${fields.replaceAll('$r', range)} } }`;
}

async function ask<Project>(fields: string): Promise<Project> {
  const { getProjectByName } = await queryGraphql<{ getProjectByName: Project }>(server.url, toQuery(fields));
  return getProjectByName;
}

describe('time series', () => {
  const bins = 'timeRange: $r, timeBinConfig: { scale: HOUR, timeZone: "Europe/Berlin" }';

  it('count spans by hour and status, empty hours too', async () => {
    const { spanCountTimeSeries } = await ask<{ spanCountTimeSeries: unknown }>(
      `spanCountTimeSeries(${bins}) { data { timestamp okCount errorCount unsetCount totalCount } }`,
    );
    expect(spanCountTimeSeries).toEqual({
      data: [
        { timestamp: '2026-10-25T00:00:00+00:00', okCount: 1, errorCount: 0, unsetCount: 1, totalCount: 2 },
        { timestamp: '2026-10-25T01:00:00+00:00', okCount: 1, errorCount: 1, unsetCount: 2, totalCount: 4 },
        { timestamp: '2026-10-25T02:00:00+00:00', okCount: 0, errorCount: 0, unsetCount: 0, totalCount: 0 },
      ],
    });
  });

  it('count, time and sum traces by the hour in which they start', async () => {
    const series = await ask<Record<string, { data: readonly unknown[] }>>(`
      traceCountTimeSeries(${bins}) { data { value } }
      traceCountByStatusTimeSeries(${bins}) { data { okCount errorCount totalCount } }
      traceLatencyMsPercentileTimeSeries(${bins}) { data { p50 p75 p90 p95 p99 p999 max } }
      traceTokenCostTimeSeries(${bins}) { data { promptCost completionCost totalCost } }
      traceTokenCountTimeSeries(${bins}) { data { promptTokenCount completionTokenCount totalTokenCount
        promptTokenCountDetails { tokenType tokenCount } completionTokenCountDetails { tokenType tokenCount } } }`);
    const second = (name: string) => series[name]?.data[1];
    expect(series['traceCountTimeSeries']?.data).toEqual([{ value: 1 }, { value: 2 }, { value: 0 }]);
    expect(second('traceCountByStatusTimeSeries')).toEqual({ okCount: 1, errorCount: 1, totalCount: 2 });
    expect(second('traceLatencyMsPercentileTimeSeries')).toMatchObject({ p50: 6000, p75: 7000, max: 8000 });
    expect(series['traceLatencyMsPercentileTimeSeries']?.data[2]).toMatchObject({ p50: null, max: null });
    expect(second('traceTokenCostTimeSeries')).toMatchObject({ totalCost: 1 });
    expect(second('traceTokenCountTimeSeries')).toEqual({
      promptTokenCount: 200,
      completionTokenCount: 20,
      totalTokenCount: 220,
      promptTokenCountDetails: [
        { tokenType: 'input', tokenCount: 120 },
        { tokenType: 'cache_read', tokenCount: 80 },
        { tokenType: 'cache_write', tokenCount: 0 },
        { tokenType: 'audio', tokenCount: 0 },
      ],
      completionTokenCountDetails: [
        { tokenType: 'output', tokenCount: 20 },
        { tokenType: 'reasoning', tokenCount: 0 },
        { tokenType: 'audio', tokenCount: 0 },
      ],
    });
  });

  it('begin days as a zone or an offset says', async () => {
    const series = await ask<Record<string, { data: readonly { timestamp: string }[] }>>(`
      berlin: traceCountTimeSeries(timeRange: $r, timeBinConfig: { scale: DAY, timeZone: "Europe/Berlin" }) { data { timestamp } }
      tokyo: traceCountTimeSeries(timeRange: $r, timeBinConfig: { scale: DAY, utcOffsetMinutes: 540 }) { data { timestamp } }`);
    expect(series['berlin']?.data).toEqual([{ timestamp: '2026-10-24T22:00:00+00:00' }]);
    expect(series['tokyo']?.data).toEqual([{ timestamp: '2026-10-24T15:00:00+00:00' }]);
  });

  it('count only what matches a filter', async () => {
    const filter = `${bins}, filterCondition: "llm.model_name == 'gpt-4o-mini'"`;
    expect(
      await ask(
        `spanCountTimeSeries(${filter}) { data { totalCount } } traceCountTimeSeries(${filter}) { data { value } }`,
      ),
    ).toEqual({
      spanCountTimeSeries: { data: [{ totalCount: 1 }, { totalCount: 1 }, { totalCount: 0 }] },
      traceCountTimeSeries: { data: [{ value: 1 }, { value: 1 }, { value: 0 }] },
    });
  });
});

describe('aggregates and histograms', () => {
  it('group measures, and say what is left over', async () => {
    const { aggregate } = await ask<{
      aggregate: unknown;
    }>(`aggregate(timeRange: $r, groupBy: ["llm.model_name"], maxGroups: 1,
      filterCondition: "span_kind == 'LLM'", measures: [COUNT, LATENCY_MS_MAX, COST, TRACE_COUNT, ERROR_RATE]) {
      isPartial share scale startTimes endTime otherGroupCount groups { key series { measure values } } }`);
    expect(aggregate).toEqual({
      isPartial: false,
      share: 1,
      scale: null,
      startTimes: ['2026-10-25T00:00:00+00:00'],
      endTime: '2026-10-25T03:00:00+00:00',
      otherGroupCount: 1,
      groups: [
        { key: ['gpt-4o-mini'], series: measured([2, 8000, 1, 2, 0]) },
        { key: null, series: measured([1, 4000, 0.5, 1, 1]) },
      ],
    });
  });

  it('show how many, how slow and how expensive spans are over time', async () => {
    const { histogram } = await ask<{
      histogram: { scale: string; buckets: readonly unknown[] };
    }>(`histogram(timeRange: $r,
      buckets: { scale: HOUR }) { scale isPartial buckets { startTime endTime totalCount okCount errorCount unsetCount
      latencyMsP50 latencyMsP95 cost } }`);
    expect(histogram.scale).toBe('HOUR');
    expect(histogram.buckets[1]).toEqual({
      startTime: '2026-10-25T01:00:00+00:00',
      endTime: '2026-10-25T02:00:00+00:00',
      totalCount: 4,
      okCount: 1,
      errorCount: 1,
      unsetCount: 2,
      latencyMsP50: 6000,
      latencyMsP95: 8000,
      cost: 1,
    });
    expect(histogram.buckets[2]).toMatchObject({ totalCount: 0, latencyMsP50: null, cost: 0 });
    const { fitting } = await ask<{ fitting: { scale: string } }>('fitting: histogram(timeRange: $r) { scale }');
    expect(fitting.scale).toBe('MINUTE');
  });

  function measured(values: readonly number[]) {
    const names = ['COUNT', 'LATENCY_MS_MAX', 'COST', 'TRACE_COUNT', 'ERROR_RATE'];
    return names.map((measure, place) => ({ measure, values: [values[place]] }));
  }
});

describe('models', () => {
  it('come in the order of what they cost, or of the tokens that they use, with what that is', async () => {
    const model = '{ name costSummary { prompt { tokens } total { tokens cost } } }';
    const found = await ask<{
      readonly id: string;
      readonly topModelsByCost: readonly { readonly id: string }[];
      readonly topModelsByTokenCount: readonly unknown[];
    }>(`id topModelsByCost(timeRange: $r) { id ${model.slice(1)} topModelsByTokenCount(timeRange: $r) { name }`);
    expect(found.topModelsByCost).toMatchObject([
      { name: 'gpt-4o-mini', costSummary: { prompt: { tokens: 200 }, total: { tokens: 220, cost: 1 } } },
      { name: 'gpt-4o', costSummary: { prompt: { tokens: 100 }, total: { tokens: 110, cost: 0.5 } } },
    ]);
    expect(found.topModelsByTokenCount).toEqual([{ name: 'gpt-4o-mini' }, { name: 'gpt-4o' }]);
    const alone = `{ node(id: "${found.topModelsByCost[1]?.id}") { ... on GenerativeModel {
      inProject: costSummary(projectId: "${found.id}") { total { cost } } nowhere: costSummary { total { cost } } } } }`;
    expect(await queryGraphql(server.url, alone)).toEqual({
      node: { inProject: { total: { cost: 0.5 } }, nowhere: { total: { cost: 0 } } },
    });
  });
});

describe('facets', () => {
  it('list values with the filter that chooses each, and leave out their own terms', async () => {
    const { facets } = await ask<{ facets: { facets: readonly unknown[] } }>(`facets(timeRange: $r,
      filterCondition: "llm.model_name == 'gpt-4o'", facets: [{ by: "llm.model_name" }, { by: "span_kind" }, { by: "latency_ms" },
        { by: "wide", leaveOutOwnTerms: false }]) {
      isPartial facets { by otherValueCount missingCount unlistedCount values { value count filterCondition }
        numbers { count min max bins { from to count } } } }`);
    expect(facets.facets).toMatchObject([
      {
        by: 'llm.model_name',
        values: [
          { value: 'gpt-4o-mini', count: 2, filterCondition: "llm.model_name == 'gpt-4o-mini'" },
          { value: 'gpt-4o', count: 1, filterCondition: "llm.model_name == 'gpt-4o'" },
        ],
        missingCount: 3,
      },
      { by: 'span_kind', values: [{ value: 'LLM', count: 1, filterCondition: "span_kind == 'LLM'" }] },
      {
        by: 'latency_ms',
        values: [],
        numbers: { count: 1, min: 4000, max: 4000, bins: [{ from: 4000, to: 5000, count: 1 }] },
      },
      { by: 'wide', values: [{ value: '9007199254740993', filterCondition: 'wide == 9007199254740993' }] },
    ]);
  });

  it('complete values and paths', async () => {
    const found =
      await ask(`facets(facets: [{ by: "llm.model_name", prefix: "GPT-4O-", first: 5 }]) { facets { values { value } } }
      attributePaths(prefix: "llm.m") sessions(first: 1) { edges { node { timeBetweenTurns { averageMs medianMs longestMs } } } }
      averageSessionDurationMs averageTracesPerSession sessionDurationMsQuantile(probability: 0.5)`);
    expect(found).toEqual({
      facets: { facets: [{ values: [{ value: 'gpt-4o-mini' }] }] },
      attributePaths: ['llm.model_name'],
      sessions: {
        edges: [{ node: { timeBetweenTurns: { averageMs: 2_697_000, medianMs: 2_697_000, longestMs: 3_598_000 } } }],
      },
      averageSessionDurationMs: 5_408_000,
      averageTracesPerSession: 3,
      sessionDurationMsQuantile: 5_408_000,
    });
  });
});

describe('what cannot be answered', () => {
  it.each<[string, string, RegExp]>([
    ['an unknown zone', 'histogram(timeRange: $r, buckets: { timeZone: "Mars" }) { scale }', /no time zone Mars/],
    ['too many buckets', 'histogram(timeRange: $r, buckets: { scale: SECOND }) { scale }', /the limit is 2000/],
    [
      'an unknown facet',
      'facets(facets: [{ by: "no such thing" }]) { share }',
      /Spans cannot be counted by no such thing/,
    ],
    ['a filter as a facet', 'facets(facets: [{ by: "name is None or name" }]) { share }', /name one field/],
    ['a facet without end', `facets(facets: [{ by: "${'x.'.repeat(30_000)}x" }]) { share }`, /cannot be counted by/],
    ['a filter that is none', 'histogram(timeRange: $r, filterCondition: "latency_ms >") { scale }', /Invalid filter/],
    ['no measure', 'aggregate(measures: []) { share }', /1 to 20 measures/],
    ['a probability of 2', 'sessionDurationMsQuantile(probability: 2)', /between 0 and 1/],
    ['a thousand and one paths', 'attributePaths(first: 1001)', /between 1 and 1000/],
  ])('is refused: %s', async (_what, fields, message) => {
    expect(await refusal(toQuery(fields))).toEqual({
      code: 'invalid_argument',
      message: expect.stringMatching(message),
    });
  });

  it('is refused: a range that runs backwards', async () => {
    const query = toQuery('histogram(timeRange: $r) { scale }', { start: RANGE.end, end: RANGE.start });
    expect(await refusal(query)).toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining('ends before'),
    });
  });

  async function refusal(query: string) {
    const { errors } = await askGraphql(server.url, query, {});
    return { code: errors?.[0]?.extensions?.code, message: errors?.[0]?.message };
  }
});
