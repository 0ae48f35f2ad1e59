/** What annotations of spans, traces and sessions come to, and the names that they have. */
import { toAnnotationFilter } from '#api/graphql/annotation-filter';
import type { Builder, TimeRange } from '#api/graphql/builder';
import type { GraphqlContext } from '#api/graphql/context';
import { toRowId } from '#api/graphql/nodes';
import type { AnnotationTarget } from '#domain/annotation';
import type { ForCaller } from '#domain/caller';
import type { FilterGrain } from '#filter/tree';
import type { Aggregates, AnnotationAnswer } from '#store/aggregates/port';
import type { AnnotationNameCount } from '#store/annotations/names';
import type { AnnotationSummary } from '#store/annotations/summaries';
import type { AggregateLoaders } from '../loaders.ts';
import { type BucketArguments, type SpanArguments, toBucketRequest, toSpanQuestion } from '../operations/questions.ts';
import { aggregatePolicy } from '../policy.ts';
import {
  type BucketInputs,
  CHART_COST,
  FILTER_DESCRIPTION,
  SESSION_FILTER_DESCRIPTION,
  TRACE_FILTER_DESCRIPTION,
} from './arguments.ts';

declare module '#api/graphql/builder' {
  interface ObjectRows {
    AnnotationNameCount: AnnotationNameCount;
    AnnotationSummary: AnnotationSummary;
    LabelFraction: AnnotationSummary['labelFractions'][number];
    AnnotationScoreTimeSeries: AnnotationAnswer;
    AnnotationScoreTimeSeriesDataPoint: SummaryPoint;
    AnnotationScoreWithLabel: { readonly label: string; readonly score: number };
    AnnotationMetricsTimeSeries: AnnotationAnswer;
    AnnotationMetricsTimeSeriesDataPoint: SummaryPoint;
  }
}

/** A bucket. */
interface SummaryPoint {
  readonly timeUs: number;
  readonly summaries: readonly AnnotationSummary[];
}

/** What resolvers read with. */
interface AnnotationParts {
  readonly load: Pick<AggregateLoaders, 'wholeAnnotations' | 'annotationSummaries'>;
  readonly aggregates: ForCaller<Aggregates>;
}

/** Listing names reads the index of all annotations of a project. */
const NAMES_COST = 20;

/** Adds them to projects, spans, traces and sessions. */
export function addAnnotationNumbers(builder: Builder, parts: AnnotationParts, { config }: BucketInputs): void {
  addTypes(builder);
  addNames(builder, parts);
  addOfTargets(builder, parts);
  for (const target of ['span', 'trace', 'session'] as const) {
    builder.objectFields('Project', (t) => {
      const timeRange = t.arg({ type: 'TimeRange', required: true });
      const filters = {
        filterCondition: t.arg.string({ description: FILTER_DESCRIPTION }),
        traceFilterCondition: t.arg.string({ description: TRACE_FILTER_DESCRIPTION }),
        sessionFilterCondition: t.arg.string({ description: SESSION_FILTER_DESCRIPTION }),
      };
      const summaryArgs = { annotationName: t.arg.string({ required: true }), timeRange: t.arg({ type: 'TimeRange' }) };
      const bins = { timeRange, timeBinConfig: t.arg({ type: config }) };
      const metricsArgs = {
        ...bins,
        annotationName: t.arg.string({ description: 'Only annotations of this name; all names if omitted.' }),
      };
      const series = `By the start of the ${target}. Scores and labels of one ${target} are averaged first.`;
      const ofSessions = { sessionFilterCondition: filters.sessionFilterCondition };
      const own = target === 'session' ? ofSessions : filters;
      return {
        [`${target}AnnotationMetricNames`]: t.stringList({
          access: aggregatePolicy.read,
          cost: CHART_COST,
          description: `Names of annotations with a score or a label on the ${target}s in the range.`,
          args: { timeRange },
          resolve: async ({ rowId }, args, context) => {
            const { summaries } = await ask(parts, context, target, rowId, args);
            return (summaries[0] ?? []).map(({ name }) => name);
          },
        }),
        [`${target}AnnotationSummary`]: t.field({
          type: 'AnnotationSummary',
          nullable: true,
          access: aggregatePolicy.read,
          cost: CHART_COST,
          description: `Of the annotations of one name on the ${target}s in the range that match; null without any.`,
          args: { ...summaryArgs, ...own },
          resolve: async ({ rowId }, args, context) => {
            const { summaries } = await ask(parts, context, target, rowId, args);
            return summaries[0]?.[0];
          },
        }),
        [`${target}AnnotationScoreTimeSeries`]: t.field({
          type: 'AnnotationScoreTimeSeries',
          access: aggregatePolicy.read,
          cost: CHART_COST,
          description: `Mean scores by name. ${series}`,
          args: { ...bins, ...own },
          resolve: ({ rowId }, args, context) => askSeries(parts, context, target, rowId, args),
        }),
        [`${target}AnnotationMetricsTimeSeries`]: t.field({
          type: 'AnnotationMetricsTimeSeries',
          access: aggregatePolicy.read,
          cost: CHART_COST,
          description: `Summaries by name. ${series}`,
          args: { ...metricsArgs, ...own },
          resolve: ({ rowId }, args, context) => askSeries(parts, context, target, rowId, args),
        }),
      };
    });
  }
}

interface SummaryArguments extends SpanArguments {
  readonly annotationName?: string | null | undefined;
}

function ask(
  { load }: AnnotationParts,
  context: GraphqlContext,
  target: FilterGrain,
  projectRowId: number,
  { annotationName, ...args }: SummaryArguments,
): Promise<AnnotationAnswer> {
  const question = { ...toSpanQuestion(projectRowId, args), target, name: annotationName ?? null, bucket: null };
  return load.wholeAnnotations(context, question);
}

interface SeriesArguments extends SummaryArguments {
  readonly timeRange: TimeRange;
  readonly timeBinConfig?: BucketArguments | null | undefined;
}

/** A range that is open at its end goes up to now. */
function askSeries(
  { load }: AnnotationParts,
  context: GraphqlContext,
  target: FilterGrain,
  projectRowId: number,
  { annotationName, timeBinConfig, timeRange, ...filters }: SeriesArguments,
): Promise<AnnotationAnswer> {
  const end = timeRange.end ?? (timeRange.start == null ? undefined : Math.max(Date.now() * 1000, timeRange.start));
  return load.wholeAnnotations(context, {
    ...toSpanQuestion(projectRowId, { ...filters, timeRange: { ...timeRange, end } }),
    target,
    name: annotationName ?? null,
    bucket: toBucketRequest(timeBinConfig ?? { scale: 'HOUR' }),
  });
}

function addNames(builder: Builder, { aggregates }: AnnotationParts): void {
  const listNames = async (context: GraphqlContext, rowId: number, target: FilterGrain) =>
    (await aggregates(context.caller).countAnnotationNames(rowId, target)).map(({ name }) => name);
  builder.objectFields('Project', (t) => {
    const names = (target: FilterGrain, description: string) =>
      t.stringList({
        access: aggregatePolicy.read,
        cost: NAMES_COST,
        description,
        resolve: ({ rowId }, _args, context) => listNames(context, rowId, target),
      });
    const counts = (target: AnnotationTarget) =>
      t.field({
        type: ['AnnotationNameCount'],
        access: aggregatePolicy.read,
        cost: NAMES_COST,
        description: `How many annotations of ${target}s have each name.`,
        resolve: async ({ rowId }, _args, { caller }) => [
          ...(await aggregates(caller).countAnnotationNames(rowId, target)),
        ],
      });
    return {
      spanAnnotationNames: names('span', 'Names of annotations of spans.'),
      traceAnnotationNames: names('trace', 'Names of annotations of traces.'),
      traceAnnotationsNames: names('trace', 'The same as `traceAnnotationNames`.'),
      sessionAnnotationNames: names('session', 'Names of annotations of sessions.'),
      spanAnnotationNameCounts: counts('span'),
      traceAnnotationNameCounts: counts('trace'),
      sessionAnnotationNameCounts: counts('session'),
      documentAnnotationNameCounts: counts('document'),
      documentEvaluationNames: t.stringList({
        access: aggregatePolicy.read,
        cost: NAMES_COST,
        description: 'Names of annotations that models made of documents: of all spans, or of one.',
        args: { spanId: t.arg.id() },
        resolve: async ({ rowId }, { spanId }, { caller }) => [
          ...(await aggregates(caller).listDocumentEvaluationNames(
            rowId,
            spanId == null ? null : toRowId('Span', spanId),
          )),
        ],
      }),
    };
  });
}

function addOfTargets(builder: Builder, { load }: AnnotationParts): void {
  const description = 'By name; names without a score or a label are left out.';
  for (const [type, name, target] of [
    ['Span', 'spanAnnotationSummaries', 'span'],
    ['Trace', 'traceAnnotationSummaries', 'trace'],
    ['ProjectSession', 'sessionAnnotationSummaries', 'session'],
  ] as const) {
    builder.objectField(type, name, (t) =>
      t.field({
        type: ['AnnotationSummary'],
        description,
        args: { filter: t.arg({ type: 'AnnotationFilter' }) },
        resolve: async ({ rowId }, args, context) => [
          ...((await load.annotationSummaries(context, { rowId, target, filter: toAnnotationFilter(args.filter) })) ??
            []),
        ],
      }),
    );
  }
}

function addTypes(builder: Builder): void {
  const access = aggregatePolicy.read;
  builder.objectType('AnnotationNameCount', {
    access,
    fields: (t) => ({ name: t.exposeString('name'), count: t.exposeInt('count') }),
  });
  builder.objectType('LabelFraction', {
    access,
    fields: (t) => ({
      label: t.exposeString('label'),
      fraction: t.exposeFloat('fraction'),
      targetCount: t.exposeInt('targetCount', { description: 'Spans, traces or sessions with the label.' }),
    }),
  });
  builder.objectType('AnnotationSummary', {
    access,
    fields: (t) => ({
      name: t.exposeString('name'),
      count: t.exposeInt('count', { description: 'Annotations with a score or a label.' }),
      labels: t.stringList({ resolve: ({ labelFractions }) => labelFractions.map(({ label }) => label) }),
      labelFractions: t.field({
        type: ['LabelFraction'],
        description: 'Largest first. Each span, trace or session counts once, its labels in equal parts.',
        resolve: ({ labelFractions }) => [...labelFractions],
      }),
      meanScore: t.exposeFloat('meanScore', {
        nullable: true,
        description: 'Mean over the means of the spans, traces or sessions.',
      }),
      scoreCount: t.exposeInt('scoreCount'),
      labelCount: t.exposeInt('labelCount'),
    }),
  });
  builder.objectType('AnnotationScoreWithLabel', {
    access,
    fields: (t) => ({
      label: t.exposeString('label', { description: 'The name of the annotations.' }),
      score: t.exposeFloat('score'),
    }),
  });
  builder.objectType('AnnotationScoreTimeSeriesDataPoint', {
    access,
    fields: (t) => ({
      timestamp: t.expose('timeUs', { type: 'DateTime' }),
      scoresWithLabels: t.field({
        type: ['AnnotationScoreWithLabel'],
        resolve: ({ summaries }) =>
          summaries.flatMap(({ name, meanScore }) => (meanScore === null ? [] : { label: name, score: meanScore })),
      }),
    }),
  });
  builder.objectType('AnnotationMetricsTimeSeriesDataPoint', {
    access,
    fields: (t) => ({
      timestamp: t.expose('timeUs', { type: 'DateTime' }),
      annotationSummaries: t.field({ type: ['AnnotationSummary'], resolve: ({ summaries }) => [...summaries] }),
    }),
  });
  builder.objectType('AnnotationScoreTimeSeries', {
    access,
    fields: (t) => ({
      data: t.field({ type: ['AnnotationScoreTimeSeriesDataPoint'], resolve: pointsOf }),
      names: t.stringList({ resolve: (answer) => namesOf(answer, ({ meanScore }) => meanScore !== null) }),
    }),
  });
  builder.objectType('AnnotationMetricsTimeSeries', {
    access,
    fields: (t) => ({
      data: t.field({ type: ['AnnotationMetricsTimeSeriesDataPoint'], resolve: pointsOf }),
      names: t.stringList({ resolve: (answer) => namesOf(answer, () => true) }),
    }),
  });
}

function pointsOf({ buckets, summaries }: AnnotationAnswer): SummaryPoint[] {
  return Array.from(buckets.startsUs, (timeUs, bucket) => ({ timeUs, summaries: summaries[bucket] ?? [] }));
}

function namesOf({ summaries }: AnnotationAnswer, keep: (summary: AnnotationSummary) => boolean): string[] {
  return [
    ...new Set(
      summaries
        .flat()
        .filter(keep)
        .map(({ name }) => name),
    ),
  ].sort();
}
