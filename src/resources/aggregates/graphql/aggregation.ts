/** Any measures of spans by time and groups. */
import type { Builder } from '#api/graphql/builder';
import { AppError } from '#base/errors';
import type { ForCaller } from '#domain/caller';
import { MAX_BUCKETS } from '#store/aggregates/buckets';
import { type AggregateAnswer, type AggregateGroup, type Aggregates, MAX_DIMENSIONS } from '#store/aggregates/port';
import { presentValue, readDimensions } from '../operations/dimension.ts';
import { assertKnown, isMissingInGroups } from '../operations/unknown-dimension.ts';
import { aggregatePolicy } from '../policy.ts';
import { MEASURES, type MeasureName } from '../present/measures.ts';
import { toBucketRequest, toSpanQuestion } from '../operations/questions.ts';
import {
  type BucketInputs,
  CHART_COST,
  FILTER_DESCRIPTION,
  PARTIAL_DESCRIPTION,
  SHARE_DESCRIPTION,
} from './arguments.ts';

declare module '#api/graphql/builder' {
  interface ObjectRows {
    SpanAggregation: Aggregation;
    SpanAggregationGroup: Group;
    SpanAggregationSeries: { readonly measure: MeasureName; readonly values: readonly (number | null)[] };
  }
  interface EnumValues {
    SpanMeasure: MeasureName;
  }
}

interface Aggregation extends AggregateAnswer {
  readonly measures: readonly MeasureName[];
}

interface Group extends AggregateGroup {
  readonly measures: readonly MeasureName[];
}

/** Adds them to projects. */
export function addAggregation(builder: Builder, aggregates: ForCaller<Aggregates>, { buckets }: BucketInputs): void {
  addTypes(builder);
  builder.objectFields('Project', (t) => {
    return {
      aggregate: t.field({
        type: 'SpanAggregation',
        access: aggregatePolicy.read,
        cost: CHART_COST,
        description: 'Measures of the spans that started in the range and match.',
        args: {
          timeRange: t.arg({ type: 'TimeRange' }),
          filterCondition: t.arg.string({ description: FILTER_DESCRIPTION }),
          buckets: t.arg({ type: buckets, description: 'One for the whole range if omitted.' }),
          groupBy: t.arg.stringList({
            required: true,
            defaultValue: [],
            description: 'Up to two fields, such as span_kind, or attributes, such as llm.model_name.',
          }),
          maxGroups: t.arg.int({
            required: true,
            defaultValue: 10,
            description: 'The groups with the most spans; 200 at most.',
          }),
          measures: t.arg({ type: ['SpanMeasure'], required: true }),
        },
        resolve: async ({ rowId }, { buckets: bucket, groupBy, maxGroups, measures, ...asked }, { caller }) => {
          assertFew(measures);
          const dimensions = readDimensions(groupBy, MAX_DIMENSIONS);
          const answer = await aggregates(caller).aggregate({
            ...toSpanQuestion(rowId, asked),
            bucket: bucket == null ? null : toBucketRequest(bucket),
            groupBy: [...dimensions],
            maxGroups,
            measures: measures.map((name) => MEASURES[name].measure),
          });
          for (const [place, dimension] of dimensions.entries()) {
            if (!isMissingInGroups(answer, place)) continue;
            await assertKnown(caller, aggregates, { grain: 'span', projectRowId: rowId }, dimension);
          }
          return { ...answer, measures };
        },
      }),
    };
  });
}

/** Measures of one answer. */
const MAX_MEASURES = 20;

function assertFew(measures: readonly MeasureName[]): void {
  if (measures.length > 0 && measures.length <= MAX_MEASURES) return;
  throw new AppError('invalid_argument', `Ask for 1 to ${MAX_MEASURES} measures at a time.`);
}

function addTypes(builder: Builder): void {
  builder.enumType('SpanMeasure', {
    values: Object.fromEntries(
      Object.entries(MEASURES).map(([name, { description }]) => [name, { value: name as MeasureName, description }]),
    ),
  });
  builder.objectType('SpanAggregationSeries', {
    access: aggregatePolicy.read,
    fields: (t) => ({
      measure: t.expose('measure', { type: 'SpanMeasure' }),
      values: t.floatList({
        nullable: { list: false, items: true },
        description: `One for each bucket, ${MAX_BUCKETS} at most; null where there is nothing to compute it from.`,
        resolve: ({ values }) => [...values],
      }),
    }),
  });
  builder.objectType('SpanAggregationGroup', {
    access: aggregatePolicy.read,
    fields: (t) => ({
      key: t.field({
        type: ['JSON'],
        nullable: { list: true, items: true },
        description:
          'The values that the spans of the group have in common, in the order of `groupBy`; null for the group of all others.',
        resolve: ({ key }) => key?.map(presentValue),
      }),
      series: t.field({
        type: ['SpanAggregationSeries'],
        description: 'In the order of `measures`.',
        resolve: ({ measures, values }) =>
          measures.map((measure, place) => ({ measure, values: toNumbers(measure, values[place]) })),
      }),
    }),
  });
  builder.objectType('SpanAggregation', {
    access: aggregatePolicy.read,
    fields: (t) => ({
      isPartial: t.exposeBoolean('isPartial', { description: PARTIAL_DESCRIPTION }),
      share: t.exposeFloat('share', { description: SHARE_DESCRIPTION }),
      scale: t.field({ type: 'TimeBinScale', nullable: true, resolve: ({ buckets }) => buckets.unit }),
      startTimes: t.field({
        type: ['DateTime'],
        description: 'Start of each bucket; the start of the range if a single bucket covers it.',
        resolve: ({ buckets }) => [...buckets.startsUs],
      }),
      endTime: t.field({
        type: 'DateTime',
        description: 'End of the last bucket.',
        resolve: ({ buckets }) => buckets.endUs,
      }),
      groups: t.field({
        type: ['SpanAggregationGroup'],
        description: 'Most spans first, the group of all others last; a single group if nothing is grouped.',
        resolve: ({ groups, measures }) => groups.map((group) => ({ ...group, measures })),
      }),
      otherGroupCount: t.exposeInt('otherGroupCount', { description: 'Number of groups in the group of all others.' }),
    }),
  });
}

function toNumbers(measure: MeasureName, values: Float64Array = new Float64Array()): (number | null)[] {
  const { scale } = MEASURES[measure];
  return Array.from(values, (value) => (Number.isNaN(value) ? null : scale === 1 ? value : value / 1000));
}
