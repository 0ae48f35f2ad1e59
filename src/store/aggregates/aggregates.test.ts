import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runsOf } from '../../../test/harness/test-engine.ts';
import { withSignal } from '#base/cancellation';
import { aggregate } from './aggregate.ts';
import type { KnownSpan } from './aggregates.fixture.ts';
import { BUCKET_UNITS, findBucket } from './buckets.ts';
import {
  CONDITIONS,
  conditionOf,
  DIMENSIONS,
  field,
  HOUR_US,
  KnownStore,
  START_US,
  UNLISTED,
} from './known-store.fixture.ts';
import { countFacets } from './facets.ts';
import type { AggregateQuestion, Measure } from './port.ts';

let known: KnownStore;

beforeAll(async () => {
  known = await KnownStore.open(true);
});

afterAll(() => known.store.close());

const MEASURES: readonly Measure[] = [
  { kind: 'count', status: null },
  { kind: 'count', status: 'ERROR' },
  { kind: 'count', status: 'OK' },
  { kind: 'count', status: 'UNSET' },
  { kind: 'error_rate' },
  ...[0, 0.5, 0.95, 0.999, 1].map((probability) => ({ kind: 'latency', probability }) as const),
  ...(['prompt', 'completion', 'total', 'cache_read', 'reasoning'] as const).map(
    (of) => ({ kind: 'tokens', of }) as const,
  ),
  ...(['total', 'prompt', 'completion'] as const).map((of) => ({ kind: 'cost', of }) as const),
  ...(['traces', 'sessions', 'users'] as const).map((of) => ({ kind: 'distinct', of }) as const),
  { kind: 'first_start' },
  { kind: 'last_start' },
];

function sum(among: readonly KnownSpan[], numberOf: (counted: KnownSpan['counted']) => number): number {
  return among.reduce((total, { counted }) => total + numberOf(counted), 0);
}

function quantile(values: readonly number[], probability: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const place = probability * (sorted.length - 1);
  const [below = Number.NaN, above = Number.NaN] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  return below + (above - below) * (place % 1);
}

function measureOf(measure: Measure, among: readonly KnownSpan[]): number {
  switch (measure.kind) {
    case 'count':
      return among.filter(({ row }) => measure.status === null || row.statusCode === measure.status).length;
    case 'error_rate':
      return among.filter(({ row }) => row.statusCode === 'ERROR').length / among.length;
    case 'latency': {
      const ended = among.filter(({ span }) => !span.isOpen);
      return quantile(
        ended.map(({ row }) => row.endTimeUs - row.startTimeUs),
        measure.probability,
      );
    }
    case 'tokens':
      return sum(among, (row) => {
        const [prompt, completion] = [row['counted_prompt_tokens'] ?? 0, row['counted_completion_tokens'] ?? 0];
        if (measure.of === 'total') return prompt + completion;
        if (measure.of === 'prompt') return prompt;
        if (measure.of === 'completion') return completion;
        return prompt + completion > 0 ? (row[`${measure.of}_tokens`] ?? 0) : 0;
      });
    case 'cost':
      return (
        sum(
          among,
          (row) => row[measure.of === 'total' ? 'counted_cost_nanousd' : `counted_${measure.of}_cost_nanousd`] ?? 0,
        ) / 1e9
      );
    case 'first_start':
      return among.length === 0 ? Number.NaN : Math.min(...among.map(({ row }) => row.startTimeUs));
    case 'last_start':
      return among.length === 0 ? Number.NaN : Math.max(...among.map(({ row }) => row.startTimeUs));
    case 'distinct':
      return new Set(
        among
          .map(
            ({ row, span }) => ({ traces: row.traceRowId, sessions: span.sessionId, users: span.userId })[measure.of],
          )
          .filter((value) => value !== null),
      ).size;
  }
}

describe('aggregates', () => {
  const question = fc.record({
    condition: fc.constantFrom(...CONDITIONS).map(conditionOf),
    startTimeUs: fc.option(
      fc.integer({ min: -12, max: 60 }).map((hours) => START_US + hours * HOUR_US),
      { nil: undefined },
    ),
    endTimeUs: fc.option(
      fc.integer({ min: 60, max: 84 }).map((hours) => START_US + hours * HOUR_US),
      { nil: undefined },
    ),
    bucket: fc.option(
      fc.record({
        unit: fc.option(fc.constantFrom(...BUCKET_UNITS.slice(4))),
        zone: fc.constantFrom('Europe/Berlin', 'Asia/Kolkata', 'UTC', -210),
      }),
    ),
    groupBy: fc.uniqueArray(fc.constantFrom(...DIMENSIONS), { maxLength: 2 }),
    maxGroups: fc.constantFrom(1, 3, 100),
  });

  it('are those of the decoded spans, counted one by one', async () => {
    const projectRowId = known.store.projectRowId();
    await fc.assert(
      fc.asyncProperty(question, async (asked) => {
        const answer = await known.store.aggregates.aggregate({ ...asked, projectRowId, measures: MEASURES });
        const among = known.matchesOf(asked);
        const { startsUs } = answer.buckets;
        const bucketOf = (span: KnownSpan) => findBucket(startsUs, span.row.startTimeUs);
        const named = answer.groups.flatMap(({ key }) =>
          key === null ? [] : [keyText(key.map(({ value }) => value))],
        );
        const groupOf = (span: KnownSpan) => {
          const values = asked.groupBy.map((dimension) => known.valueOf(dimension, span));
          return values.includes(UNLISTED) ? undefined : keyText(values);
        };
        const cells = Map.groupBy(among, (span) => {
          const text = groupOf(span);
          const group = text === undefined ? -1 : named.indexOf(text);
          return `${startsUs.length === 1 ? 0 : bucketOf(span)} ${group === -1 ? answer.groups.length - 1 : group}`;
        });
        for (const [group, { values }] of answer.groups.entries()) {
          for (const [bucket] of startsUs.entries()) {
            const expected = MEASURES.map((measure) =>
              rounded(measureOf(measure, cells.get(`${bucket} ${group}`) ?? [])),
            );
            expect(values.map((ofMeasure) => rounded(ofMeasure[bucket] ?? 0))).toEqual(expected);
          }
        }
        const counts = answer.groups.map(({ values }) => values[0]?.reduce((all, count) => all + count, 0) ?? 0);
        expect(counts.reduce((all, count) => all + count, 0)).toBe(startsUs.length === 0 ? 0 : among.length);
        const ranked = answer.groups.flatMap(({ key }, group) => (key === null ? [] : [counts[group] ?? 0]));
        expect(ranked).toEqual(ranked.toSorted((a, b) => b - a));
        expect(answer).toMatchObject({ isPartial: false, share: 1 });
      }),
      { numRuns: runsOf(40) },
    );
  });

  it('of a project without spans have no buckets of a range without ends, and empty ones of another', async () => {
    const none = { projectRowId: 99, condition: null, groupBy: [], maxGroups: 1, measures: MEASURES };
    const bucket = { unit: 'DAY', zone: 'UTC' } as const;
    const open = await known.store.aggregates.aggregate({ ...none, bucket });
    expect(open.buckets.startsUs).toHaveLength(0);
    const range = { startTimeUs: START_US, endTimeUs: START_US + 48 * HOUR_US };
    const closed = await known.store.aggregates.aggregate({ ...none, ...range, bucket });
    expect(closed.groups.map(({ values }) => [...(values[0] ?? [])])).toEqual([[0, 0]]);
  });

  const everything = { condition: null, bucket: null, groupBy: [], maxGroups: 1, measures: MEASURES };

  it('are those of the newest spans where time does not suffice for all, and say so', async () => {
    const asked = { ...everything, projectRowId: known.store.projectRowId() };
    const { groups, isPartial, share } = await aggregate(known.store.scope, asked, 0);
    const count = groups[0]?.values[0]?.[0] ?? 0;
    expect(isPartial).toBe(true);
    expect([share, count / known.spans.length].map((part) => part > 0 && part < 1)).toEqual([true, true]);
    const facets = [{ dimension: field('name'), maxValues: 10, prefix: null, leavesOutOwnTerms: false }];
    expect(await countFacets(known.store.scope, { ...asked, facets }, 0)).toMatchObject({ isPartial: true });
    // Texts that only originals hold are read for as long as there is time.
    const condition = conditionOf("'question 5' in input.value");
    expect(await aggregate(known.store.scope, { ...asked, condition }, 0)).toMatchObject({ isPartial: true });
  });

  it('end when whoever asked has gone', async () => {
    const leaving = new AbortController();
    leaving.abort(new Error('gone'));
    const asked = { ...everything, projectRowId: known.store.projectRowId() };
    await expect(withSignal(leaving.signal, () => known.store.aggregates.aggregate(asked))).rejects.toThrow('gone');
  });

  const bucket = (unit: 'SECOND' | 'DAY', zone: string | number = 'UTC') => ({ unit, zone });
  const dimensions = [field('name'), field('span_kind'), field('status_code')];
  it.each<[string, Partial<AggregateQuestion>, RegExp]>([
    ['a range that runs backwards', { startTimeUs: 2, endTimeUs: 1 }, /ends before it starts/],
    ['an unknown zone', { bucket: bucket('DAY', 'Mars/Olympus') }, /no time zone Mars/],
    ['an offset of a day', { bucket: bucket('DAY', 1440) }, /less than a day/],
    ['too many buckets', { bucket: bucket('SECOND') }, /buckets of the unit second/],
    ['three dimensions', { groupBy: dimensions }, /at most 2/],
    ['too many groups', { maxGroups: 201 }, /1 to 200 groups/],
    ['no group', { maxGroups: 0 }, /1 to 200 groups/],
    ['what is in no column', { groupBy: [field('status_message')] }, /cannot be counted by status_message/],
    [
      'a field of the parent',
      { groupBy: [{ kind: 'field', name: 'name', of: null, isOfParent: true }] },
      /counted by name/,
    ],
  ])('refuse %s, and say why', async (_what, wrong, message) => {
    const projectRowId = known.store.projectRowId();
    const right = { projectRowId, condition: null, bucket: null, groupBy: [], maxGroups: 10, measures: MEASURES };
    await expect(known.store.aggregates.aggregate({ ...right, ...wrong })).rejects.toThrow(message);
  });
});

/** Sums of fractions depend on their order. */
function rounded(value: number): number {
  return Math.round(value * 1e9) / 1e9;
}

function keyText(values: readonly unknown[]): string {
  return values.map((value) => `${typeof value} ${String(value)}`).join(' | ');
}
