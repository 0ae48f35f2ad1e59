/** What the traces or sessions of a range come to as a whole: the line of figures above their tables. */
import type { Builder } from '#api/graphql/builder';
import { toTimeBounds } from '#api/graphql/time-bounds';
import type { ForCaller } from '#domain/caller';
import type { Aggregates, Coverage } from '#store/aggregates/port';
import { readFilter } from '../../filters/operations.ts';
import { toSpanQuestion } from '../operations/questions.ts';
import { aggregatePolicy } from '../policy.ts';
import {
  CHART_COST,
  PARTIAL_DESCRIPTION,
  SESSION_FILTER_DESCRIPTION,
  SHARE_DESCRIPTION,
  TRACE_FILTER_DESCRIPTION,
} from './arguments.ts';

declare module '#api/graphql/builder' {
  interface ObjectRows {
    Totals: TotalsRow;
  }
}

/** Latencies in microseconds, NaN without rows; cost in US dollars. */
interface TotalsRow extends Coverage {
  readonly count: number;
  readonly errorCount: number;
  readonly latencyP50: number;
  readonly latencyP95: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cost: number;
}

/** Adds them to projects. Those of spans are measures of `aggregate`. */
export function addTotals(builder: Builder, aggregates: ForCaller<Aggregates>): void {
  addType(builder);
  builder.objectFields('Project', (t) => {
    const timeRange = t.arg({ type: 'TimeRange' });
    return {
      traceTotals: t.field({
        type: 'Totals',
        access: aggregatePolicy.read,
        cost: CHART_COST,
        description: 'Of the traces that started in the range and match, as a whole.',
        args: {
          timeRange,
          filterCondition: t.arg.string({
            description: 'A filter in the filter language for spans: only traces that contain a matching span.',
          }),
          traceFilterCondition: t.arg.string({ description: TRACE_FILTER_DESCRIPTION }),
        },
        resolve: async ({ rowId }, asked, { caller }) => {
          const answer = await aggregates(caller).aggregateTraces({
            ...toSpanQuestion(rowId, asked),
            bucket: null,
            probabilities: PERCENTILES,
            hasTokenDetails: false,
          });
          return toTotals({ ...answer, cost: answer.cost.total });
        },
      }),
      sessionTotals: t.field({
        type: 'Totals',
        access: aggregatePolicy.read,
        cost: CHART_COST,
        description:
          'Of the sessions that overlap the range and match, as a whole; a latency is the duration of a session.',
        args: { timeRange, sessionFilterCondition: t.arg.string({ description: SESSION_FILTER_DESCRIPTION }) },
        resolve: async ({ rowId: projectRowId }, { timeRange: range, sessionFilterCondition }, { caller }) => {
          const answer = await aggregates(caller).aggregateSessions({
            projectRowId,
            ...toTimeBounds(range),
            condition: readFilter('session', sessionFilterCondition) ?? null,
            bucket: null,
            probabilities: PERCENTILES,
          });
          return toTotals({ ...answer, latenciesUs: answer.durationsUs });
        },
      }),
    };
  });
}

const PERCENTILES = [0.5, 0.95];

/** Answers in one bucket. */
interface WholeAnswer extends Coverage {
  readonly counts: Float64Array;
  readonly errorCounts: Float64Array;
  /** For each of {@link PERCENTILES}. */
  readonly latenciesUs: readonly Float64Array[];
  readonly promptTokens: Float64Array;
  readonly completionTokens: Float64Array;
  readonly cost: Float64Array;
}

function toTotals({ counts, errorCounts, latenciesUs, isPartial, share, ...sums }: WholeAnswer): TotalsRow {
  return {
    count: counts[0] ?? 0,
    errorCount: errorCounts[0] ?? 0,
    latencyP50: latenciesUs[0]?.[0] ?? Number.NaN,
    latencyP95: latenciesUs[1]?.[0] ?? Number.NaN,
    promptTokens: sums.promptTokens[0] ?? 0,
    completionTokens: sums.completionTokens[0] ?? 0,
    cost: sums.cost[0] ?? 0,
    isPartial,
    share,
  };
}

function addType(builder: Builder): void {
  builder.objectType('Totals', {
    access: aggregatePolicy.read,
    fields: (t) => {
      const latency = (pick: (row: TotalsRow) => number) =>
        t.float({
          nullable: true,
          description: 'Exact; null without rows.',
          resolve: (row) => (Number.isNaN(pick(row)) ? null : pick(row) / 1000),
        });
      return {
        isPartial: t.exposeBoolean('isPartial', { description: PARTIAL_DESCRIPTION }),
        share: t.exposeFloat('share', { description: SHARE_DESCRIPTION }),
        count: t.exposeInt('count'),
        errorCount: t.exposeInt('errorCount', { description: 'Those with a failed span.' }),
        latencyMsP50: latency(({ latencyP50 }) => latencyP50),
        latencyMsP95: latency(({ latencyP95 }) => latencyP95),
        promptTokens: t.exposeFloat('promptTokens', { description: 'Counted tokens.' }),
        completionTokens: t.exposeFloat('completionTokens', { description: 'Counted tokens.' }),
        cost: t.exposeFloat('cost', { description: 'Counted cost in US dollars.' }),
      };
    },
  });
}
