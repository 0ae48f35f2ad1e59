/** The users whom the spans of a project name, with what the traces of each come to. */
import type { Builder } from '#api/graphql/builder';
import { type Connection, offsetWindow, toOffsetConnection } from '#api/graphql/connection';
import { toTimeBounds } from '#api/graphql/time-bounds';
import { AppError } from '#base/errors';
import type { ForCaller } from '#domain/caller';
import type { Aggregates, Coverage, UserFigure, UserRow } from '#store/aggregates/port';
import { aggregatePolicy } from '../policy.ts';
import { CHART_COST, PARTIAL_DESCRIPTION, SHARE_DESCRIPTION } from './arguments.ts';

declare module '#api/graphql/builder' {
  interface ObjectRows {
    ProjectUser: UserRow;
    ProjectUserEdge: Connection<UserRow>['edges'][number];
    ProjectUserConnection: Connection<UserRow> & Coverage & { readonly total: number };
  }
  interface EnumValues {
    ProjectUserColumn: UserFigure;
  }
}

/** Adds them to projects. */
export function addUsers(builder: Builder, aggregates: ForCaller<Aggregates>): void {
  addTypes(builder);
  const sort = builder.inputType('ProjectUserSort', {
    fields: (t) => ({
      col: t.field({
        type: builder.enumType('ProjectUserColumn', {
          values: {
            sessionCount: { value: 'sessions' },
            traceCount: { value: 'count' },
            errorRate: { value: 'error_rate' },
            latencyMsP50: { value: 'latency_p50' },
            latencyMsP95: { value: 'latency_p95' },
            tokenCountTotal: { value: 'tokens' },
            costTotal: { value: 'cost' },
            firstStartTime: { value: 'first_start' },
            lastStartTime: { value: 'last_start' },
          } as const,
        }),
        required: true,
      }),
      dir: t.field({ type: 'SortDir', required: true }),
    }),
  });
  builder.objectField('Project', 'users', (t) =>
    t.field({
      type: 'ProjectUserConnection',
      access: aggregatePolicy.read,
      cost: CHART_COST,
      description:
        'The users of the application, by the attribute user.id. A trace that started in the range belongs to each user whom any of its spans names.',
      args: {
        timeRange: t.arg({ type: 'TimeRange' }),
        search: t.arg.string({ description: 'Only users whose id contains it, whatever the case.' }),
        sort: t.arg({ type: sort, description: 'Those with the most traces first if omitted.' }),
        first: t.arg.int({ required: true, defaultValue: 100 }),
        after: t.arg.string(),
      },
      resolve: async ({ rowId: projectRowId }, { timeRange, search, sort: order, first, after }, { caller }) => {
        // How many there are is known with the answer.
        const window = offsetWindow({ first, after }, Number.MAX_SAFE_INTEGER);
        const { users, total, ...coverage } = await aggregates(caller).listUsers({
          projectRowId,
          ...toTimeBounds(timeRange),
          ...window,
          search: readSearch(search),
          order: { by: order?.col ?? 'count', direction: order?.dir ?? 'desc' },
        });
        return { ...toOffsetConnection(users, window, total), ...coverage, total };
      },
    }),
  );
}

function readSearch(search: string | null | undefined): string {
  if (search == null || search.length <= MAX_SEARCH_LENGTH) return search ?? '';
  throw new AppError('invalid_argument', `Search for at most ${MAX_SEARCH_LENGTH} characters of a user id.`);
}

/** As long as rows hold ids. */
const MAX_SEARCH_LENGTH = 1024;

function addTypes(builder: Builder): void {
  builder.objectType('ProjectUser', {
    access: aggregatePolicy.read,
    description: 'A user of the application, with figures of the traces in which any span names the user.',
    fields: (t) => {
      const latency = (figure: 'latency_p50' | 'latency_p95') =>
        t.float({ description: 'Exact.', resolve: (user) => user[figure] / 1000 });
      return {
        userId: t.exposeString('userId', {
          description: 'As spans name the user; beyond 1,024 characters cut, with a digest at the end.',
        }),
        sessionCount: t.exposeInt('sessions', { description: 'Sessions that the traces belong to.' }),
        traceCount: t.exposeInt('count'),
        errorRate: t.exposeFloat('error_rate', { description: 'Share of traces with a failed span.' }),
        latencyMsP50: latency('latency_p50'),
        latencyMsP95: latency('latency_p95'),
        tokenCountTotal: t.exposeFloat('tokens', { description: 'Counted tokens.' }),
        costTotal: t.exposeFloat('cost', { description: 'Counted cost in US dollars.' }),
        firstStartTime: t.expose('first_start', { type: 'DateTime', description: 'When the oldest trace started.' }),
        lastStartTime: t.expose('last_start', { type: 'DateTime', description: 'When the newest trace started.' }),
      };
    },
  });
  builder.objectType('ProjectUserEdge', {
    access: aggregatePolicy.read,
    fields: (t) => ({
      cursor: t.exposeString('cursor'),
      node: t.field({ type: 'ProjectUser', resolve: ({ node }) => node }),
    }),
  });
  builder.objectType('ProjectUserConnection', {
    access: aggregatePolicy.read,
    fields: (t) => ({
      isPartial: t.exposeBoolean('isPartial', { description: PARTIAL_DESCRIPTION }),
      share: t.exposeFloat('share', { description: SHARE_DESCRIPTION }),
      totalCount: t.exposeInt('total', { description: 'How many users match.' }),
      edges: t.field({ type: ['ProjectUserEdge'], resolve: ({ edges }) => [...edges] }),
      pageInfo: t.field({ type: 'PageInfo', resolve: ({ pageInfo }) => pageInfo }),
    }),
  });
}
