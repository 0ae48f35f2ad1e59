/** Facets: the values of spans, traces and sessions with how many there are of each, and what can be a facet. */
import type { Builder } from '#api/graphql/builder';
import { toTimeBounds } from '#api/graphql/time-bounds';
import { AppError } from '#base/errors';
import type { Caller, ForCaller } from '#domain/caller';
import type { FilterGrain } from '#filter/tree';
import {
  type Aggregates,
  type Dimension,
  type Facet,
  type FacetAnswer,
  type FacetNumbers,
  type FacetRequest,
  type FacetValue,
  MAX_FACETS,
} from '#store/aggregates/port';
import { readFilter } from '../../filters/operations.ts';
import { formatValueFilter, presentValue, readDimensions } from '../operations/dimension.ts';
import { toSpanQuestion } from '../operations/questions.ts';
import { assertKnown, type CountedRows, isMissingEverywhere } from '../operations/unknown-dimension.ts';
import { aggregatePolicy } from '../policy.ts';
import {
  CHART_COST,
  FILTER_DESCRIPTION,
  PARTIAL_DESCRIPTION,
  SESSION_FILTER_DESCRIPTION,
  SHARE_DESCRIPTION,
  TRACE_FILTER_DESCRIPTION,
} from './arguments.ts';

declare module '#api/graphql/builder' {
  interface ObjectRows {
    Facets: FacetRows;
    Facet: FacetRow;
    FacetValue: ValueRow;
    FacetNumbers: FacetNumbers;
    NumberBin: FacetNumbers['bins'][number];
  }
}

interface FacetRows extends Omit<FacetAnswer, 'facets'> {
  readonly facets: readonly FacetRow[];
}

interface FacetRow extends Facet {
  readonly by: string;
  readonly grain: FilterGrain;
  readonly dimension: Dimension;
}

interface ValueRow extends FacetValue {
  readonly grain: FilterGrain;
  readonly dimension: Dimension;
}

/** A facet as clients ask for it. */
interface FacetArguments {
  readonly by: string;
  readonly first: number;
  readonly prefix?: string | null | undefined;
  readonly leaveOutOwnTerms: boolean;
}

/** Adds facets to projects. */
export function addFacets(builder: Builder, aggregates: ForCaller<Aggregates>): void {
  addTypes(builder);
  const request = builder.inputType('FacetInput', {
    fields: (t) => ({
      by: t.string({
        required: true,
        description:
          'A field, such as span_kind or num_spans, or an attribute, such as llm.model_name; for traces and sessions an amount, or an attribute of the root span.',
      }),
      first: t.int({
        required: true,
        defaultValue: 10,
        description: 'Maximum number of values, the most frequent ones.',
      }),
      prefix: t.string({ description: 'Only values that start with this text, regardless of case.' }),
      leaveOutOwnTerms: t.boolean({
        required: true,
        defaultValue: true,
        description:
          'Whether counting ignores the terms of the filter about this facet, so that other values can be chosen.',
      }),
    }),
  });
  builder.objectFields('Project', (t) => ({
    facets: t.field({
      type: 'Facets',
      access: aggregatePolicy.read,
      cost: CHART_COST,
      description: 'For the spans that started in the range and match.',
      args: {
        timeRange: t.arg({ type: 'TimeRange' }),
        filterCondition: t.arg.string({ description: FILTER_DESCRIPTION }),
        facets: t.arg({ type: [request], required: true }),
      },
      resolve: ({ rowId }, { facets, ...args }, { caller }) =>
        answerFacets(caller, aggregates, { grain: 'span', projectRowId: rowId }, facets, (requests) =>
          aggregates(caller).countFacets({ ...toSpanQuestion(rowId, args), facets: requests }),
        ),
    }),
    traceFacets: t.field({
      type: 'Facets',
      access: aggregatePolicy.read,
      cost: CHART_COST,
      description: 'For the traces that started in the range and match.',
      args: {
        timeRange: t.arg({ type: 'TimeRange' }),
        traceFilterCondition: t.arg.string({ description: TRACE_FILTER_DESCRIPTION }),
        facets: t.arg({ type: [request], required: true }),
      },
      resolve: ({ rowId: projectRowId }, { facets, timeRange, traceFilterCondition }, { caller }) =>
        answerFacets(caller, aggregates, { grain: 'trace', projectRowId }, facets, (requests) => {
          const condition = readFilter('trace', traceFilterCondition) ?? null;
          return aggregates(caller).countTraceFacets({
            projectRowId,
            ...toTimeBounds(timeRange),
            condition,
            facets: requests,
          });
        }),
    }),
    sessionFacets: t.field({
      type: 'Facets',
      access: aggregatePolicy.read,
      cost: CHART_COST,
      description: 'For the sessions that overlap the range and match.',
      args: {
        timeRange: t.arg({ type: 'TimeRange' }),
        sessionFilterCondition: t.arg.string({ description: SESSION_FILTER_DESCRIPTION }),
        facets: t.arg({ type: [request], required: true }),
      },
      resolve: ({ rowId: projectRowId }, { facets, timeRange, sessionFilterCondition }, { caller }) =>
        answerFacets(caller, aggregates, { grain: 'session', projectRowId }, facets, (requests) => {
          const condition = readFilter('session', sessionFilterCondition) ?? null;
          return aggregates(caller).countSessionFacets({
            projectRowId,
            ...toTimeBounds(timeRange),
            condition,
            facets: requests,
          });
        }),
    }),
    attributePaths: t.stringList({
      access: aggregatePolicy.read,
      cost: CHART_COST,
      description: 'Attributes of the newest spans, by their dotted paths, the most frequent first.',
      args: {
        timeRange: t.arg({ type: 'TimeRange' }),
        prefix: t.arg.string({ required: true, defaultValue: '' }),
        first: t.arg.int({ required: true, defaultValue: 100 }),
      },
      resolve: async ({ rowId: projectRowId }, { timeRange, prefix, first }, { caller }) => {
        if (!(first > 0 && first <= MAX_PATHS)) {
          throw new AppError('invalid_argument', `first must be between 1 and ${MAX_PATHS}.`);
        }
        return [
          ...(await aggregates(caller).listAttributePaths({
            projectRowId,
            ...toTimeBounds(timeRange),
            prefix,
            limit: first,
          })),
        ];
      },
    }),
  }));
}

const MAX_PATHS = 1000;

/** Reads what is asked for, and joins it with what is answered. */
async function answerFacets(
  caller: Caller,
  aggregates: ForCaller<Aggregates>,
  counted: CountedRows,
  asked: readonly FacetArguments[],
  count: (requests: readonly FacetRequest[]) => Promise<FacetAnswer>,
): Promise<FacetRows> {
  const { grain } = counted;
  const dimensions = readDimensions(
    asked.map(({ by }) => by),
    MAX_FACETS,
    grain,
  );
  const wanted = dimensions.flatMap((dimension, place) => {
    const request = asked[place];
    return request === undefined ? [] : [{ ...request, grain, dimension }];
  });
  const answer = await count(
    wanted.map(({ dimension, first, prefix, leaveOutOwnTerms }) => ({
      dimension,
      maxValues: first,
      prefix: prefix ?? null,
      leavesOutOwnTerms: leaveOutOwnTerms,
    })),
  );
  for (const [place, { dimension, prefix }] of wanted.entries()) {
    const isUnknown = (prefix ?? '') === '' && isMissingEverywhere(answer, answer.facets[place]);
    if (isUnknown) await assertKnown(caller, aggregates, counted, dimension);
  }
  const rows = answer.facets.flatMap((facet, place) => {
    const request = wanted[place];
    return request === undefined ? [] : [{ ...facet, by: request.by, grain, dimension: request.dimension }];
  });
  return { ...answer, facets: rows };
}

function addTypes(builder: Builder): void {
  builder.objectType('NumberBin', {
    access: aggregatePolicy.read,
    description:
      'Numbers from one edge, inclusive, to the next; below zero, the edge nearer to zero is the inclusive one.',
    fields: (t) => ({ from: t.exposeFloat('from'), to: t.exposeFloat('to'), count: t.exposeInt('count') }),
  });
  builder.objectType('FacetNumbers', {
    access: aggregatePolicy.read,
    fields: (t) => ({
      count: t.exposeInt('count'),
      min: t.exposeFloat('min'),
      max: t.exposeFloat('max'),
      bins: t.field({ type: ['NumberBin'], description: 'Ascending, without gaps.', resolve: ({ bins }) => [...bins] }),
    }),
  });
  builder.objectType('FacetValue', {
    access: aggregatePolicy.read,
    fields: (t) => ({
      value: t.field({
        type: 'JSON',
        description: 'A string, a number or a boolean.',
        resolve: presentValue,
      }),
      count: t.exposeInt('count', { description: 'Number of rows that have it: spans, traces or sessions.' }),
      filterCondition: t.string({
        description: 'The filter that matches them.',
        resolve: ({ grain, dimension, ...value }) => formatValueFilter(grain, dimension, value),
      }),
    }),
  });
  builder.objectType('Facet', {
    access: aggregatePolicy.read,
    fields: (t) => ({
      by: t.exposeString('by'),
      values: t.field({
        type: ['FacetValue'],
        description: 'The most frequent first; empty for an amount that all rows have, such as latency.',
        resolve: ({ values, grain, dimension }) => values.map((value) => ({ ...value, grain, dimension })),
      }),
      otherValueCount: t.exposeInt('otherValueCount', { description: 'Further values.' }),
      isCut: t.exposeBoolean('isCut', { description: 'Whether there were too many values to count each one.' }),
      missingCount: t.exposeInt('missingCount', { description: 'Rows without a value.' }),
      unlistedCount: t.exposeInt('unlistedCount', {
        description: 'Rows whose value is a list or too long for a facet, or one of too many values.',
      }),
      numbers: t.expose('numbers', { type: 'FacetNumbers', nullable: true }),
    }),
  });
  builder.objectType('Facets', {
    access: aggregatePolicy.read,
    fields: (t) => ({
      isPartial: t.exposeBoolean('isPartial', { description: PARTIAL_DESCRIPTION }),
      share: t.exposeFloat('share', { description: SHARE_DESCRIPTION }),
      facets: t.field({ type: ['Facet'], resolve: ({ facets }) => [...facets] }),
    }),
  });
}
