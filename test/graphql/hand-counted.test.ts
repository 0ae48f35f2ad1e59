/** Charts, groups and facets of a dozen spans, against numbers that were counted by hand. */
import { beforeAll, describe, expect, it } from 'vitest';
import { parseTimestamp } from '#domain/timestamp';
import { Double, spanId, type TestSpan, type TestValue, traceId } from '../harness/otlp-json.ts';
import { type InProcess, openInProcess } from './in-process.ts';

let graphql: InProcess;

type Attributes = Readonly<Record<string, TestValue>>;

/** A span of a trace that starts at the time and takes so long; `null` for one that has not ended. */
function span(
  [trace, number]: readonly [trace: number, number: number],
  start: string,
  ms: number | null,
  { status = 'OK', ...attributes }: { status?: 'OK' | 'ERROR' | 'UNSET' } & Attributes = {},
): TestSpan {
  const startUs = parseTimestamp(start) ?? Number.NaN;
  return {
    traceId: traceId(trace),
    spanId: spanId(number),
    name: `span ${number}`,
    startUs,
    endUs: ms === null ? 0 : startUs + ms * 1000,
    status,
    attributes,
  };
}

function call(model: string, prompt: number, completion: number): Attributes {
  return {
    'openinference.span.kind': 'LLM',
    'llm.model_name': model,
    'llm.token_count.prompt': prompt,
    'llm.token_count.completion': completion,
  };
}

/** In Berlin clocks go forward at 01:00 UTC on 29 March 2026, and back at 01:00 UTC on 25 October. */
const SPANS: readonly TestSpan[] = [
  span([1, 1], '2026-03-28T22:59:59.999999Z', 10, { tier: 'gold', score: 1 }),
  span([2, 2], '2026-03-28T23:00:00Z', 20, { status: 'ERROR', tier: 'gold', score: new Double(1) }),
  span([3, 3], '2026-03-29T00:59:59.999Z', 30, { ...call('gpt-4o', 1000, 100), tier: 'gold', score: '1' }),
  span([4, 4], '2026-03-29T01:00:00Z', 40, { ...call('gpt-4o', 2000, 0), tier: 'silver', score: true }),
  span([5, 5], '2026-03-29T21:59:59Z', null, { status: 'UNSET', tier: 'silver', score: -2.5 }),
  span([6, 6], '2026-03-29T22:00:00Z', 60, { status: 'ERROR', tier: '' }),
  span([7, 7], '2026-10-25T00:30:00Z', 100, { ...call('gpt-4o-mini', 1_000_000, 0), 'user.id': 'a' }),
  span([8, 8], '2026-10-25T01:30:00Z', 300, { ...call('house-model', 5, 5), 'user.id': 'b' }),
  span([9, 9], '2026-10-25T02:30:00Z', 200, { status: 'ERROR', 'user.id': 'a' }),
];

/** Some in columns, the others not yet. */
beforeAll(async () => {
  graphql = await openInProcess();
  await graphql.store.send(SPANS.slice(0, 4));
  await graphql.store.seal();
  await graphql.store.send(SPANS.slice(4));
});

interface Aggregation {
  readonly startTimes: readonly string[];
  readonly endTime: string;
  readonly otherGroupCount: number;
  readonly groups: readonly {
    readonly key: readonly unknown[] | null;
    readonly series: readonly { readonly values: readonly (number | null)[] }[];
  }[];
}

interface Question {
  readonly measures: readonly string[];
  readonly [argument: string]: unknown;
}

const AGGREGATE = `query($timeRange: TimeRange, $buckets: TimeBuckets, $groupBy: [String!]! = [], $maxGroups: Int! = 10,
    $measures: [SpanMeasure!]!, $filterCondition: String) {
  project: getProjectByName(name: "default") {
    answer: aggregate(timeRange: $timeRange, buckets: $buckets, groupBy: $groupBy, maxGroups: $maxGroups,
      measures: $measures, filterCondition: $filterCondition) {
      startTimes endTime otherGroupCount groups { key series { values } }
    }
  }
}`;

async function aggregate(question: Question): Promise<Aggregation> {
  const { project } = await graphql.query<{ project: { answer: Aggregation } }>(AGGREGATE, question);
  return project.answer;
}

const range = (start: string, end: string) => ({ start, end });
const MARCH = range('2026-03-01T00:00:00Z', '2026-04-01T00:00:00Z');
const OCTOBER = range('2026-10-01T00:00:00Z', '2026-11-01T00:00:00Z');

/** The values of an aggregate without groups, by measure. */
async function valuesOf(question: Question): Promise<readonly (readonly (number | null)[])[]> {
  return (await aggregate(question)).groups[0]?.series.map(({ values }) => values) ?? [];
}

/** The only value of each measure. */
const numbersOf = async (question: Question) => (await valuesOf(question)).map(([value]) => value);

describe('measures', () => {
  it('are those of the spans that start in the range, its end exclusive', async () => {
    const measures = ['COUNT', 'OK_COUNT', 'ERROR_COUNT', 'UNSET_COUNT', 'ERROR_RATE', 'TRACE_COUNT', 'USER_COUNT'];
    expect(await numbersOf({ measures, timeRange: MARCH })).toEqual([6, 3, 2, 1, 2 / 6, 6, 0]);
    expect(await numbersOf({ measures, timeRange: OCTOBER })).toEqual([3, 2, 1, 0, 1 / 3, 3, 2]);
    expect(await numbersOf({ measures })).toEqual([9, 5, 3, 1, 3 / 9, 9, 2]);
    const toTheMicrosecond = range('2026-03-28T22:59:59.999999Z', '2026-03-28T23:00:00Z');
    expect(await numbersOf({ measures: ['COUNT'], timeRange: toTheMicrosecond })).toEqual([1]);
  });

  it('have percentiles between the two nearest, of what has ended', async () => {
    const measures = ['MIN', 'P50', 'P75', 'P90', 'P99', 'MAX'].map((name) => `LATENCY_MS_${name}`);
    // 10, 20, 30, 40, 60
    expect(await numbersOf({ measures, timeRange: MARCH })).toEqual([10, 30, 40, 52, 59.2, 60]);
    expect(await numbersOf({ measures, filterCondition: "name == 'span 5'" })).toEqual(measures.map(() => null));
    expect(await numbersOf({ measures, filterCondition: "name == 'span 1'" })).toEqual(measures.map(() => 10));
  });

  it('have tokens and what they cost, where there is a price', async () => {
    const measures = ['PROMPT_TOKENS', 'COMPLETION_TOKENS', 'TOTAL_TOKENS', 'COST', 'PROMPT_COST', 'COMPLETION_COST'];
    // 3000 tokens at 2.50 and 100 at 10 dollars for a million; a million at 0.15; no price of a house model.
    expect(await numbersOf({ measures, timeRange: MARCH })).toEqual([3000, 100, 3100, 0.0085, 0.0075, 0.001]);
    expect(await numbersOf({ measures, timeRange: OCTOBER })).toEqual([1_000_005, 5, 1_000_010, 0.15, 0.15, 0]);
  });

  it('of nothing are zeroes, or nothing', async () => {
    const measures = ['COUNT', 'TRACE_COUNT', 'COST', 'ERROR_RATE', 'LATENCY_MS_P50'];
    const nothing = [0, 0, 0, null, null];
    expect(await numbersOf({ measures, filterCondition: "name == 'none'" })).toEqual(nothing);
    expect(await numbersOf({ measures, timeRange: range('2030-01-01T00:00:00Z', '2030-01-01T00:00:00Z') })).toEqual(
      nothing,
    );
  });

  it('may be asked for twice', async () => {
    expect(await numbersOf({ measures: ['COUNT', 'COUNT'] })).toEqual([9, 9]);
  });
});

describe('buckets', () => {
  const days = (timeZone: string) => ({ scale: 'DAY', timeZone });

  it('are days of 23 hours where clocks go forward', async () => {
    const timeRange = range('2026-03-28T12:00:00Z', '2026-03-30T12:00:00Z');
    const berlin = await aggregate({ measures: ['COUNT'], timeRange, buckets: days('Europe/Berlin') });
    expect(berlin.startTimes).toEqual([
      '2026-03-27T23:00:00+00:00',
      '2026-03-28T23:00:00+00:00',
      '2026-03-29T22:00:00+00:00',
    ]);
    expect(berlin.endTime).toBe('2026-03-30T22:00:00+00:00');
    expect(berlin.groups[0]?.series[0]?.values).toEqual([1, 4, 1]);
    expect(await valuesOf({ measures: ['COUNT'], timeRange, buckets: days('UTC') })).toEqual([[2, 4, 0]]);
  });

  it('are the same hour twice where clocks go back', async () => {
    const timeRange = range('2026-10-25T00:00:00Z', '2026-10-25T03:00:00Z');
    const buckets = { scale: 'HOUR', timeZone: 'Europe/Berlin' };
    const { startTimes, groups } = await aggregate({ measures: ['COUNT', 'LATENCY_MS_MAX'], timeRange, buckets });
    expect(startTimes.map((time) => time.slice(11, 16))).toEqual(['00:00', '01:00', '02:00']);
    expect(groups[0]?.series.map(({ values }) => values)).toEqual([
      [1, 1, 1],
      [100, 300, 200],
    ]);
  });

  it.each([
    ['Australia/Lord_Howe, half an hour back', 'Australia/Lord_Howe', '2026-04-04T14:00:00Z', 25],
    ['Asia/Kathmandu, no whole hours', 'Asia/Kathmandu', '2026-04-04T18:15:00Z', 24],
    ['America/Sao_Paulo in 2018, a day without a midnight', 'America/Sao_Paulo', '2018-11-04T03:00:00Z', 23],
  ])('cover a day without a gap: %s', async (_what, timeZone, from, hours) => {
    const start = Date.parse(from);
    const timeRange = range(new Date(start).toISOString(), new Date(start + 86_400_000).toISOString());
    const { startTimes, endTime } = await aggregate({ measures: ['COUNT'], timeRange, buckets: days(timeZone) });
    const [first = '', second = endTime] = startTimes;
    expect(Date.parse(first)).toBe(timeZone === 'Australia/Lord_Howe' ? start - 3_600_000 : start);
    const length = (Date.parse(second) - Date.parse(first)) / 3_600_000;
    expect(Math.abs(length - hours)).toBeLessThanOrEqual(0.5);
  });

  it('begin weeks on Monday, wherever the clocks are', async () => {
    const buckets = { scale: 'WEEK', timeZone: 'Europe/Berlin' };
    const { startTimes, groups } = await aggregate({ measures: ['COUNT'], timeRange: MARCH, buckets });
    expect(startTimes.slice(-2)).toEqual(['2026-03-22T23:00:00+00:00', '2026-03-29T22:00:00+00:00']);
    expect(groups[0]?.series[0]?.values.slice(-2)).toEqual([5, 1]);
  });

  it('count nothing before the range, although they may begin before it', async () => {
    const timeRange = range('2026-03-28T23:00:00Z', '2026-03-29T01:00:00Z');
    const { startTimes, groups } = await aggregate({ measures: ['COUNT'], timeRange, buckets: days('UTC') });
    expect(startTimes[0]).toBe('2026-03-28T00:00:00+00:00');
    expect(groups[0]?.series[0]?.values).toEqual([1, 1]);
  });

  it('of old callers have no summer', async () => {
    const timeRange = range('2026-03-28T12:00:00Z', '2026-03-30T12:00:00Z');
    const buckets = { scale: 'DAY', utcOffsetMinutes: 60 };
    expect(await valuesOf({ measures: ['COUNT'], timeRange, buckets })).toEqual([[1, 5, 0]]);
  });
});

describe('groups', () => {
  type Group = readonly [key: readonly unknown[] | null, numbers: readonly (number | null | undefined)[]];

  const groupsOf = async (question: Question): Promise<readonly Group[]> =>
    (await aggregate(question)).groups.map(({ key, series }) => [key, series.map(({ values: [value] }) => value)]);

  it('are of the most spans, what names nothing among them', async () => {
    const measures = ['COUNT', 'ERROR_COUNT'];
    expect(await groupsOf({ measures, groupBy: ['tier'] })).toEqual([
      [[null], [3, 1]],
      [['gold'], [3, 1]],
      [['silver'], [2, 0]],
      [[''], [1, 1]],
    ]);
    const most = await aggregate({ measures, groupBy: ['tier'], maxGroups: 1 });
    expect(most.otherGroupCount).toBe(3);
    expect(most.groups.at(-1)).toEqual({ key: null, series: [{ values: [6] }, { values: [2] }] });
  });

  it('tell a text from a number and from a truth value, and 1 not from 1.0', async () => {
    const groups = await groupsOf({ measures: ['COUNT'], groupBy: ['score'], timeRange: MARCH });
    const counts = new Map(groups.map(([key, [count]]) => [JSON.stringify(key), count]));
    expect(counts).toEqual(
      new Map([
        ['[1]', 2],
        ['["1"]', 1],
        ['[true]', 1],
        ['[-2.5]', 1],
        ['[null]', 1],
      ]),
    );
  });

  it('are of two things at once, and of the same twice', async () => {
    const question = { measures: ['COUNT'], timeRange: OCTOBER };
    expect(await groupsOf({ ...question, groupBy: ['user.id', 'status_code'] })).toEqual([
      [['a', 'OK'], [1]],
      [['a', 'ERROR'], [1]],
      [['b', 'OK'], [1]],
    ]);
    expect(await groupsOf({ ...question, groupBy: ['user.id', 'user.id'] })).toEqual([
      [['a', 'a'], [2]],
      [['b', 'b'], [1]],
    ]);
  });

  it('add up to what there is', async () => {
    for (const groupBy of ['name', 'span_kind', 'llm.model_name', 'tier', 'score', 'latency_ms', 'start_time']) {
      for (const maxGroups of [1, 2, 100]) {
        const groups = await groupsOf({ measures: ['COUNT'], groupBy: [groupBy], maxGroups });
        const total = groups.reduce((sum, [, [count]]) => sum + Number(count), 0);
        expect(total, `${groupBy} ${maxGroups}`).toBe(9);
      }
    }
  });
});

describe('facets', () => {
  interface Facet {
    readonly values: readonly { readonly value: unknown; readonly count: number; readonly filterCondition: string }[];
    readonly missingCount: number;
    readonly otherValueCount: number;
    readonly numbers: { readonly bins: readonly { readonly count: number }[] } | null;
  }
  const FACETS = `query($facets: [FacetInput!]!, $filterCondition: String) { project: getProjectByName(name: "default") {
    answer: facets(facets: $facets, filterCondition: $filterCondition) {
      facets { values { value count filterCondition } missingCount otherValueCount numbers { bins { count } } } } } }`;

  async function facetsOf(facets: readonly object[], filterCondition = ''): Promise<readonly Facet[]> {
    type Data = { project: { answer: { facets: readonly Facet[] } } };
    const { project } = await graphql.query<Data>(FACETS, { facets, filterCondition });
    return project.answer.facets;
  }

  it('have values whose filters leave just so many', async () => {
    const names = ['name', 'status_code', 'span_kind', 'tier', 'user.id', 'llm.model_name'];
    const facets = await facetsOf(names.map((by) => ({ by, first: 100 })));
    const values = facets.flatMap((facet) => facet.values);
    expect(values.length).toBeGreaterThan(20);
    const counts = values.map(
      ({ filterCondition }, place) => `f${place}: recordCount(filterCondition: ${JSON.stringify(filterCondition)})`,
    );
    type Data = { project: Readonly<Record<string, number>> };
    const { project } = await graphql.query<Data>(
      `{ project: getProjectByName(name: "default") { ${counts.join(' ')} } }`,
    );
    expect(values.map((_value, place) => project[`f${place}`])).toEqual(values.map(({ count }) => count));
  });

  it('count every span once: by value, without one, or beyond those listed', async () => {
    const [tier, few, kind] = await facetsOf([{ by: 'tier' }, { by: 'name', first: 2 }, { by: 'latency_ms' }]);
    expect(tier).toMatchObject({ missingCount: 3, otherValueCount: 0 });
    expect(tier?.values.map(({ value, count }) => [value, count])).toEqual([
      ['gold', 3],
      ['silver', 2],
      ['', 1],
    ]);
    expect(few).toMatchObject({ missingCount: 0, otherValueCount: 7 });
    expect(kind?.missingCount).toBe(1);
    expect(kind?.numbers?.bins.reduce((sum, { count }) => sum + count, 0)).toBe(8);
  });

  it('leave out their own terms wherever one may, and nowhere else', async () => {
    const both = [{ by: 'tier' }, { by: 'tier', leaveOutOwnTerms: false }];
    const counts = async (filter: string) =>
      (await facetsOf(both, filter)).map(({ values }) => values.reduce((sum, { count }) => sum + count, 0));
    expect(await counts("tier == 'gold'")).toEqual([6, 3]);
    expect(await counts("tier == 'gold' and status_code == 'ERROR'")).toEqual([2, 1]);
    // Within an alternative it is no term of its own.
    expect(await counts("tier == 'gold' or status_code == 'ERROR'")).toEqual([4, 4]);
    expect(await counts("not tier == 'gold'")).toEqual([expect.any(Number), 3]);
  });
});
