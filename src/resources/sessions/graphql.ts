import type { Builder } from '#api/graphql/builder';
import { addConnectionTypes } from '#api/graphql/connection-types';
import type { GraphqlContext } from '#api/graphql/context';
import type { Orders } from '#api/graphql/keyset';
import { toRowId } from '#api/graphql/nodes';
import { loadOrThrow, type RowLoader } from '#api/graphql/row-loader';
import type { SchemaKit } from '#api/graphql/schema';
import { toTimeBounds } from '#api/graphql/time-bounds';
import type { ForCaller } from '#domain/caller';
import type { Project } from '#domain/project';
import { AppError } from '#base/errors';
import type { SessionTableSort, SpanTableRow, TelemetryBrowser } from '#store/spans/browse-port';
import type { SessionRow, SpanStore } from '#store/spans/port';
import { addAnnotationKey, chooseSort } from '#api/graphql/annotation-order';
import {
  addFilteredPage,
  browseAnnotatedFiltered,
  browseFiltered,
  COUNT_MS,
  type FilteredPage,
} from '#api/graphql/filtered-page';
import { readFilter } from '../filters/operations.ts';
import type { SessionLoaders } from './loaders.ts';
import { MAX_FOUND_BY_PREFIX, toIdPrefix } from '../traces/operations.ts';
import { sessionPolicy } from './policy.ts';

declare module '#api/graphql/builder' {
  interface ObjectRows {
    ProjectSession: SessionRow;
    ProjectSessionConnection: FilteredPage<SessionRow>;
  }
}

/** What the resolvers of sessions work with. */
export interface SessionTypeParts {
  readonly spans: ForCaller<TelemetryBrowser & Pick<SpanStore, 'findSession'>>;
  readonly load: SessionLoaders & { readonly project: RowLoader<Project>; readonly span: RowLoader<SpanTableRow> };
}

const ORDERS: Orders<SessionTableSort, SessionRow> = {
  id: { type: null, valueOf: () => null },
  start_time: { type: 'DATETIME', valueOf: (row) => row.startTimeUs },
  end_time: { type: 'DATETIME', valueOf: (row) => row.endTimeUs },
  total_tokens: { type: 'INT', valueOf: (row) => row.promptTokenCount + row.completionTokenCount },
  trace_count: { type: 'INT', valueOf: (row) => row.traceCount },
  cost: { type: 'INT', valueOf: (row) => row.costNanoUsd },
};

/** A quantile reads the traces of its session. */
const QUANTILE_COST = 20;

/** Adds sessions, and the list of them that a project has. */
export function addSessionTypes({ builder, nodes }: SchemaKit, { spans, load }: SessionTypeParts): void {
  nodes.add('ProjectSession', load.session);
  addConnectionTypes(builder, 'ProjectSession', sessionPolicy.list);
  addFilteredPage(builder, 'ProjectSessionConnection');
  addSession(builder, { spans, load });
  addList(builder, spans);
  builder.queryField('getProjectSessionById', (t) =>
    t.field({
      type: 'ProjectSession',
      nullable: true,
      access: sessionPolicy.read,
      description: 'By the application’s own session id: the newest one of all projects or of one; null if unknown.',
      args: { sessionId: t.arg.string({ required: true }), projectId: t.arg.id() },
      resolve: (_root, { sessionId, projectId }, { caller }) =>
        spans(caller).findSession({ sessionId }, projectId == null ? undefined : toRowId('Project', projectId)),
    }),
  );
  builder.queryField('sessionsByIdPrefix', (t) =>
    t.field({
      type: ['ProjectSession'],
      access: sessionPolicy.read,
      cost: 10,
      description:
        'Sessions whose own id begins so, in the same case: at least four characters, at most five sessions.',
      args: { prefix: t.arg.string({ required: true }) },
      resolve: async (_root, { prefix }, { caller }) => [
        ...(await spans(caller).findSessionsByIdPrefix(toIdPrefix(prefix, false), MAX_FOUND_BY_PREFIX)),
      ],
    }),
  );
}

function addSession(builder: Builder, { load }: SessionTypeParts): void {
  builder.objectType('ProjectSession', {
    access: sessionPolicy.read,
    interfaces: ['Node'],
    fields: (t) => ({
      sessionId: t.exposeString('sessionId'),
      project: t.field({
        type: 'Project',
        resolve: ({ projectRowId }, _args, context) => loadOrThrow(load.project, context, projectRowId),
      }),
      startTime: t.expose('startTimeUs', { type: 'DateTime' }),
      endTime: t.expose('endTimeUs', { type: 'DateTime' }),
      numTraces: t.exposeInt('traceCount'),
      tokenUsage: t.field({ type: 'TokenUsage', resolve: (row) => row }),
      numTracesWithError: t.int({
        resolve: async ({ rowId }, _args, context) =>
          (await loadOrThrow(load.sessionSummary, context, rowId)).errorTraceCount,
      }),
      userId: t.string({
        nullable: true,
        resolve: async ({ rowId }, _args, context) => (await load.sessionSummary(context, rowId))?.userId,
      }),
      firstInput: t.field({
        type: 'SpanIOValue',
        nullable: true,
        resolve: async ({ rowId }, _args, context) => {
          const summary = await load.sessionSummary(context, rowId);
          return valueOf(load, context, summary?.firstInputSpanRowId, 'input');
        },
      }),
      lastOutput: t.field({
        type: 'SpanIOValue',
        nullable: true,
        resolve: async ({ rowId }, _args, context) => {
          const summary = await load.sessionSummary(context, rowId);
          return valueOf(load, context, summary?.lastOutputSpanRowId, 'output');
        },
      }),
      traceLatencyMsQuantile: t.float({
        nullable: true,
        cost: QUANTILE_COST,
        args: { probability: t.arg.float({ required: true }) },
        resolve: ({ rowId }, { probability }, context) => {
          if (probability >= 0 && probability <= 1) return load.sessionLatency(context, { rowId, probability });
          throw new AppError('invalid_argument', 'A probability is between 0 and 1.');
        },
      }),
    }),
  });
}

async function valueOf(
  load: SessionTypeParts['load'],
  context: GraphqlContext,
  spanRowId: number | null | undefined,
  which: 'input' | 'output',
) {
  const span = spanRowId == null ? undefined : await load.span(context, spanRowId);
  return span?.[which] == null ? null : { span, which };
}

function addList(builder: Builder, spans: ForCaller<TelemetryBrowser>): void {
  const sort = builder.inputType('ProjectSessionSort', {
    fields: (t) => ({
      col: t.field({
        type: builder.enumType('ProjectSessionColumn', {
          values: {
            startTime: { value: 'start_time' },
            endTime: { value: 'end_time' },
            tokenCountTotal: { value: 'total_tokens' },
            numTraces: { value: 'trace_count' },
            costTotal: { value: 'cost' },
          } as const,
        }),
      }),
      annoResultKey: t.field({
        type: addAnnotationKey(builder, { key: 'ProjectSessionAnnoResultKey', attribute: 'ProjectSessionAnnoAttr' }),
      }),
      dir: t.field({ type: 'SortDir', required: true }),
    }),
  });
  builder.objectField('Project', 'sessions', (t) =>
    t.field({
      type: 'ProjectSessionConnection',
      access: sessionPolicy.list,
      args: {
        first: t.arg.int({ required: true }),
        after: t.arg.string(),
        sort: t.arg({ type: sort }),
        timeRange: t.arg({ type: 'TimeRange' }),
        sessionFilterCondition: t.arg.string({ description: 'A filter in the filter language for sessions.' }),
      },
      resolve: ({ rowId: projectRowId }, { timeRange, sessionFilterCondition, ...args }, { caller }) => {
        const condition = readFilter('session', sessionFilterCondition);
        const scope = { projectRowId, ...toTimeBounds(timeRange), condition };
        const count = condition && (() => spans(caller).countSessions({ ...scope, condition }, COUNT_MS));
        const sorted = chooseSort<SessionTableSort>(
          args.sort == null ? { col: 'id', dir: 'asc' } : { ...args.sort, key: args.sort.annoResultKey },
        );
        return 'annotations' in sorted
          ? browseAnnotatedFiltered(
              sorted,
              args,
              (page) => spans(caller).browseSessionsByAnnotation(scope, page),
              count,
            )
          : browseFiltered(ORDERS, sorted, args, (page) => spans(caller).browseSessions(scope, page), count);
      },
    }),
  );
}
