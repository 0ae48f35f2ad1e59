/** Counts, sums and percentiles of projects: of a range, and of what matches a filter. */
import type { Builder } from '#api/graphql/builder';
import type { GraphqlContext } from '#api/graphql/context';
import { toTimeBounds } from '#api/graphql/time-bounds';
import { AppError } from '#base/errors';
import type { Caller, ForCaller } from '#domain/caller';
import type { Measure } from '#store/aggregates/port';
import type { TokenSums } from '#store/projects/sums-port';
import type { SpanCount, SpanScope, TelemetryBrowser } from '#store/spans/browse-port';
import { checkShare, type SpanArguments, toSpanQuestion } from '../../aggregates/operations/questions.ts';
import { COUNTED_MEASURES, NO_SUMS, toCountedSums } from '../../costs/operations.ts';
import { summarizeSums } from '../../costs/present.ts';
import { readFilter } from '../../filters/operations.ts';
import type { ProjectLoaders, SumKey } from '../loaders.ts';

/** What sums are read from. */
export interface ProjectSumParts {
  readonly spans: ForCaller<Pick<TelemetryBrowser, 'countSpans' | 'countSessions'>>;
}

type SumArguments = SpanArguments;

/** Sums read part of an index for each project. */
const SUM_COST = 20;

/** Adds them. What is in a range is what started in it. */
export function addProjectSums(builder: Builder, { spans }: ProjectSumParts, load: ProjectLoaders): void {
  builder.objectFields('Project', (t) => {
    const timeRange = t.arg({ type: 'TimeRange' });
    const probability = t.arg.float({ required: true });
    const filtered = (what: string) => ({
      timeRange,
      filterCondition: t.arg.string({ description: `A filter in the filter language for spans: ${what}.` }),
    });
    const filteredAll = (what: string) => ({
      ...filtered(what),
      sessionFilterCondition: t.arg.string({
        description:
          'A filter in the filter language for sessions: only those that match. Cannot be combined with `filterCondition`.',
      }),
    });
    const tokens = (pick: (sums: TokenSums) => number) =>
      t.float({
        cost: SUM_COST,
        args: filtered('only those that match'),
        resolve: async ({ rowId }, args, context) => pick(await sumTokens(load, context, rowId, args)),
      });
    return {
      recordCount: t.int({
        cost: SUM_COST,
        description: 'Number of spans.',
        args: filteredAll('only those that match'),
        resolve: async ({ rowId }, args, context) => {
          const { condition, sessionCondition, traceCondition: _, ...scope } = toSpanQuestion(rowId, args);
          if (sessionCondition !== undefined)
            return (await readSpans(load, context, rowId, args, [SPAN_COUNT]))[0] ?? 0;
          if (condition === null) return (await load.spanCount(context, toKey(rowId, args))) ?? 0;
          return countMatches(context.caller, spans, { ...scope, rootsOnly: false, condition });
        },
      }),
      traceCount: t.int({
        cost: SUM_COST,
        args: filteredAll('only traces that contain a matching span'),
        resolve: async ({ rowId }, args, context) => {
          if (!hasFilter(args)) return (await load.traceSums(context, toKey(rowId, args)))?.traceCount ?? 0;
          return (await readTraces(load, context, rowId, args, [])).counts[0] ?? 0;
        },
      }),
      sessionCount: t.int({
        cost: SUM_COST,
        args: {
          timeRange,
          sessionFilterCondition: t.arg.string({
            description: 'A filter in the filter language for sessions: only those that match.',
          }),
        },
        resolve: async ({ rowId }, { timeRange: range, sessionFilterCondition }, context) => {
          const condition = readFilter('session', sessionFilterCondition);
          if (condition === undefined) return (await load.sessionCount(context, { rowId, timeRange: range })) ?? 0;
          const scope = { projectRowId: rowId, condition, ...toTimeBounds(range) };
          return wholeCount(await spans(context.caller).countSessions(scope, COUNT_MS), 'sessions');
        },
      }),
      tokenCountPrompt: tokens(({ promptTokenCount }) => promptTokenCount),
      tokenCountCompletion: tokens(({ completionTokenCount }) => completionTokenCount),
      tokenCountTotal: tokens(({ promptTokenCount, completionTokenCount }) => promptTokenCount + completionTokenCount),
      costSummary: t.field({
        type: 'SpanCostSummary',
        cost: SUM_COST,
        description: 'Sum of the counted calls: a wrapper that repeats its children adds nothing.',
        args: filteredAll('only those that match'),
        resolve: async ({ rowId }, args, context) => summarizeSums(await sumTokens(load, context, rowId, args)),
      }),
      latencyMsQuantile: t.float({
        cost: SUM_COST,
        nullable: true,
        description: 'Over all traces.',
        args: { probability, ...filteredAll('only traces that contain a matching span') },
        resolve: async ({ rowId }, { probability: share, ...args }, context) => {
          const key = { ...toKey(rowId, args), probability: checkShare(share) };
          if (!hasFilter(args)) return toMilliseconds(await load.traceLatency(context, key));
          const { latenciesUs } = await readTraces(load, context, rowId, args, [key.probability]);
          return toMilliseconds(latenciesUs[0]?.[0]);
        },
      }),
      spanLatencyMsQuantile: t.float({
        cost: SUM_COST,
        nullable: true,
        args: { probability, ...filteredAll('only those that match') },
        resolve: async ({ rowId }, { probability: share, ...args }, context) => {
          const measure: Measure = { kind: 'latency', probability: checkShare(share) };
          const isOfAll = !hasFilter(args) && args.timeRange?.start == null && args.timeRange?.end == null;
          if (isOfAll) return toMilliseconds(await load.spanLatency(context, { rowId, probability: share }));
          const [latencyUs] = await readSpans(load, context, rowId, args, [measure]);
          return toMilliseconds(latencyUs);
        },
      }),
    };
  });
}

function hasFilter({ filterCondition, sessionFilterCondition }: SumArguments): boolean {
  return [readFilter('span', filterCondition), readFilter('session', sessionFilterCondition)].some(Boolean);
}

function toKey(rowId: number, { timeRange }: SumArguments): SumKey {
  return { rowId, timeRange };
}

function toMilliseconds(microseconds: number | undefined): number | null {
  return microseconds === undefined || Number.isNaN(microseconds) ? null : microseconds / 1000;
}

function readTraces(
  load: ProjectLoaders,
  context: GraphqlContext,
  rowId: number,
  args: SumArguments,
  probabilities: readonly number[],
): ReturnType<ProjectLoaders['filteredTraces']> {
  return load.filteredTraces(context, {
    ...toSpanQuestion(rowId, args),
    bucket: null,
    probabilities,
    hasTokenDetails: false,
  });
}

/** The measures of the spans as a whole. */
async function readSpans(
  load: ProjectLoaders,
  context: GraphqlContext,
  rowId: number,
  args: SumArguments,
  measures: readonly Measure[],
): Promise<readonly number[]> {
  const question = { ...toSpanQuestion(rowId, args), bucket: null, groupBy: [], maxGroups: 1, measures };
  const { groups } = await load.filteredSpans(context, question);
  return (groups[0]?.values ?? []).map((values) => values[0] ?? Number.NaN);
}

/** Without a filter those of the traces that started in the range. */
async function sumTokens(
  load: ProjectLoaders,
  context: GraphqlContext,
  rowId: number,
  args: SumArguments,
): Promise<TokenSums> {
  if (!hasFilter(args)) return (await load.traceSums(context, toKey(rowId, args))) ?? NO_SUMS;
  return toCountedSums(await readSpans(load, context, rowId, args, COUNTED_MEASURES));
}

/** @throws AppError `deadline_exceeded` where time does not suffice for all: a number without more cannot say so */
async function countMatches(caller: Caller, spans: ProjectSumParts['spans'], scope: SpanScope): Promise<number> {
  return wholeCount(await spans(caller).countSpans(scope, COUNT_MS), 'spans');
}

function wholeCount({ count, isExact }: SpanCount, what: string): number {
  if (isExact) return count;
  throw new AppError(
    'deadline_exceeded',
    `Counting these ${what} takes too long: narrow the time range or the filter.`,
  );
}

const SPAN_COUNT: Measure = { kind: 'count', status: null };

/** How long matches are counted, in milliseconds. */
const COUNT_MS = 10_000;
