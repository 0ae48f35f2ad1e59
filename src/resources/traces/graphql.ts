import type { Builder } from '#api/graphql/builder';
import type { GraphqlContext } from '#api/graphql/context';
import { addConnectionTypes } from '#api/graphql/connection-types';
import { browse, type Orders } from '#api/graphql/keyset';
import { loadOrThrow, type RowLoader } from '#api/graphql/row-loader';
import type { SchemaKit } from '#api/graphql/schema';
import { toTimeBounds } from '#api/graphql/time-bounds';
import type { ForCaller } from '#domain/caller';
import type { Project } from '#domain/project';
import { AppError } from '#base/errors';
import { formatGlobalId } from '#base/global-id';
import type { SpanKind } from '#domain/span';
import { CONTENT_PARTS } from '#domain/span-contents';
import type {
  LinkedTraces,
  SkeletonPage,
  SkeletonPosition,
  SpanTableRow,
  TelemetryBrowser,
  TraceTableSort,
} from '#store/spans/browse-port';
import type { SessionRow, TraceRow } from '#store/spans/port';
import { addAnnotationKey, chooseSort } from '#api/graphql/annotation-order';
import {
  addFilteredPage,
  browseAnnotatedFiltered,
  browseFiltered,
  COUNT_MS,
  type FilteredPage,
} from '#api/graphql/filtered-page';
import { readFilter } from '../filters/operations.ts';
import type { TypeServices } from '../slice.ts';
import { addDamagedSpans } from './graphql/damaged-spans.ts';
import { addErrorsByType } from './graphql/errors-by-type.ts';
import type { TraceLoaders } from './loaders.ts';
import { MAX_FOUND_BY_PREFIX, toIdPrefix, toOtelId } from './operations.ts';
import { tracePolicy } from './policy.ts';

declare module '#api/graphql/builder' {
  interface ObjectRows {
    Trace: TraceRow;
    TraceConnection: FilteredPage<TraceRow>;
    SpanKindCount: readonly [kind: SpanKind, count: number];
    TokenUsage: Pick<TraceRow, 'promptTokenCount' | 'completionTokenCount'>;
    TraceSkeleton: SkeletonPage;
    TraceDigests: SkeletonPage;
  }
}

/** What the resolvers of traces work with. */
export interface TraceTypeParts {
  readonly spans: ForCaller<TelemetryBrowser>;
  readonly load: TraceLoaders & {
    readonly project: RowLoader<Project>;
    readonly session: RowLoader<SessionRow>;
    readonly span: RowLoader<SpanTableRow>;
    readonly spanPart: TypeServices['load']['spanPart'];
  };
}

const ORDERS: Orders<TraceTableSort, TraceRow> = {
  start_time: { type: 'DATETIME', valueOf: (row) => row.startTimeUs },
  latency: { type: 'FLOAT', valueOf: (row) => row.endTimeUs - row.startTimeUs },
  total_tokens: { type: 'INT', valueOf: (row) => row.promptTokenCount + row.completionTokenCount },
  cost: { type: 'INT', valueOf: (row) => row.costNanoUsd },
};

/** Adds traces, and the lists of them that projects and sessions have. */
export function addTraceTypes({ builder, nodes }: SchemaKit, { spans, load }: TraceTypeParts): void {
  nodes.add('Trace', load.trace);
  addConnectionTypes(builder, 'Trace', tracePolicy.list);
  addFilteredPage(builder, 'TraceConnection');
  addTrace(builder, load);
  addSkeleton(builder, spans);
  addDigests(builder, spans);
  addDamagedSpans(builder, spans);
  addParts(builder);
  addLists(builder, spans);
  addErrorsByType(builder, spans, load);
  builder.queryField('getTraceByOtelId', (t) =>
    t.field({
      type: 'Trace',
      nullable: true,
      access: tracePolicy.read,
      args: { traceId: t.arg.string({ required: true }) },
      resolve: (_root, { traceId }, { caller }) => spans(caller).findTraceByOtelId(toOtelId('trace', traceId)),
    }),
  );
  builder.queryField('tracesByIdPrefix', (t) =>
    t.field({
      type: ['Trace'],
      access: tracePolicy.read,
      cost: 10,
      description: 'Traces whose id begins so: at least four characters, at most five traces.',
      args: { prefix: t.arg.string({ required: true }) },
      resolve: async (_root, { prefix }, { caller }) => [
        ...(await spans(caller).findTracesByIdPrefix(toIdPrefix(prefix, true), MAX_FOUND_BY_PREFIX)),
      ],
    }),
  );
}

function addTrace(builder: Builder, load: TraceTypeParts['load']): void {
  builder.objectType('Trace', {
    access: tracePolicy.read,
    interfaces: ['Node'],
    fields: (t) => ({
      traceId: t.exposeID('traceId'),
      projectId: t.id({ resolve: ({ projectRowId }) => formatGlobalId('Project', projectRowId) }),
      project: t.field({
        type: 'Project',
        resolve: ({ projectRowId }, _args, context) => loadOrThrow(load.project, context, projectRowId),
      }),
      startTime: t.expose('startTimeUs', { type: 'DateTime' }),
      endTime: t.expose('endTimeUs', { type: 'DateTime' }),
      latencyMs: t.float({
        nullable: true,
        resolve: ({ startTimeUs, endTimeUs }) => (endTimeUs - startTimeUs) / 1000,
      }),
      projectSessionId: t.id({
        nullable: true,
        resolve: ({ sessionRowId }) => (sessionRowId === null ? null : formatGlobalId('ProjectSession', sessionRowId)),
      }),
      session: t.field({
        type: 'ProjectSession',
        nullable: true,
        resolve: ({ sessionRowId }, _args, context) =>
          sessionRowId === null ? null : load.session(context, sessionRowId),
      }),
      rootSpan: t.field({
        type: 'Span',
        nullable: true,
        description: 'The earliest span whose parent is not stored; null if every span has a stored parent.',
        resolve: ({ rootSpanRowId }, _args, context) =>
          rootSpanRowId === null ? null : load.span(context, rootSpanRowId),
      }),
      linksTo: t.field({
        type: ['Trace'],
        description: 'Other traces that this trace’s spans link to, at most 20.',
        resolve: ({ rowId }, _args, context) => loadLinked(load, context, rowId, 'to'),
      }),
      linkedFrom: t.field({
        type: ['Trace'],
        description: 'Other traces whose spans link to this trace, at most 20.',
        resolve: ({ rowId }, _args, context) => loadLinked(load, context, rowId, 'from'),
      }),
      userId: t.string({ nullable: true, resolve: ({ rowId }, _args, context) => load.traceUser(context, rowId) }),
      numSpans: t.exposeInt('spanCount'),
      errorCount: t.exposeInt('errorCount'),
      spanCountsByKind: t.field({
        type: ['SpanKindCount'],
        resolve: async ({ rowId }, _args, context) => [...((await load.spanCountsByKind(context, rowId)) ?? [])],
      }),
      tokenUsage: t.field({
        type: 'TokenUsage',
        description: 'Counted tokens: a wrapper that repeats its children adds nothing.',
        resolve: (row) => row,
      }),
    }),
  });
}

/** Traces that are deleted between the two reads are left out. */
async function loadLinked(
  load: TraceLoaders,
  context: GraphqlContext,
  rowId: number,
  direction: keyof LinkedTraces,
): Promise<TraceRow[]> {
  const rowIds = (await load.linkedTraces(context, rowId))?.[direction] ?? [];
  const traces = await Promise.all(rowIds.map((linked) => load.trace(context, linked)));
  return traces.filter((trace) => trace !== undefined);
}

/** Most spans in one skeleton; its text is some 10 MB then. */
const MAX_SKELETON_SPANS = 50_000;

/** As much as a hundred rows of a list. */
const SKELETON_COST = 100;

function addSkeleton(builder: Builder, spans: ForCaller<TelemetryBrowser>): void {
  builder.objectType('TraceSkeleton', {
    access: tracePolicy.read,
    description: 'The data of a trace’s spans that a tree needs, many spans in one response.',
    fields: (t) => ({
      columns: t.exposeString('columns', {
        description:
          'JSON: an object of lists with one entry for each span, earliest start first: rowIds, spanIds, parentIds, names, kinds and statusCodes (places in kindNames and statusNames), startTimesUs, endTimesUs, tokenCounts, countedPromptTokens, countedCompletionTokens, costsNanoUsd, modelNames.',
      }),
      endCursor: t.string({ nullable: true, description: CURSOR_DESCRIPTION, resolve: ({ next }) => toCursor(next) }),
    }),
  });
  builder.objectField('Trace', 'skeleton', (t) =>
    t.field({
      type: 'TraceSkeleton',
      cost: SKELETON_COST,
      args: { limit: t.arg.int({ required: true }), after: t.arg.string() },
      resolve: ({ rowId }, { limit, after }, { caller }) => {
        assertLimit(limit, MAX_SKELETON_SPANS);
        return spans(caller).readTraceSkeleton(rowId, { limit, after: after == null ? null : parsePosition(after) });
      },
    }),
  );
}

/** Most spans in one response with digests: the original of each is opened. */
const MAX_DIGEST_SPANS = 2000;

function addDigests(builder: Builder, spans: ForCaller<TelemetryBrowser>): void {
  builder.objectType('TraceDigests', {
    access: tracePolicy.read,
    description: 'Digests of what a trace’s spans hold, for comparing two traces without reading all of it.',
    fields: (t) => ({
      columns: t.exposeString('columns', {
        description: `JSON: an object of lists with one entry for each span: rowIds and ${CONTENT_PARTS.join(', ')}. Two spans hold the same in a part if its digests are equal; null stands for nothing. Ids that providers make up for each call do not count.`,
      }),
      endCursor: t.string({ nullable: true, description: CURSOR_DESCRIPTION, resolve: ({ next }) => toCursor(next) }),
    }),
  });
  builder.objectField('Trace', 'digests', (t) =>
    t.field({
      type: 'TraceDigests',
      cost: MAX_DIGEST_SPANS,
      description: 'Spans with the earliest start first; a page that takes long ends early.',
      args: { limit: t.arg.int({ required: true }), after: t.arg.string() },
      resolve: ({ rowId }, { limit, after }, { caller }) => {
        assertLimit(limit, MAX_DIGEST_SPANS);
        return spans(caller).readTraceDigests(rowId, { limit, after: after == null ? null : parsePosition(after) });
      },
    }),
  );
}

const CURSOR_DESCRIPTION = 'Cursor of the next page; null at the end.';

function assertLimit(limit: number, most: number): void {
  if (limit < 1 || limit > most) throw new AppError('invalid_argument', `limit must be between 1 and ${most}.`);
}

function toCursor(next: SkeletonPosition | null): string | null {
  return next === null ? null : `${next.startTimeUs}:${next.rowId}`;
}

function parsePosition(cursor: string): SkeletonPosition {
  const match = /^(-?\d{1,16}):(\d{1,16})$/.exec(cursor);
  if (match === null) throw new AppError('invalid_argument', 'Invalid cursor: use the endCursor of the page before.');
  return { startTimeUs: Number(match[1]), rowId: Number(match[2]) };
}

function addParts(builder: Builder): void {
  builder.objectType('SpanKindCount', {
    access: tracePolicy.read,
    fields: (t) => ({
      spanKind: t.field({ type: 'SpanKind', resolve: ([kind]) => kind }),
      count: t.int({ resolve: ([, count]) => count }),
    }),
  });
  builder.objectType('TokenUsage', {
    access: tracePolicy.read,
    fields: (t) => ({
      prompt: t.exposeFloat('promptTokenCount'),
      completion: t.exposeFloat('completionTokenCount'),
      total: t.float({ resolve: (usage) => usage.promptTokenCount + usage.completionTokenCount }),
    }),
  });
}

function addLists(builder: Builder, spans: ForCaller<TelemetryBrowser>): void {
  const sort = builder.inputType('TraceSort', {
    fields: (t) => ({
      col: t.field({
        type: builder.enumType('TraceColumn', {
          values: {
            startTime: { value: 'start_time' },
            latencyMs: { value: 'latency' },
            tokenCountTotal: { value: 'total_tokens' },
            costTotal: { value: 'cost' },
          } as const,
        }),
      }),
      annoResultKey: t.field({
        type: addAnnotationKey(builder, { key: 'TraceAnnoResultKey', attribute: 'TraceAnnoAttr' }),
      }),
      dir: t.field({ type: 'SortDir', required: true }),
    }),
  });
  builder.objectFields('Project', (t) => ({
    traces: t.field({
      type: 'TraceConnection',
      access: tracePolicy.list,
      args: {
        first: t.arg.int({ required: true }),
        after: t.arg.string(),
        sort: t.arg({ type: sort }),
        timeRange: t.arg({ type: 'TimeRange' }),
        traceFilterCondition: t.arg.string({ description: 'A filter in the filter language for traces.' }),
      },
      resolve: ({ rowId: projectRowId }, { timeRange, traceFilterCondition, ...args }, { caller }) => {
        const condition = readFilter('trace', traceFilterCondition);
        const scope = { projectRowId, ...toTimeBounds(timeRange), condition };
        const count = condition && (() => spans(caller).countTraces({ ...scope, condition }, COUNT_MS));
        const sorted = chooseSort<TraceTableSort>(
          args.sort == null ? { col: 'start_time', dir: 'desc' } : { ...args.sort, key: args.sort.annoResultKey },
        );
        return 'annotations' in sorted
          ? browseAnnotatedFiltered(sorted, args, (page) => spans(caller).browseTracesByAnnotation(scope, page), count)
          : browseFiltered(ORDERS, sorted, args, (page) => spans(caller).browseTraces(scope, page), count);
      },
    }),
    trace: t.field({
      type: 'Trace',
      nullable: true,
      access: tracePolicy.read,
      description: 'By hexadecimal trace id, within the project.',
      args: { traceId: t.arg.id({ required: true }) },
      resolve: async ({ rowId }, { traceId }, { caller }) => {
        const trace = await spans(caller).findTraceByOtelId(toOtelId('trace', traceId));
        return trace?.projectRowId === rowId ? trace : undefined;
      },
    }),
  }));
  builder.objectField('ProjectSession', 'traces', (t) =>
    t.field({
      type: 'TraceConnection',
      access: tracePolicy.list,
      description: 'Earliest start first.',
      args: {
        first: t.arg.int({ required: true }),
        last: t.arg.int(),
        after: t.arg.string(),
        before: t.arg.string(),
      },
      resolve: ({ rowId: sessionRowId }, args, { caller }) =>
        browse(ORDERS, { col: 'start_time', dir: 'asc' }, args, (page) =>
          spans(caller).browseTraces({ sessionRowId }, page),
        ),
    }),
  );
}
