/** The strips above tables: how many spans, traces or sessions there are over time, how slow and how expensive they are. */
import type { Builder } from '#api/graphql/builder';
import { toTimeBounds } from '#api/graphql/time-bounds';
import type { ForCaller } from '#domain/caller';
import type { AggregateAnswer, Aggregates, Coverage, Measure } from '#store/aggregates/port';
import { readFilter } from '../../filters/operations.ts';
import { toBucketRequest, toSpanQuestion } from '../operations/questions.ts';
import { aggregatePolicy } from '../policy.ts';
import {
  type BucketInputs,
  CHART_COST,
  FILTER_DESCRIPTION,
  PARTIAL_DESCRIPTION,
  SESSION_FILTER_DESCRIPTION,
  SHARE_DESCRIPTION,
  TRACE_FILTER_DESCRIPTION,
} from './arguments.ts';

declare module '#api/graphql/builder' {
  interface ObjectRows {
    Histogram: HistogramRows;
    HistogramBucket: { readonly histogram: HistogramRows; readonly bucket: number };
  }
}

interface HistogramRows extends Coverage {
  readonly buckets: AggregateAnswer['buckets'];
  readonly numbers: Readonly<Record<Numbers, Float64Array>>;
  readonly earlierCount: number;
}

/** By bucket; latencies in microseconds, cost in US dollars. */
type Numbers = 'total' | 'ok' | 'error' | 'latencyP50' | 'latencyP95' | 'cost';

/** Adds one of each kind of row to projects. */
export function addHistograms(builder: Builder, aggregates: ForCaller<Aggregates>, { buckets }: BucketInputs): void {
  addTypes(builder);
  builder.objectFields('Project', (t) => {
    const args = { timeRange: t.arg({ type: 'TimeRange' }), buckets: t.arg({ type: buckets }) };
    return {
      histogram: t.field({
        type: 'Histogram',
        access: aggregatePolicy.read,
        cost: CHART_COST,
        description: 'Number of spans over time, by their start.',
        args: { ...args, filterCondition: t.arg.string({ description: FILTER_DESCRIPTION }) },
        resolve: async ({ rowId }, { buckets: bucket, ...asked }, { caller }) => {
          const { groups, ...answer } = await aggregates(caller).aggregate({
            ...toSpanQuestion(rowId, asked),
            bucket: toBucketRequest(bucket ?? {}),
            groupBy: [],
            maxGroups: 1,
            measures: Object.values(MEASURES),
          });
          const values = groups[0]?.values ?? [];
          const numbers = Object.keys(MEASURES).map((name, place) => [name, values[place] ?? new Float64Array()]);
          return { ...answer, numbers: Object.fromEntries(numbers) as HistogramRows['numbers'], earlierCount: 0 };
        },
      }),
      traceHistogram: t.field({
        type: 'Histogram',
        access: aggregatePolicy.read,
        cost: CHART_COST,
        description:
          'Number of traces over time, by their start. A trace with a failed span counts as failed, any other as successful.',
        args: { ...args, traceFilterCondition: t.arg.string({ description: TRACE_FILTER_DESCRIPTION }) },
        resolve: async ({ rowId }, { buckets: bucket, ...asked }, { caller }) => {
          const { counts, errorCounts, latenciesUs, cost, ...answer } = await aggregates(caller).aggregateTraces({
            ...toSpanQuestion(rowId, asked),
            bucket: toBucketRequest(bucket ?? {}),
            probabilities: PERCENTILES,
            hasTokenDetails: false,
          });
          return { ...answer, numbers: toNumbers(counts, errorCounts, latenciesUs, cost.total), earlierCount: 0 };
        },
      }),
      sessionHistogram: t.field({
        type: 'Histogram',
        access: aggregatePolicy.read,
        cost: CHART_COST,
        description:
          'Number of sessions over time, by their start; a latency is the duration of a session. A session with a failed span counts as failed, any other as successful.',
        args: { ...args, sessionFilterCondition: t.arg.string({ description: SESSION_FILTER_DESCRIPTION }) },
        resolve: async (
          { rowId: projectRowId },
          { buckets: bucket, timeRange, sessionFilterCondition },
          { caller },
        ) => {
          const { counts, errorCounts, durationsUs, cost, ...answer } = await aggregates(caller).aggregateSessions({
            projectRowId,
            ...toTimeBounds(timeRange),
            condition: readFilter('session', sessionFilterCondition) ?? null,
            bucket: toBucketRequest(bucket ?? {}),
            probabilities: PERCENTILES,
          });
          return { ...answer, numbers: toNumbers(counts, errorCounts, durationsUs, cost) };
        },
      }),
    };
  });
}

const MEASURES: Readonly<Record<Numbers, Measure>> = {
  total: { kind: 'count', status: null },
  ok: { kind: 'count', status: 'OK' },
  error: { kind: 'count', status: 'ERROR' },
  latencyP50: { kind: 'latency', probability: 0.5 },
  latencyP95: { kind: 'latency', probability: 0.95 },
  cost: { kind: 'cost', of: 'total' },
};

const PERCENTILES = [0.5, 0.95];

function toNumbers(
  total: Float64Array,
  error: Float64Array,
  [latencyP50 = NO_NUMBERS, latencyP95 = NO_NUMBERS]: readonly Float64Array[],
  cost: Float64Array,
): HistogramRows['numbers'] {
  const ok = total.map((count, bucket) => count - (error[bucket] ?? 0));
  return { total, ok, error, latencyP50, latencyP95, cost };
}

const NO_NUMBERS = new Float64Array();

function addTypes(builder: Builder): void {
  builder.objectType('HistogramBucket', {
    access: aggregatePolicy.read,
    fields: (t) => {
      const numberOf = ({ histogram, bucket }: { histogram: HistogramRows; bucket: number }, of: Numbers) =>
        histogram.numbers[of][bucket] ?? Number.NaN;
      const count = (of: Numbers) => t.int({ resolve: (row) => numberOf(row, of) });
      const latency = (of: Numbers) =>
        t.float({
          nullable: true,
          resolve: (row) => (Number.isNaN(numberOf(row, of)) ? null : numberOf(row, of) / 1000),
        });
      return {
        startTime: t.field({
          type: 'DateTime',
          resolve: ({ histogram, bucket }) => histogram.buckets.startsUs[bucket] ?? 0,
        }),
        endTime: t.field({
          type: 'DateTime',
          resolve: ({ histogram: { buckets }, bucket }) => buckets.startsUs[bucket + 1] ?? buckets.endUs,
        }),
        totalCount: count('total'),
        okCount: count('ok'),
        errorCount: count('error'),
        unsetCount: t.int({
          description: 'Spans whose status is not set; 0 for traces and sessions.',
          resolve: (row) => numberOf(row, 'total') - numberOf(row, 'ok') - numberOf(row, 'error'),
        }),
        latencyMsP50: latency('latencyP50'),
        latencyMsP95: latency('latencyP95'),
        cost: t.float({ description: 'Counted cost in US dollars.', resolve: (row) => numberOf(row, 'cost') }),
      };
    },
  });
  builder.objectType('Histogram', {
    access: aggregatePolicy.read,
    fields: (t) => ({
      isPartial: t.exposeBoolean('isPartial', { description: PARTIAL_DESCRIPTION }),
      share: t.exposeFloat('share', { description: SHARE_DESCRIPTION }),
      scale: t.field({ type: 'TimeBinScale', nullable: true, resolve: ({ buckets }) => buckets.unit }),
      buckets: t.field({
        type: ['HistogramBucket'],
        description: 'From the start of the range to its end, including empty ones.',
        resolve: (histogram) => Array.from(histogram.buckets.startsUs, (_start, bucket) => ({ histogram, bucket })),
      }),
      earlierCount: t.exposeInt('earlierCount', {
        description:
          'Sessions that continue in the range but started before it: no bucket counts them. 0 for anything else.',
      }),
    }),
  });
}
