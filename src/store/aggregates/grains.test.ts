/** Numbers and facets of traces and sessions, and of spans narrowed by those, beside the originals one by one. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attributeAtPath } from '#filter/attribute-path';
import { parseFilter } from '#filter/parse-filter';
import type { Condition, FilterGrain } from '#filter/tree';
import { type PlainGrain, plainMatches, plainSessions, plainTraces } from '../query/grains/grains.fixture.ts';
import { PIN_FILTERS } from '../sets/pins.fixture.ts';
import { findBucket } from './buckets.ts';
import { countSessionFacets, countTraceFacets } from './grain-facets.ts';
import { attribute, field, HOUR_US, KnownStore, START_US } from './known-store.fixture.ts';
import type { Dimension, Facet, FacetRequest, SessionAnswer, SpanQuestion } from './port.ts';
import { aggregateSessions } from './session-numbers.ts';
import { aggregateTraces } from './traces.ts';

let known: KnownStore;
let traces: readonly PlainGrain[];
let sessions: readonly PlainGrain[];

beforeAll(async () => {
  known = await KnownStore.open(false);
  [traces, sessions] = [await plainTraces(known.store, known), await plainSessions(known.store, known)];
});

afterAll(() => known.store.close());

const TRACE_FILTERS = [
  null,
  'error_count > 2',
  "any(s.span_kind == 'TOOL' and s.latency_ms > 20000 for s in spans)",
  "user.id in ['user 1', 'user 2']",
  'a rare trace',
  'some traces',
  'a rare session',
  'other sessions',
];
const SESSION_FILTERS = [
  null,
  'num_traces > 4',
  "any(s.name == 'look up' and s.latency_ms > 50000 for s in spans)",
  'a rare session',
  'other sessions',
];

function read(grain: FilterGrain, text: string | null): Condition | null {
  if (text === null) return null;
  const ofPins = PIN_FILTERS.get(text);
  if (ofPins !== undefined) return ofPins;
  const { condition, diagnostics } = parseFilter(grain, text);
  if (condition === null) throw new Error(`${text}: ${JSON.stringify(diagnostics)}`);
  return condition;
}

function matching(rows: readonly PlainGrain[], condition: Condition | null): readonly PlainGrain[] {
  if (condition === null) return rows;
  const matches = new Set(plainMatches(rows, condition));
  expect(matches.size).toBeGreaterThan(0);
  expect(matches.size).toBeLessThan(rows.length);
  return rows.filter(({ rowId }) => matches.has(rowId));
}

function numberOf({ row }: PlainGrain, name: string): number {
  return Number(row.fields?.[name]);
}

function sum(rows: readonly PlainGrain[], name: string): number {
  return rows.reduce((total, row) => total + numberOf(row, name), 0);
}

function expectMedian(microseconds: number | undefined, rows: readonly PlainGrain[], name: string): void {
  const sorted = rows.map((row) => numberOf(row, name)).sort((a, b) => a - b);
  const [below, above] = [Math.floor, Math.ceil].map((round) => sorted[round((sorted.length - 1) / 2)] ?? Number.NaN);
  if (rows.length === 0) expect(microseconds).toBe(Number.NaN);
  else expect((microseconds ?? Number.NaN) / 1000).toBeCloseTo(((below ?? 0) + (above ?? 0)) / 2, 6);
}

function expectTokens(
  { promptTokens, completionTokens }: Pick<SessionAnswer, 'promptTokens' | 'completionTokens'>,
  bucket: number,
  rows: readonly PlainGrain[],
): void {
  expect(promptTokens[bucket]).toBe(sum(rows, 'token_count_prompt'));
  expect(completionTokens[bucket]).toBe(sum(rows, 'token_count_completion'));
}

/** Row ids of traces by the filter of their sessions. */
async function tracesOfSessions(condition: Condition): Promise<ReadonlySet<number>> {
  const matches = new Set(plainMatches(sessions, condition));
  const rows = await known.store.scope.db.selectFrom('traces').select(['id', 'session_row_id']).execute();
  return new Set(rows.filter((row) => matches.has(row.session_row_id ?? 0)).map(({ id }) => id));
}

const DAY = { unit: 'DAY', zone: 'Europe/Berlin' } as const;

describe('numbers of traces', () => {
  it.each(TRACE_FILTERS)('are of those that match %s', async (text) => {
    const projectRowId = known.store.projectRowId();
    const traceCondition = read('trace', text);
    const [startTimeUs, endTimeUs] = [START_US + HOUR_US, START_US + 90 * HOUR_US];
    const question = { projectRowId, condition: null, traceCondition, probabilities: [0.5], hasTokenDetails: false };
    const answer = await known.store.aggregates.aggregateTraces({ ...question, startTimeUs, endTimeUs, bucket: DAY });
    const expected = matching(traces, traceCondition).filter(
      (row) => numberOf(row, 'start_time') >= startTimeUs && numberOf(row, 'start_time') < endTimeUs,
    );
    const byBucket = Map.groupBy(expected, (row) => findBucket(answer.buckets.startsUs, numberOf(row, 'start_time')));
    for (const [bucket, count] of answer.counts.entries()) {
      const own = byBucket.get(bucket) ?? [];
      expect(count).toBe(own.length);
      expect(answer.errorCounts[bucket]).toBe(own.filter((row) => numberOf(row, 'error_count') > 0).length);
      expectMedian(answer.latenciesUs[0]?.[bucket], own, 'latency_ms');
      expect(answer.cost.total[bucket]).toBeCloseTo(sum(own, 'total_cost'), 9);
      expectTokens(answer, bucket, own);
    }
    expect(answer).toMatchObject({ isPartial: false, share: 1 });
  });

  it.each(SESSION_FILTERS.slice(1))('are of those in sessions that match %s', async (text) => {
    const sessionCondition = read('session', text);
    if (sessionCondition === null) throw new Error('no filter');
    const owned = await tracesOfSessions(sessionCondition);
    const projectRowId = known.store.projectRowId();
    const question = { projectRowId, condition: null, sessionCondition, probabilities: [], hasTokenDetails: false };
    const answer = await known.store.aggregates.aggregateTraces({ ...question, bucket: null });
    expect(answer.counts).toEqual(Float64Array.of(traces.filter(({ rowId }) => owned.has(rowId)).length));
  });
});

describe('numbers of spans', () => {
  it('are of those whose traces or sessions match', async () => {
    const projectRowId = known.store.projectRowId();
    const [traceCondition, sessionCondition] = [read('trace', 'error_count > 2'), read('session', 'num_traces > 4')];
    if (traceCondition === null || sessionCondition === null) throw new Error('no filter');
    const ofTraces = new Set(plainMatches(traces, traceCondition));
    const ofSessions = await tracesOfSessions(sessionCondition);
    const condition = read('span', "span_kind == 'LLM'");
    const questions: [Partial<SpanQuestion>, (traceRowId: number) => boolean][] = [
      [{ traceCondition }, (rowId) => ofTraces.has(rowId)],
      [{ sessionCondition }, (rowId) => ofSessions.has(rowId)],
      [{ traceCondition, sessionCondition }, (rowId) => ofTraces.has(rowId) && ofSessions.has(rowId)],
    ];
    for (const [owners, isAsked] of questions) {
      const question = { projectRowId, condition, ...owners, bucket: null, groupBy: [], maxGroups: 1 };
      const answer = await known.store.aggregates.aggregate({
        ...question,
        measures: [{ kind: 'count', status: null }],
      });
      const expected = known.matchesOf({ condition }).filter(({ row }) => isAsked(row.traceRowId));
      expect(answer.groups[0]?.values).toEqual([Float64Array.of(expected.length)]);
      expect(expected.length).toBeGreaterThan(0);
      const facets = [request(field('status_code'))];
      const counted = await known.store.aggregates.countFacets({ projectRowId, condition, ...owners, facets });
      expect(counted.facets[0]?.values.reduce((total, { count }) => total + count, 0)).toBe(expected.length);
    }
  });
});

describe('numbers of sessions', () => {
  it.each(SESSION_FILTERS)('are of those that match %s', async (text) => {
    const projectRowId = known.store.projectRowId();
    const condition = read('session', text);
    const startTimeUs = START_US + 4 * HOUR_US;
    const question = { projectRowId, condition, probabilities: [0.5], startTimeUs };
    const answer = await known.store.aggregates.aggregateSessions({ ...question, bucket: DAY });
    const expected = matching(sessions, condition).filter((row) => numberOf(row, 'end_time') >= startTimeUs);
    const later = expected.filter((row) => numberOf(row, 'start_time') >= startTimeUs);
    const byBucket = Map.groupBy(later, (row) => findBucket(answer.buckets.startsUs, numberOf(row, 'start_time')));
    for (const [bucket, count] of answer.counts.entries()) {
      const own = byBucket.get(bucket) ?? [];
      expect(count).toBe(own.length);
      expect(answer.errorCounts[bucket]).toBe(own.filter((row) => numberOf(row, 'num_traces_with_error') > 0).length);
      expectMedian(answer.durationsUs[0]?.[bucket], own, 'duration_ms');
      expect((answer.totalDurationUs[bucket] ?? 0) / 1000).toBeCloseTo(sum(own, 'duration_ms'), 6);
      expect(answer.traceCounts[bucket]).toBe(sum(own, 'num_traces'));
      expect(answer.cost[bucket]).toBeCloseTo(sum(own, 'total_cost'), 9);
      expectTokens(answer, bucket, own);
    }
    expect(answer).toMatchObject({ earlierCount: expected.length - later.length, isPartial: false, share: 1 });
    const whole = await known.store.aggregates.aggregateSessions({ ...question, bucket: null });
    expect(whole).toMatchObject({ counts: Float64Array.of(expected.length), earlierCount: 0 });
    expectTokens(whole, 0, expected);
  });
});

function request(dimension: Dimension, more: Partial<FacetRequest> = {}): FacetRequest {
  return { dimension, maxValues: 100, prefix: null, leavesOutOwnTerms: true, ...more };
}

/** How many rows have which text as an attribute of their root; what is too long for a facet is left out. */
function countValues(rows: readonly PlainGrain[], path: string): ReadonlyMap<string, number> {
  const values = rows.flatMap(({ row }) => {
    const value = row.attributes && attributeAtPath(row.attributes, path);
    return typeof value === 'string' && value.length <= 256 ? value : [];
  });
  return new Map([...Map.groupBy(values, (value) => value)].map(([value, own]) => [value, own.length]));
}

function valuesOf(facet: Facet | undefined): ReadonlyMap<string, number> {
  return new Map(facet?.values.map(({ text, count }) => [text, count]));
}

describe('facets', () => {
  it('of traces count what root spans say, and how large the traces are', async () => {
    const projectRowId = known.store.projectRowId();
    const facets = [attribute('user.id'), attribute('openinference.span.kind'), field('num_spans')].map((dimension) =>
      request(dimension),
    );
    for (const text of TRACE_FILTERS) {
      const condition = read('trace', text);
      const expected = matching(traces, condition);
      const answer = await known.store.aggregates.countTraceFacets({ projectRowId, condition, facets });
      const [users, , sizes] = answer.facets;
      // Whoever chose users is told of the others.
      const ofUsers = text?.startsWith('user.id') === true ? traces : expected;
      expect(valuesOf(users), String(text)).toEqual(countValues(ofUsers, 'user.id'));
      const named = users?.values.reduce((total, { count }) => total + count, 0) ?? 0;
      expect(users?.missingCount).toBe(ofUsers.length - named);
      expect(sizes?.numbers).toMatchObject({
        count: expected.length,
        min: Math.min(...expected.map((row) => numberOf(row, 'num_spans'))),
        max: Math.max(...expected.map((row) => numberOf(row, 'num_spans'))),
      });
      expect(answer).toMatchObject({ isPartial: false, share: 1 });
    }
  });

  it('of sessions count what their first root span says', async () => {
    const projectRowId = known.store.projectRowId();
    const facets = [request(attribute('user.id')), request(field('duration_ms')), request(attribute('tier'))];
    for (const text of SESSION_FILTERS) {
      const condition = read('session', text);
      const expected = matching(sessions, condition);
      const answer = await known.store.aggregates.countSessionFacets({ projectRowId, condition, facets });
      expect(valuesOf(answer.facets[0]), String(text)).toEqual(countValues(expected, 'user.id'));
      expect(answer.facets[1]?.numbers?.count).toBe(expected.length);
      const tiers = answer.facets[2];
      const told = tiers?.values.reduce((total, { count }) => total + count, 0) ?? 0;
      expect(told + (tiers?.unlistedCount ?? 0) + (tiers?.missingCount ?? 0)).toBe(expected.length);
    }
  });

  it('of what rows do not tell are refused', async () => {
    const projectRowId = known.store.projectRowId();
    const ask = (dimension: Dimension) =>
      known.store.aggregates.countTraceFacets({ projectRowId, condition: null, facets: [request(dimension)] });
    for (const name of ['trace_id', 'start_time', 'input', 'llm_span_count']) {
      await expect(ask(field(name)), name).rejects.toThrow(/Traces cannot be counted by .*: choose an attribute/);
    }
  });
});

describe('where time does not suffice', () => {
  beforeAll(async () => {
    const many = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9000)';
    await known.store.exec(`INSERT INTO sessions (id, project_id, session_id, start_us, end_us, trace_count, error_count,
      prompt_tokens, completion_tokens, cost_nanousd)
      ${many} SELECT 100000 + i, ${known.store.projectRowId()}, 'more ' || i, ${START_US} + i, ${START_US} + i + 1, 1, 0, 0, 0, 0 FROM n`);
    await known.store.exec(`INSERT INTO traces (id, trace_id, project_id, session_row_id, start_us, end_us, span_count, error_count,
      prompt_tokens, completion_tokens, cost_nanousd)
      ${many} SELECT 100000 + i, 'more ' || i, ${known.store.projectRowId()}, 100000 + i, ${START_US} + i, ${START_US} + i + 1, 1, 0, 0, 0, 0 FROM n`);
  });

  it('answers say so, and of how much they are', async () => {
    const { scope } = known.store;
    const which = { projectRowId: known.store.projectRowId() };
    const numbers = { ...which, bucket: null, probabilities: [] };
    const facets = [request(field('total_cost'))];
    const [traceCondition, condition] = [read('trace', 'num_spans > 0'), read('session', 'num_traces > 0')];
    const ofTraces = { ...numbers, condition: null, traceCondition, hasTokenDetails: false };
    const answers = [
      { looked: (await aggregateTraces(scope, ofTraces, -1)).counts[0], total: 9000 + traces.length },
      {
        looked: (await aggregateSessions(scope, { ...numbers, condition }, -1)).counts[0],
        total: 9000 + sessions.length,
      },
    ];
    for (const { looked, total } of answers) expect(looked).toBeLessThan(total);
    for (const answer of [
      await aggregateTraces(scope, ofTraces, -1),
      await aggregateSessions(scope, { ...numbers, condition }, -1),
      await countTraceFacets(scope, { ...which, condition: traceCondition, facets }, -1),
      await countSessionFacets(scope, { ...which, condition, facets }, -1),
    ]) {
      expect(answer.isPartial).toBe(true);
      expect(answer.share).toBeGreaterThan(0);
      expect(answer.share).toBeLessThan(1);
    }
  });
});
