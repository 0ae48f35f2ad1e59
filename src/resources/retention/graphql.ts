import { GraphQLError } from 'graphql';
import type { Builder } from '#api/graphql/builder';
import { type Connection, offsetWindow, type PageArguments, toOffsetConnection } from '#api/graphql/connection';
import { addConnectionTypes } from '#api/graphql/connection-types';
import { toRowId } from '#api/graphql/nodes';
import { loadOrThrow } from '#api/graphql/row-loader';
import type { SchemaKit } from '#api/graphql/schema';
import { AppError } from '#base/errors';
import type { Project } from '#domain/project';
import { DEFAULT_POLICY_ROW_ID, INVALID_CRON, type RetentionPolicy, type RetentionRule } from '#domain/retention';
import { parseSchedule } from '#domain/schedule';
import type { CommandCalls } from '#store/commands/command';
import type { Deletion } from '#store/deletion/deletion';
import { relationalDeletionBrowser } from '#store/deletion/relational-deletions';
import { listProjectsOf } from '#store/retention/due-traces';
import { storeOn, type TypeServices } from '../slice.ts';
import type { RetentionCommands } from './commands.ts';
import { createRetentionLoaders, type RetentionLoaders } from './loaders.ts';
import { retentionPolicy } from './policy.ts';
import { countPolicies, countProjectsOf, listPolicies } from './queries.ts';

declare module '#api/graphql/builder' {
  interface ObjectRows {
    ProjectTraceRetentionPolicy: RetentionPolicy;
    ProjectTraceRetentionPolicyMutationPayload: RetentionPolicy;
    TraceRetentionRuleMaxDays: RetentionRule;
    TraceRetentionRuleMaxCount: RetentionRule;
    TraceRetentionRuleMaxDaysOrCount: RetentionRule;
    Deletion: Deletion;
  }
}

/** What the resolvers of retention work with. */
type RetentionServices = Pick<TypeServices, 'read' | 'load'>;

type Load = RetentionLoaders & TypeServices['load'];

/** Adds retention policies, and what was deleted. */
export function addRetentionTypes(
  { builder, nodes }: SchemaKit,
  services: RetentionServices,
  commands: CommandCalls<RetentionCommands>,
): void {
  const load: Load = { ...createRetentionLoaders(services.read), ...services.load };
  nodes.add('ProjectTraceRetentionPolicy', load.policy);
  addConnectionTypes(builder, 'ProjectTraceRetentionPolicy', retentionPolicy.list);
  builder.scalarType('CronExpression', {
    description: 'A cron expression for hours and weekdays in UTC: the minute is 0, day and month are *.',
    serialize: (value) => value,
    parseValue: (value) => {
      if (typeof value === 'string' && parseSchedule(value) !== undefined) return value;
      throw new GraphQLError(INVALID_CRON);
    },
  });
  addPolicy(builder, services, load);
  addDeletion(builder, services);
  addQueries(builder, services, load);
  addMutations(builder, commands);
}

function addPolicy(builder: Builder, { read }: RetentionServices, load: Load): void {
  const rule = addRules(builder);
  builder.objectType('ProjectTraceRetentionPolicy', {
    access: retentionPolicy.read,
    interfaces: ['Node'],
    fields: (t) => ({
      name: t.exposeString('name'),
      cronExpression: t.expose('cron', { type: 'CronExpression' }),
      rule: t.field({ type: rule, resolve: (policy) => policy }),
      projectCount: t.int({
        cost: COUNT_COST,
        resolve: async ({ rowId }, _args, context) => (await load.projectCount(context, rowId)) ?? 0,
      }),
      projects: t.field({
        type: 'ProjectConnection',
        args: {
          first: t.arg.int({ defaultValue: 100 }),
          last: t.arg.int(),
          after: t.arg.string(),
          before: t.arg.string(),
        },
        resolve: async ({ rowId }, args, context): Promise<Connection<Project>> => {
          const total = await countProjectsOf(read(context.caller), rowId);
          const window = toWindow(args, total);
          const rowIds = await listProjectsOf(read(context.caller).db, rowId, window);
          const projects = await Promise.all(rowIds.map((one) => load.project(context, one)));
          return toOffsetConnection(
            projects.filter((one) => one !== undefined),
            window,
            total,
          );
        },
      }),
    }),
  });
}

/** Those of all policies of an answer are counted at once. */
const COUNT_COST = 2;

function addRules(builder: Builder) {
  builder.objectType('TraceRetentionRuleMaxDays', {
    access: retentionPolicy.read,
    fields: (t) => ({ maxDays: t.float({ description: DAYS, resolve: ({ maxDays }) => maxDays ?? 0 }) }),
  });
  builder.objectType('TraceRetentionRuleMaxCount', {
    access: retentionPolicy.read,
    fields: (t) => ({ maxCount: t.int({ description: COUNT, resolve: ({ maxCount }) => maxCount ?? 0 }) }),
  });
  builder.objectType('TraceRetentionRuleMaxDaysOrCount', {
    access: retentionPolicy.read,
    fields: (t) => ({
      maxDays: t.float({ description: DAYS, resolve: ({ maxDays }) => maxDays ?? 0 }),
      maxCount: t.int({ description: COUNT, resolve: ({ maxCount }) => maxCount ?? 0 }),
    }),
  });
  return builder.unionType('TraceRetentionRule', {
    types: ['TraceRetentionRuleMaxDays', 'TraceRetentionRuleMaxCount', 'TraceRetentionRuleMaxDaysOrCount'],
    resolveType: ({ maxDays, maxCount }: RetentionRule) => {
      if (maxCount === null) return 'TraceRetentionRuleMaxDays';
      return maxDays === null ? 'TraceRetentionRuleMaxCount' : 'TraceRetentionRuleMaxDaysOrCount';
    },
  });
}

const DAYS = 'Maximum age of a trace in days; 0 keeps all traces.';
const COUNT = 'Number of the latest traces to keep; 0 keeps all traces.';

function addDeletion(builder: Builder, { read }: RetentionServices): void {
  const deletions = storeOn(read, relationalDeletionBrowser);
  const reason = builder.enumType('DeletionReason', {
    values: { REQUEST: { value: 'request' }, RETENTION: { value: 'retention' } } as const,
  });
  builder.objectType('Deletion', {
    description: 'A deletion of traces from a project.',
    access: retentionPolicy.listDeletions,
    fields: (t) => ({
      projectName: t.exposeString('projectName'),
      reason: t.field({ type: reason, resolve: (deletion) => deletion.reason }),
      traceCount: t.int({ resolve: ({ traceCount }) => traceCount }),
      spanCount: t.float({ resolve: ({ spanCount }) => spanCount }),
      startedAt: t.expose('startedAtUs', { type: 'DateTime' }),
      hiddenAt: t.field({
        type: 'DateTime',
        nullable: true,
        description: 'When the deleted data disappeared from all answers.',
        resolve: ({ hiddenAtUs }) => hiddenAtUs,
      }),
      finishedAt: t.field({
        type: 'DateTime',
        nullable: true,
        description: 'When all of the data was erased; null while that is in progress.',
        resolve: ({ finishedAtUs }) => finishedAtUs,
      }),
    }),
  });
  const list = {
    description: 'The latest deletions, newest first; at most a hundred.',
    cost: 20,
    access: retentionPolicy.listDeletions,
  };
  builder.objectField('Project', 'deletions', (t) =>
    t.field({
      type: ['Deletion'],
      ...list,
      args: { first: t.arg.int({ defaultValue: 10 }) },
      resolve: ({ rowId }, { first }, { caller }) =>
        deletions(caller).listDeletions({ projectRowId: rowId }, checkFirst(first)),
    }),
  );
  builder.objectField('ProjectTraceRetentionPolicy', 'deletions', (t) =>
    t.field({
      type: ['Deletion'],
      ...list,
      args: { first: t.arg.int({ defaultValue: 10 }) },
      resolve: ({ rowId }, { first }, { caller }) =>
        deletions(caller).listDeletions({ policyRowId: rowId }, checkFirst(first)),
    }),
  );
}

function checkFirst(first: number | null | undefined): number {
  if (first != null && first > 0 && first <= 100) return first;
  throw new AppError('invalid_argument', 'first must be between 1 and 100.');
}

function toWindow({ first, last, after, before }: PageArguments, total: number) {
  // Whoever asks for the last ones does not mean the last of the first, which is there by default.
  return offsetWindow({ first: last == null ? first : null, last, after, before }, total);
}

function addQueries(builder: Builder, { read }: RetentionServices, load: Load): void {
  builder.objectField('Project', 'traceRetentionPolicy', (t) =>
    t.field({
      type: 'ProjectTraceRetentionPolicy',
      access: retentionPolicy.read,
      description: 'The policy assigned to the project, otherwise the default policy.',
      resolve: ({ rowId }, _args, context) => loadOrThrow(load.policyOfProject, context, rowId),
    }),
  );
  builder.queryFields((t) => ({
    defaultProjectTraceRetentionPolicy: t.field({
      access: retentionPolicy.read,
      type: 'ProjectTraceRetentionPolicy',
      resolve: (_root, _args, context) => loadOrThrow(load.policy, context, DEFAULT_POLICY_ROW_ID),
    }),
    projectTraceRetentionPolicies: t.field({
      access: retentionPolicy.list,
      type: 'ProjectTraceRetentionPolicyConnection',
      args: {
        first: t.arg.int({ defaultValue: 100 }),
        last: t.arg.int(),
        after: t.arg.string(),
        before: t.arg.string(),
      },
      resolve: async (_root, args, { caller }) => {
        const total = await countPolicies(read(caller));
        const window = toWindow(args, total);
        return toOffsetConnection(await listPolicies(read(caller), window), window, total);
      },
    }),
  }));
}

function addMutations(builder: Builder, commands: CommandCalls<RetentionCommands>): void {
  builder.objectType('ProjectTraceRetentionPolicyMutationPayload', {
    access: retentionPolicy.read,
    fields: (t) => ({
      node: t.field({ type: 'ProjectTraceRetentionPolicy', resolve: (policy) => policy }),
      query: t.field({ type: 'Query', resolve: () => ({}) }),
    }),
  });
  const rule = addRuleInput(builder);
  const create = builder.inputType('CreateProjectTraceRetentionPolicyInput', {
    fields: (t) => ({
      name: t.string({ required: true }),
      cronExpression: t.field({ type: 'CronExpression', required: true }),
      rule: t.field({ type: rule, required: true }),
      addProjects: t.idList(),
    }),
  });
  const patch = builder.inputType('PatchProjectTraceRetentionPolicyInput', {
    fields: (t) => ({
      id: t.id({ required: true }),
      name: t.string(),
      cronExpression: t.field({ type: 'CronExpression' }),
      rule: t.field({ type: rule }),
      addProjects: t.idList(),
      removeProjects: t.idList(),
    }),
  });
  const remove = builder.inputType('DeleteProjectTraceRetentionPolicyInput', {
    fields: (t) => ({ id: t.id({ required: true }) }),
  });
  builder.mutationFields((t) => ({
    createProjectTraceRetentionPolicy: t.field({
      type: 'ProjectTraceRetentionPolicyMutationPayload',
      access: retentionPolicy.create,
      args: { input: t.arg({ type: create, required: true }) },
      resolve: (_root, { input: { name, cronExpression, rule: chosen, addProjects } }, { caller }) =>
        commands.create(caller, {
          name,
          cron: cronExpression,
          rule: toRule(chosen),
          projectRowIds: toProjects(addProjects),
        }),
    }),
    patchProjectTraceRetentionPolicy: t.field({
      type: 'ProjectTraceRetentionPolicyMutationPayload',
      access: retentionPolicy.patch,
      args: { input: t.arg({ type: patch, required: true }) },
      resolve: (
        _root,
        { input: { id, name, cronExpression, rule: chosen, addProjects, removeProjects } },
        { caller },
      ) =>
        commands.patch(caller, {
          rowId: toRowId('ProjectTraceRetentionPolicy', id),
          name: name ?? undefined,
          cron: cronExpression ?? undefined,
          rule: chosen == null ? undefined : toRule(chosen),
          added: toProjects(addProjects),
          removed: toProjects(removeProjects),
        }),
    }),
    deleteProjectTraceRetentionPolicy: t.field({
      type: 'ProjectTraceRetentionPolicyMutationPayload',
      access: retentionPolicy.delete,
      args: { input: t.arg({ type: remove, required: true }) },
      resolve: (_root, { input: { id } }, { caller }) =>
        commands.delete(caller, toRowId('ProjectTraceRetentionPolicy', id)),
    }),
  }));
}

function addRuleInput(builder: Builder) {
  const maxDays = builder.inputType('ProjectTraceRetentionRuleMaxDaysInput', {
    fields: (t) => ({ maxDays: t.float({ required: true }) }),
  });
  const maxCount = builder.inputType('ProjectTraceRetentionRuleMaxCountInput', {
    fields: (t) => ({ maxCount: t.int({ required: true }) }),
  });
  const either = builder.inputType('ProjectTraceRetentionRuleMaxDaysOrCountInput', {
    fields: (t) => ({ maxDays: t.float({ required: true }), maxCount: t.int({ required: true }) }),
  });
  return builder.inputType('ProjectTraceRetentionRuleInput', {
    isOneOf: true,
    fields: (t) => ({
      maxDays: t.field({ type: maxDays }),
      maxCount: t.field({ type: maxCount }),
      maxDaysOrCount: t.field({ type: either }),
    }),
  });
}

interface RuleInput {
  readonly maxDays?: { readonly maxDays: number } | null | undefined;
  readonly maxCount?: { readonly maxCount: number } | null | undefined;
  readonly maxDaysOrCount?: { readonly maxDays: number; readonly maxCount: number } | null | undefined;
}

function toRule({ maxDays, maxCount, maxDaysOrCount }: RuleInput): RetentionRule {
  return { maxDays: null, maxCount: null, ...maxDays, ...maxCount, ...maxDaysOrCount };
}

function toProjects(ids: readonly (string | number)[] | null | undefined): readonly number[] {
  return [...new Set((ids ?? []).map((id) => toRowId('Project', String(id))))];
}
