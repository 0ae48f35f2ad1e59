/** Charts under the names that Phoenix gave them, and one of sessions like them. */
import type { Builder, TimeRange } from '#api/graphql/builder';
import type { Measure, SpanQuestion, TokenDetail, TraceAnswer } from '#store/aggregates/port';
import { type BucketArguments, type SpanArguments, toBucketRequest, toSpanQuestion } from '../operations/questions.ts';
import { readFilter } from '../../filters/operations.ts';
import type { AggregateLoaders } from '../loaders.ts';
import { aggregatePolicy } from '../policy.ts';
import {
  type BucketInputs,
  CHART_COST,
  FILTER_DESCRIPTION,
  SESSION_FILTER_DESCRIPTION,
  TRACE_FILTER_DESCRIPTION,
} from './arguments.ts';
import type { GraphqlContext } from '#api/graphql/context';

declare module '#api/graphql/builder' {
  interface ObjectRows {
    TimeSeriesDataPoint: Point;
    TraceCountTimeSeries: CountSeries;
    SessionCountTimeSeries: CountSeries;
    TraceCountByStatusTimeSeries: TraceSeries;
    TraceCountByStatusTimeSeriesDataPoint: TracePoint;
    TraceLatencyPercentileTimeSeries: TraceSeries;
    TraceLatencyMsPercentileTimeSeriesDataPoint: TracePoint;
    TraceTokenCountTimeSeries: TraceSeries;
    TraceTokenCountTimeSeriesDataPoint: TracePoint;
    TraceTokenCountDetailsTimeSeriesEntry: TokenEntry;
    TraceTokenCostTimeSeries: TraceSeries;
    TraceTokenCostTimeSeriesDataPoint: TracePoint;
    SpanCountTimeSeries: readonly SpanPoint[];
    SpanCountTimeSeriesDataPoint: SpanPoint;
  }
}

interface Point {
  readonly timeUs: number;
  readonly value: number;
}

/** A number by time. */
type CountSeries = Pick<TraceAnswer, 'buckets' | 'counts'>;

/** Numbers of traces, and how to have more of them. */
interface TraceSeries {
  readonly answer: TraceAnswer;
  /** Reads the spans of the traces, once. */
  readonly readDetails: () => Promise<TraceAnswer['tokenDetails']>;
}

interface TracePoint extends TraceSeries {
  readonly bucket: number;
}

interface TokenEntry {
  readonly tokenType: string;
  readonly tokenCount: number;
}

/** Spans of a bucket, as `COUNTS` are. */
interface SpanPoint {
  readonly timeUs: number;
  readonly counts: readonly number[];
}

const COUNTS: readonly Measure[] = [
  { kind: 'count', status: 'OK' },
  { kind: 'count', status: 'ERROR' },
  { kind: 'count', status: 'UNSET' },
  { kind: 'count', status: null },
];

/** In the order of the fields of a point. */
const PERCENTILES = { p50: 0.5, p75: 0.75, p90: 0.9, p95: 0.95, p99: 0.99, p999: 0.999, max: 1 } as const;

/** Adds the series to projects. */
export function addTimeSeries(builder: Builder, load: AggregateLoaders, { config }: BucketInputs): void {
  addPoints(builder);
  addSeries(builder);
  builder.objectFields('Project', (t) => {
    const bins = {
      timeRange: t.arg({ type: 'TimeRange', required: true }),
      timeBinConfig: t.arg({ type: config }),
    };
    const args = { ...bins, filterCondition: t.arg.string({ description: FILTER_DESCRIPTION }) };
    const traceArgs = { ...args, traceFilterCondition: t.arg.string({ description: TRACE_FILTER_DESCRIPTION }) };
    const ofTraces = (
      type:
        | 'TraceCountByStatusTimeSeries'
        | 'TraceLatencyPercentileTimeSeries'
        | 'TraceTokenCountTimeSeries'
        | 'TraceTokenCostTimeSeries',
      description: string,
    ) =>
      t.field({
        type,
        access: aggregatePolicy.read,
        cost: CHART_COST,
        description: `${description} ${BY_START}`,
        args: traceArgs,
        resolve: ({ rowId }, asked, context) => readTraceSeries(load, context, toQuestion(rowId, asked)),
      });
    return {
      spanCountTimeSeries: t.field({
        type: 'SpanCountTimeSeries',
        access: aggregatePolicy.read,
        cost: CHART_COST,
        args,
        resolve: async ({ rowId }, asked, context) => {
          const question = { ...toQuestion(rowId, asked), groupBy: [], maxGroups: 1, measures: COUNTS };
          const { buckets, groups } = await load.wholeAggregate(context, question);
          const values = groups[0]?.values ?? [];
          return Array.from(buckets.startsUs, (timeUs, bucket) => ({
            timeUs,
            counts: values.map((ofMeasure) => ofMeasure[bucket] ?? 0),
          }));
        },
      }),
      traceCountTimeSeries: t.field({
        type: 'TraceCountTimeSeries',
        access: aggregatePolicy.read,
        cost: CHART_COST,
        description: `Traces. ${BY_START}`,
        args: traceArgs,
        resolve: async ({ rowId }, asked, context) =>
          (await readTraceSeries(load, context, toQuestion(rowId, asked))).answer,
      }),
      sessionCountTimeSeries: t.field({
        type: 'SessionCountTimeSeries',
        access: aggregatePolicy.read,
        cost: CHART_COST,
        description: 'Sessions, by their start; a session that started before the range is in no bucket.',
        args: { ...bins, sessionFilterCondition: t.arg.string({ description: SESSION_FILTER_DESCRIPTION }) },
        resolve: ({ rowId }, { sessionFilterCondition, ...asked }, context) => {
          const { projectRowId, startTimeUs, endTimeUs, bucket } = toQuestion(rowId, asked);
          const condition = readFilter('session', sessionFilterCondition) ?? null;
          return load.wholeSessions(context, {
            projectRowId,
            startTimeUs,
            endTimeUs,
            bucket,
            condition,
            probabilities: [],
          });
        },
      }),
      traceCountByStatusTimeSeries: ofTraces(
        'TraceCountByStatusTimeSeries',
        'Traces; a trace with a failed span counts as failed.',
      ),
      traceLatencyMsPercentileTimeSeries: ofTraces(
        'TraceLatencyPercentileTimeSeries',
        'Duration of traces; the percentiles are exact.',
      ),
      traceTokenCountTimeSeries: ofTraces('TraceTokenCountTimeSeries', 'Counted tokens.'),
      traceTokenCostTimeSeries: ofTraces('TraceTokenCostTimeSeries', 'Counted cost in US dollars.'),
    };
  });
}

const BY_START = 'By the start of the trace; with a filter for spans, only traces that contain a matching span.';

interface SeriesArguments extends SpanArguments {
  readonly timeRange: TimeRange;
  readonly timeBinConfig?: BucketArguments | null | undefined;
}

/** A series without an end goes on to now. */
function toQuestion(rowId: number, { timeBinConfig, timeRange, ...filters }: SeriesArguments) {
  const end = timeRange.end ?? (timeRange.start == null ? undefined : Math.max(Date.now() * 1000, timeRange.start));
  const bucket = toBucketRequest(timeBinConfig ?? { scale: 'HOUR' });
  return { ...toSpanQuestion(rowId, { ...filters, timeRange: { ...timeRange, end } }), bucket };
}

async function readTraceSeries(
  load: AggregateLoaders,
  context: GraphqlContext,
  question: SpanQuestion & { readonly bucket: ReturnType<typeof toBucketRequest> },
): Promise<TraceSeries> {
  const asked = { ...question, probabilities: Object.values(PERCENTILES) };
  const answer = await load.wholeTraces(context, { ...asked, hasTokenDetails: false });
  const readDetails = async () =>
    (await load.wholeTraces(context, { ...asked, probabilities: [], hasTokenDetails: true })).tokenDetails;
  return { answer, readDetails };
}

function pointsOf(series: TraceSeries): TracePoint[] {
  return Array.from(series.answer.buckets.startsUs, (_start, bucket) => ({ ...series, bucket }));
}

function addSeries(builder: Builder): void {
  const series = builder.interfaceRef<CountSeries>('TimeSeries').implement({
    fields: (t) => ({ data: t.field({ type: ['TimeSeriesDataPoint'], resolve: toCounts }) }),
  });
  builder.objectType('TraceCountTimeSeries', { access: aggregatePolicy.read, interfaces: [series] });
  builder.objectType('SessionCountTimeSeries', { access: aggregatePolicy.read, interfaces: [series] });
  builder.objectType('SpanCountTimeSeries', {
    access: aggregatePolicy.read,
    fields: (t) => ({ data: t.field({ type: ['SpanCountTimeSeriesDataPoint'], resolve: (points) => [...points] }) }),
  });
  builder.objectType('TraceCountByStatusTimeSeries', {
    access: aggregatePolicy.read,
    fields: (t) => ({ data: t.field({ type: ['TraceCountByStatusTimeSeriesDataPoint'], resolve: pointsOf }) }),
  });
  builder.objectType('TraceLatencyPercentileTimeSeries', {
    access: aggregatePolicy.read,
    fields: (t) => ({ data: t.field({ type: ['TraceLatencyMsPercentileTimeSeriesDataPoint'], resolve: pointsOf }) }),
  });
  builder.objectType('TraceTokenCountTimeSeries', {
    access: aggregatePolicy.read,
    fields: (t) => ({ data: t.field({ type: ['TraceTokenCountTimeSeriesDataPoint'], resolve: pointsOf }) }),
  });
  builder.objectType('TraceTokenCostTimeSeries', {
    access: aggregatePolicy.read,
    fields: (t) => ({ data: t.field({ type: ['TraceTokenCostTimeSeriesDataPoint'], resolve: pointsOf }) }),
  });
}

function toCounts({ buckets, counts }: CountSeries): Point[] {
  return Array.from(buckets.startsUs, (timeUs, bucket) => ({ timeUs, value: counts[bucket] ?? 0 }));
}

function addPoints(builder: Builder): void {
  const timeUs = ({ answer, bucket }: TracePoint) => answer.buckets.startsUs[bucket] ?? 0;
  builder.objectType('TimeSeriesDataPoint', {
    access: aggregatePolicy.read,
    fields: (t) => ({
      timestamp: t.expose('timeUs', { type: 'DateTime' }),
      value: t.exposeFloat('value', { nullable: true }),
    }),
  });
  builder.objectType('SpanCountTimeSeriesDataPoint', {
    access: aggregatePolicy.read,
    fields: (t) => {
      const count = (place: number) => t.int({ nullable: true, resolve: ({ counts }) => counts[place] });
      return {
        timestamp: t.expose('timeUs', { type: 'DateTime' }),
        okCount: count(0),
        errorCount: count(1),
        unsetCount: count(2),
        totalCount: count(3),
      };
    },
  });
  builder.objectType('TraceCountByStatusTimeSeriesDataPoint', {
    access: aggregatePolicy.read,
    fields: (t) => {
      const total = ({ answer, bucket }: TracePoint) => answer.counts[bucket] ?? 0;
      const errors = ({ answer, bucket }: TracePoint) => answer.errorCounts[bucket] ?? 0;
      return {
        timestamp: t.field({ type: 'DateTime', resolve: timeUs }),
        okCount: t.int({ resolve: (point) => total(point) - errors(point) }),
        errorCount: t.int({ resolve: errors }),
        totalCount: t.int({ resolve: total }),
      };
    },
  });
  builder.objectType('TraceLatencyMsPercentileTimeSeriesDataPoint', {
    access: aggregatePolicy.read,
    fields: (t) => {
      const percentile = (place: number) =>
        t.float({
          nullable: true,
          resolve: ({ answer, bucket }) => toNullable((answer.latenciesUs[place]?.[bucket] ?? Number.NaN) / 1000),
        });
      return {
        timestamp: t.field({ type: 'DateTime', resolve: timeUs }),
        p50: percentile(0),
        p75: percentile(1),
        p90: percentile(2),
        p95: percentile(3),
        p99: percentile(4),
        p999: percentile(5),
        max: percentile(6),
      };
    },
  });
  builder.objectType('TraceTokenCostTimeSeriesDataPoint', {
    access: aggregatePolicy.read,
    fields: (t) => {
      const cost = (part: keyof TraceAnswer['cost']) =>
        t.float({ nullable: true, resolve: ({ answer, bucket }) => answer.cost[part][bucket] });
      return {
        timestamp: t.field({ type: 'DateTime', resolve: timeUs }),
        promptCost: cost('prompt'),
        completionCost: cost('completion'),
        totalCost: cost('total'),
      };
    },
  });
  addTokenPoints(builder, timeUs);
}

function addTokenPoints(builder: Builder, timeUs: (point: TracePoint) => number): void {
  builder.objectType('TraceTokenCountDetailsTimeSeriesEntry', {
    access: aggregatePolicy.read,
    fields: (t) => ({
      tokenType: t.exposeString('tokenType'),
      tokenCount: t.exposeFloat('tokenCount', { nullable: true }),
    }),
  });
  builder.objectType('TraceTokenCountTimeSeriesDataPoint', {
    access: aggregatePolicy.read,
    fields: (t) => {
      const prompt = ({ answer, bucket }: TracePoint) => answer.promptTokens[bucket] ?? 0;
      const completion = ({ answer, bucket }: TracePoint) => answer.completionTokens[bucket] ?? 0;
      const details = (total: (point: TracePoint) => number, rest: string, types: TokenTypes) =>
        t.field({
          type: ['TraceTokenCountDetailsTimeSeriesEntry'],
          description: `Tokens of each type; \`${rest}\` is those of no other type.`,
          resolve: async (point) => splitTokens(point, total(point), rest, types, await point.readDetails()),
        });
      return {
        timestamp: t.field({ type: 'DateTime', resolve: timeUs }),
        promptTokenCount: t.float({ nullable: true, resolve: prompt }),
        completionTokenCount: t.float({ nullable: true, resolve: completion }),
        totalTokenCount: t.float({ nullable: true, resolve: (point) => prompt(point) + completion(point) }),
        promptTokenCountDetails: details(prompt, 'input', PROMPT_TYPES),
        completionTokenCountDetails: details(completion, 'output', COMPLETION_TYPES),
      };
    },
  });
}

/** Parts of tokens by the names that clients know. */
type TokenTypes = readonly (readonly [tokenType: string, of: TokenDetail])[];

const PROMPT_TYPES: TokenTypes = [
  ['cache_read', 'cache_read'],
  ['cache_write', 'cache_write'],
  ['audio', 'prompt_audio'],
];

const COMPLETION_TYPES: TokenTypes = [
  ['reasoning', 'reasoning'],
  ['audio', 'completion_audio'],
];

function splitTokens(
  { bucket }: TracePoint,
  total: number,
  rest: string,
  types: TokenTypes,
  details: TraceAnswer['tokenDetails'],
): TokenEntry[] {
  const entries = types.map(([tokenType, of]) => ({
    tokenType,
    tokenCount: details?.find((detail) => detail.of === of)?.sums[bucket] ?? 0,
  }));
  const named = entries.reduce((sum, { tokenCount }) => sum + tokenCount, 0);
  // What calls claim of parts can be more than all they claim.
  return [{ tokenType: rest, tokenCount: Math.max(total - named, 0) }, ...entries];
}

function toNullable(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}
