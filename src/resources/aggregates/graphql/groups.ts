/** Spans and traces by what they have in common: the rows of a grouped table. */
import type { Builder } from '#api/graphql/builder';
import type { GraphqlContext } from '#api/graphql/context';
import type { RowLoader } from '#api/graphql/row-loader';
import type { Caller, ForCaller } from '#domain/caller';
import type { FilterGrain } from '#filter/tree';
import {
  type Aggregates,
  type DimensionValue,
  type GroupAnswer,
  type GroupFigure,
  type GroupQuestion,
  MAX_GROUPS,
  type RowGroup,
} from '#store/aggregates/port';
import type { SessionRow } from '#store/spans/port';
import { formatGroupFilter, type GroupDimension, readGroupDimension } from '../operations/group-dimension.ts';
import { presentValue } from '../operations/dimension.ts';
import { type SpanArguments, toSpanQuestion } from '../operations/questions.ts';
import { assertKnown } from '../operations/unknown-dimension.ts';
import { aggregatePolicy } from '../policy.ts';
import {
  CHART_COST,
  FILTER_DESCRIPTION,
  PARTIAL_DESCRIPTION,
  SHARE_DESCRIPTION,
  TRACE_FILTER_DESCRIPTION,
} from './arguments.ts';

declare module '#api/graphql/builder' {
  interface ObjectRows {
    RowGroups: Groups;
    RowGroup: Group;
  }
  interface EnumValues {
    RowGroupColumn: GroupFigure;
  }
}

interface Group extends RowGroup {
  readonly grain: FilterGrain;
  readonly by: GroupDimension;
}

/** What is loaded for groups by session. */
interface GroupParts {
  readonly aggregates: ForCaller<Aggregates>;
  readonly loadSession: RowLoader<SessionRow>;
}

interface Groups extends Omit<GroupAnswer, 'groups'> {
  readonly groups: readonly Group[];
}

interface GroupArguments extends SpanArguments {
  readonly by: string;
  readonly sort?: { readonly col: GroupFigure; readonly dir: 'asc' | 'desc' } | null | undefined;
  readonly first: number;
}

/** Adds them to projects. */
export function addGroups(builder: Builder, { aggregates, loadSession }: GroupParts): void {
  addTypes(builder, loadSession);
  const sort = builder.inputType('RowGroupSort', {
    fields: (t) => ({
      col: t.field({
        type: builder.enumType('RowGroupColumn', {
          values: {
            count: { value: 'count' },
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
  builder.objectFields('Project', (t) => {
    const common = {
      timeRange: t.arg({ type: 'TimeRange' }),
      sort: t.arg({ type: sort, description: 'The groups with the most rows first if omitted.' }),
      first: t.arg.int({ required: true, defaultValue: 50, description: `${MAX_GROUPS} at most.` }),
    };
    return {
      spanGroups: t.field({
        type: 'RowGroups',
        access: aggregatePolicy.read,
        cost: CHART_COST,
        description: 'The spans that started in the range and match, by what they have in common.',
        args: {
          ...common,
          filterCondition: t.arg.string({ description: FILTER_DESCRIPTION }),
          traceFilterCondition: t.arg.string({ description: OWNER_FILTER_DESCRIPTION }),
          by: t.arg.string({
            required: true,
            description: 'A field, such as name or model_name, or an attribute, such as session.id.',
          }),
        },
        resolve: ({ rowId }, args, { caller }) => answer(caller, aggregates, 'span', rowId, args),
      }),
      traceGroups: t.field({
        type: 'RowGroups',
        access: aggregatePolicy.read,
        cost: CHART_COST,
        description:
          'The traces that started in the range and match, by what their root spans have in common; a trace that calls several models is in the group of each.',
        args: {
          ...common,
          traceFilterCondition: t.arg.string({ description: TRACE_FILTER_DESCRIPTION }),
          by: t.arg.string({
            required: true,
            description:
              "name, user.id, or another attribute of the root span, such as attributes['tier']; model_name, of any span; or session, the session that the trace belongs to.",
          }),
        },
        resolve: ({ rowId }, args, { caller }) => answer(caller, aggregates, 'trace', rowId, args),
      }),
    };
  });
}

async function answer(
  caller: Caller,
  aggregates: ForCaller<Aggregates>,
  grain: 'span' | 'trace',
  projectRowId: number,
  { by: text, sort, first, ...asked }: GroupArguments,
): Promise<Groups> {
  const by = readGroupDimension(text, grain);
  const question: GroupQuestion = {
    ...toSpanQuestion(projectRowId, asked),
    dimension: by.dimension,
    ...(by.isOfAllSpans && { ofSpans: 'all' as const }),
    order: { by: sort?.col ?? 'count', direction: sort?.dir ?? 'desc' },
    maxGroups: first,
  };
  const store = aggregates(caller);
  const found = await (grain === 'span' ? store.groupSpans(question) : store.groupTraces(question));
  const isMissing = found.groups.length > 0 && found.groups.every(({ key }) => key?.value === null);
  if (isMissing && !found.isPartial && by.dimension.kind !== 'session')
    await assertKnown(caller, aggregates, { grain, projectRowId }, by.dimension);
  return { ...found, groups: found.groups.map((group) => ({ ...group, grain, by })) };
}

/** Of a group by session. */
async function findSession(
  { by, key }: Group,
  loadSession: RowLoader<SessionRow>,
  context: GraphqlContext,
): Promise<SessionRow | undefined> {
  if (by.dimension.kind !== 'session' || typeof key?.value !== 'number') return undefined;
  return loadSession(context, key.value);
}

/** As clients know it: a session by its own id. */
async function valueOf(group: Group, ...load: [RowLoader<SessionRow>, GraphqlContext]): Promise<DimensionValue | null> {
  if (group.by.dimension.kind !== 'session' || group.key?.value == null) return group.key;
  const session = await findSession(group, ...load);
  return session === undefined ? null : { value: session.sessionId, text: session.sessionId };
}

const OWNER_FILTER_DESCRIPTION = 'A filter in the filter language for traces: only spans of those that match.';

function addTypes(builder: Builder, loadSession: RowLoader<SessionRow>): void {
  builder.objectType('RowGroup', {
    access: aggregatePolicy.read,
    fields: (t) => {
      const latency = (figure: 'latency_p50' | 'latency_p95') =>
        t.float({
          nullable: true,
          description: 'Exact; null if nothing has finished.',
          resolve: (group) => (Number.isNaN(group[figure]) ? null : group[figure] / 1000),
        });
      return {
        isRest: t.boolean({
          description: 'Whether it stands for all groups that are not named.',
          resolve: ({ key }) => key === null,
        }),
        value: t.field({
          type: 'JSON',
          nullable: true,
          description: 'What its rows have in common; null where they have no value.',
          resolve: async (group, _args, context) => {
            const value = await valueOf(group, loadSession, context);
            return value === null ? null : presentValue(value);
          },
        }),
        filter: t.string({
          nullable: true,
          description: 'The filter that its rows match; null for the rest.',
          resolve: async (group, _args, context) => {
            const value = await valueOf(group, loadSession, context);
            return value === null ? null : formatGroupFilter(group.grain, group.by, value);
          },
        }),
        session: t.field({
          type: 'ProjectSession',
          nullable: true,
          description: 'Of traces by session, the session; null where they have none.',
          resolve: (group, _args, context) => findSession(group, loadSession, context),
        }),
        count: t.exposeInt('count'),
        errorRate: t.exposeFloat('error_rate', { description: 'Share of rows that failed.' }),
        latencyMsP50: latency('latency_p50'),
        latencyMsP95: latency('latency_p95'),
        tokenCountTotal: t.exposeFloat('tokens', { description: 'Counted tokens.' }),
        costTotal: t.exposeFloat('cost', { description: 'Counted cost in US dollars.' }),
        firstStartTime: t.expose('first_start', { type: 'DateTime', description: 'When the oldest row started.' }),
        lastStartTime: t.expose('last_start', { type: 'DateTime', description: 'When the newest row started.' }),
      };
    },
  });
  builder.objectType('RowGroups', {
    access: aggregatePolicy.read,
    fields: (t) => ({
      isPartial: t.exposeBoolean('isPartial', { description: PARTIAL_DESCRIPTION }),
      share: t.exposeFloat('share', { description: SHARE_DESCRIPTION }),
      groups: t.field({
        type: ['RowGroup'],
        description: 'In their order, the group of all others last.',
        resolve: ({ groups }) => [...groups],
      }),
      otherGroupCount: t.exposeInt('otherGroupCount', { description: 'Number of groups in the group of all others.' }),
    }),
  });
}
