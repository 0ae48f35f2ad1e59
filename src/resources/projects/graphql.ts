import type { Builder } from '#api/graphql/builder';
import { offsetWindow, toOffsetConnection } from '#api/graphql/connection';
import { addConnectionTypes } from '#api/graphql/connection-types';
import { toRowId } from '#api/graphql/nodes';
import type { GraphqlContext } from '#api/graphql/context';
import type { SchemaKit } from '#api/graphql/schema';
import { sharesOfCaller } from '#api/shares-of-caller';
import { AppError } from '#base/errors';
import type { ForCaller } from '#domain/caller';
import { DEFAULT_TABS, type DefaultTab, type Project } from '#domain/project';
import type { ProjectChange } from '#ingest/change-feed';
import type { ProjectLook } from '#domain/project-look';
import type { CommandCalls } from '#store/commands/command';
import type { ProjectBrowser, ProjectStore } from '#store/projects/port';
import { relationalProjectSums } from '#store/projects/relational-project-sums';
import { relationalProjectBrowser, relationalProjectStore } from '#store/projects/relational-projects';
import { storeOn, type TypeServices } from '../slice.ts';
import type { ProjectCommands } from './commands.ts';
import { addProjectSums } from './graphql/sums.ts';
import { createProjectLoaders, type ProjectLoaders } from './loaders.ts';
import { addResourceSearch } from './graphql/search.ts';
import { projectPolicy } from './policy.ts';

declare module '#api/graphql/builder' {
  interface ObjectRows {
    Project: Project;
    ProjectChange: ProjectChange;
    ProjectMutationPayload: Project;
  }
  interface EnumValues {
    ProjectTab: DefaultTab;
  }
}

/** What the resolvers of projects work with. */
type ProjectServices = Pick<TypeServices, 'read' | 'spans' | 'aggregates' | 'changes'>;

const US_PER_MINUTE = 60_000_000;

/** Adds projects, their changes, and what can be done to them. */
export function addProjectTypes(
  { builder, nodes }: SchemaKit,
  services: ProjectServices,
  commands: CommandCalls<ProjectCommands>,
): void {
  const projects = storeOn(services.read, (db, dialect) => ({
    ...relationalProjectStore(db, dialect),
    ...relationalProjectBrowser(db, dialect),
  }));
  const load = createProjectLoaders(projects, storeOn(services.read, relationalProjectSums), services.aggregates);
  nodes.add('Project', load.project);
  builder.enumType('ProjectTab', { values: DEFAULT_TABS });
  addConnectionTypes(builder, 'Project', projectPolicy.list);
  addProject(builder, services, load);
  addProjectSums(builder, services, load);
  addQueries(builder, projects, services);
  addResourceSearch(builder, projects);
  addMutations(builder, commands);
  addSubscription(builder, services, load);
}

function addProject(builder: Builder, { changes }: ProjectServices, load: ProjectLoaders): void {
  builder.objectType('Project', {
    access: projectPolicy.read,
    interfaces: ['Node'],
    fields: (t) => {
      return {
        name: t.exposeString('name'),
        description: t.exposeString('description', { nullable: true }),
        gradientStartColor: t.exposeString('gradientStartColor'),
        gradientEndColor: t.exposeString('gradientEndColor'),
        defaultTab: t.expose('defaultTab', {
          type: 'ProjectTab',
          nullable: true,
          description: 'The tab that the project opens with; null: the table that each browser used last.',
        }),
        createdAt: t.expose('createdAtUs', { type: 'DateTime' }),
        updatedAt: t.expose('updatedAtUs', { type: 'DateTime' }),
        startTime: t.field({
          type: 'DateTime',
          nullable: true,
          description: 'Start of the earliest trace; null without traces.',
          resolve: async ({ rowId }, _args, context) => (await load.traceTimes(context, rowId))?.startUs,
        }),
        endTime: t.field({
          type: 'DateTime',
          nullable: true,
          description: 'End of the latest trace, rounded up to the full minute; null without traces.',
          resolve: async ({ rowId }, _args, context) => {
            const times = await load.traceTimes(context, rowId);
            return times && Math.ceil(times.endUs / US_PER_MINUTE) * US_PER_MINUTE;
          },
        }),
        hasTraces: t.boolean({
          resolve: async ({ rowId }, _args, context) => (await load.traceTimes(context, rowId)) !== undefined,
        }),
        streamingLastUpdatedAt: t.field({
          type: 'DateTime',
          nullable: true,
          description: 'Advances whenever spans arrive or the project changes.',
          resolve: ({ rowId }, _args, { caller }) => changes(caller).lastChangeOfUs(rowId) ?? changes(caller).sinceUs,
        }),
      };
    },
  });
}

function addQueries(
  builder: Builder,
  projects: ForCaller<ProjectStore & ProjectBrowser>,
  { changes }: Pick<ProjectServices, 'changes'>,
): void {
  const sort = builder.inputType('ProjectSort', {
    fields: (t) => ({
      col: t.field({
        type: builder.enumType('ProjectColumn', { values: ['endTime', 'name'] as const }),
        required: true,
      }),
      dir: t.field({ type: 'SortDir', required: true }),
    }),
  });
  const filter = builder.inputType('ProjectFilter', {
    fields: (t) => ({
      col: t.field({ type: builder.enumType('ProjectFilterColumn', { values: ['name'] as const }), required: true }),
      value: t.string({ required: true }),
    }),
  });
  builder.queryFields((t) => ({
    projects: t.field({
      type: 'ProjectConnection',
      access: projectPolicy.list,
      args: {
        first: t.arg.int({ defaultValue: 50 }),
        last: t.arg.int(),
        after: t.arg.string(),
        before: t.arg.string(),
        sort: t.arg({ type: sort }),
        filter: t.arg({ type: filter }),
      },
      resolve: async (_root, { first, last, after, before, ...args }, { caller }) => {
        const wanted = { nameContains: args.filter?.value || undefined };
        const total = await projects(caller).countProjects(wanted);
        // Whoever asks for the last ones does not mean the last of the first, which is there by default.
        const window = offsetWindow({ first: last == null ? first : null, last, after, before }, total);
        const order = args.sort?.dir ?? 'asc';
        const by = args.sort == null ? 'id' : args.sort.col === 'name' ? 'name' : 'latest_trace';
        const rows = await projects(caller).browseProjects(wanted, { ...window, sort: by, order });
        return toOffsetConnection(rows, window, total);
      },
    }),
    projectCount: t.int({
      access: projectPolicy.list,
      resolve: (_root, _args, { caller }) => projects(caller).countProjects({}),
    }),
    projectsLastUpdatedAt: t.field({
      access: projectPolicy.list,
      type: 'DateTime',
      nullable: true,
      description: 'Advances whenever a project is created or changed, or spans arrive.',
      resolve: (_root, _args, { caller }) => changes(caller).lastChangeUs,
    }),
    getProjectByName: t.field({
      access: projectPolicy.read,
      type: 'Project',
      nullable: true,
      args: { name: t.arg.string({ required: true }) },
      resolve: (_root, { name }, { caller }) => projects(caller).findProject({ name }),
    }),
  }));
}

function addMutations(builder: Builder, commands: CommandCalls<ProjectCommands>): void {
  builder.objectType('ProjectMutationPayload', {
    access: projectPolicy.read,
    fields: (t) => ({
      project: t.field({ type: 'Project', resolve: (project) => project }),
      query: t.field({ type: 'Query', resolve: () => ({}) }),
    }),
  });
  const look = (t: InputFields) => ({
    defaultTab: t.field({ type: 'ProjectTab' }),
    description: t.string(),
    gradientStartColor: t.string(),
    gradientEndColor: t.string(),
  });
  const create = builder.inputType('CreateProjectInput', {
    fields: (t) => ({ name: t.string({ required: true }), ...look(t) }),
  });
  const patch = builder.inputType('PatchProjectInput', {
    fields: (t) => ({ id: t.id({ required: true }), ...look(t) }),
  });
  builder.mutationType({
    fields: (t) => ({
      createProject: t.field({
        access: projectPolicy.create,
        type: 'ProjectMutationPayload',
        args: { input: t.arg({ type: create, required: true }) },
        resolve: (_root, { input }, { caller }) => commands.create(caller, { name: input.name, ...toLook(input) }),
      }),
      patchProject: t.field({
        access: projectPolicy.patch,
        type: 'ProjectMutationPayload',
        args: { input: t.arg({ type: patch, required: true }) },
        resolve: (_root, { input }, { caller }) =>
          commands.patch(caller, { rowId: toRowId('Project', input.id), ...toLook(input) }),
      }),
    }),
  });
}

type InputFields = Parameters<Parameters<Builder['inputType']>[1]['fields']>[0];

/** A null colour is one that is left out; a null description or tab is none. */
function toLook(input: {
  readonly description?: string | null | undefined;
  readonly gradientStartColor?: string | null | undefined;
  readonly gradientEndColor?: string | null | undefined;
  readonly defaultTab?: DefaultTab | null | undefined;
}): ProjectLook {
  return {
    defaultTab: input.defaultTab,
    description: input.description,
    gradientStartColor: input.gradientStartColor ?? undefined,
    gradientEndColor: input.gradientEndColor ?? undefined,
  };
}

function addSubscription(builder: Builder, { changes }: ProjectServices, load: ProjectLoaders): void {
  const loadOrThrow = async (context: GraphqlContext, rowId: number) => {
    const project = await load.project(context, rowId);
    if (project === undefined) throw new AppError('not_found', 'There is no such project.');
    return project;
  };
  builder.objectType('ProjectChange', {
    access: projectPolicy.watch,
    fields: (t) => ({
      project: t.field({
        type: 'Project',
        resolve: ({ projectRowId }, _args, context) => loadOrThrow(context, projectRowId),
      }),
      changedAt: t.expose('changedAtUs', { type: 'DateTime' }),
      traceIds: t.idList({
        nullable: true,
        description:
          'Hexadecimal ids of the traces that changed; null if there are too many to name, and in the first event.',
        resolve: ({ traceIds }) => traceIds,
      }),
    }),
  });
  builder.subscriptionType({
    fields: (t) => ({
      projectChanges: t.field({
        access: projectPolicy.watch,
        type: 'ProjectChange',
        description:
          'Sends an event when spans of the project were stored or the project was changed, at most a few per second. The first event confirms the subscription.',
        args: { projectId: t.arg.id({ required: true }) },
        subscribe: async (_root, { projectId }, context) => {
          const { rowId } = await loadOrThrow(context, toRowId('Project', projectId));
          return changes(context.caller).watch(rowId, sharesOfCaller(context.caller)[0]);
        },
        resolve: (change) => change,
      }),
    }),
  });
}
