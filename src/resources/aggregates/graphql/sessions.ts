/** How long sessions last, and what lies between their turns. */
import type { Builder, TimeRange } from '#api/graphql/builder';
import { toTimeBounds } from '#api/graphql/time-bounds';
import type { Condition } from '#filter/tree';
import type { SessionLengths, SessionQuestion, TurnGaps } from '#store/aggregates/port';
import { readFilter } from '../../filters/operations.ts';
import type { AggregateLoaders } from '../loaders.ts';
import { checkShare } from '../operations/questions.ts';
import { aggregatePolicy } from '../policy.ts';
import { SESSION_COST, SESSION_FILTER_DESCRIPTION } from './arguments.ts';

declare module '#api/graphql/builder' {
  interface ObjectRows {
    TimeBetweenTurns: TurnGaps;
  }
}

/** Adds them to projects and sessions. */
export function addSessionNumbers(builder: Builder, load: AggregateLoaders): void {
  builder.objectFields('Project', (t) => {
    const args = {
      timeRange: t.arg({ type: 'TimeRange' }),
      sessionFilterCondition: t.arg.string({ description: SESSION_FILTER_DESCRIPTION }),
    };
    const average = (pick: (lengths: SessionLengths) => number) =>
      t.float({
        nullable: true,
        access: aggregatePolicy.read,
        cost: SESSION_COST,
        description: 'For the sessions that overlap the range; null if there are none.',
        args,
        resolve: async ({ rowId }, { timeRange, sessionFilterCondition }, context) => {
          const condition = readFilter('session', sessionFilterCondition);
          if (condition === undefined) {
            const lengths = await load.sessionLengths(context, { rowId, timeRange });
            return lengths && pick(lengths);
          }
          const question = toQuestion(rowId, timeRange, condition, []);
          const { counts, totalDurationUs, traceCounts } = await load.wholeSessions(context, question);
          const [count = 0, durationUs = 0, traceCount = 0] = [counts[0], totalDurationUs[0], traceCounts[0]];
          return count === 0 ? null : pick({ averageUs: durationUs / count, averageTraceCount: traceCount / count });
        },
      });
    return {
      averageSessionDurationMs: average(({ averageUs }) => averageUs / 1000),
      averageTracesPerSession: average(({ averageTraceCount }) => averageTraceCount),
      sessionDurationMsQuantile: t.float({
        nullable: true,
        access: aggregatePolicy.read,
        cost: SESSION_COST,
        args: { probability: t.arg.float({ required: true }), ...args },
        resolve: async ({ rowId }, { probability, timeRange, sessionFilterCondition }, context) => {
          const condition = readFilter('session', sessionFilterCondition);
          const share = checkShare(probability);
          if (condition === undefined) {
            const durationUs = await load.sessionQuantile(context, { rowId, timeRange, probability: share });
            return durationUs && durationUs / 1000;
          }
          const { durationsUs } = await load.wholeSessions(context, toQuestion(rowId, timeRange, condition, [share]));
          const durationUs = durationsUs[0]?.[0] ?? Number.NaN;
          return Number.isNaN(durationUs) ? null : durationUs / 1000;
        },
      }),
    };
  });
  builder.objectType('TimeBetweenTurns', {
    access: aggregatePolicy.read,
    description:
      'From the end of all earlier traces to the start of the next one, in milliseconds; 0 where they overlap.',
    fields: (t) => ({
      averageMs: t.float({ resolve: ({ averageUs }) => averageUs / 1000 }),
      medianMs: t.float({ resolve: ({ medianUs }) => medianUs / 1000 }),
      longestMs: t.float({ resolve: ({ longestUs }) => longestUs / 1000 }),
    }),
  });
  builder.objectField('ProjectSession', 'timeBetweenTurns', (t) =>
    t.field({
      type: 'TimeBetweenTurns',
      nullable: true,
      access: aggregatePolicy.read,
      description: 'Null for a session of one trace.',
      resolve: ({ rowId }, _args, context) => load.turnGaps(context, rowId),
    }),
  );
}

/** Of the sessions that match, as a whole. */
function toQuestion(
  projectRowId: number,
  timeRange: TimeRange | null | undefined,
  condition: Condition,
  probabilities: readonly number[],
): SessionQuestion {
  return { projectRowId, ...toTimeBounds(timeRange), condition, bucket: null, probabilities };
}
