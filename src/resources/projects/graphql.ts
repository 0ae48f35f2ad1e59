import type { Builder } from '#api/graphql/builder';
import { offsetWindow, toOffsetConnection } from '#api/graphql/connection';
import { addConnectionTypes } from '#api/graphql/connection-types';
import { toRowId } from '#api/graphql/nodes';
import type { GraphqlContext } from '#api/graphql/context';
import type { SchemaKit } from '#api/graphql/schema';
import { AppError } from '#base/errors';
import { nextMomentUs } from '#base/moment';
import type { Project } from '#domain/project';
import type { ChangeFeed, ProjectChange } from '#ingest/change-feed';
import type { Aggregates } from '#store/aggregates/port';
import type { ProjectSums } from '#store/project-sums-port';
import type { ProjectBrowser, ProjectLook, ProjectStore, ProjectWriter } from '#store/projects-port';
import type { TelemetryBrowser } from '#store/spans/browse-port';
import type { TouchedProject } from '#store/writer-port';
import { addProjectSums } from './graphql/sums.ts';
import { createProjectLoaders, type ProjectLoaders } from './loaders.ts';
import { createProject, patchProject } from './operations.ts';

declare module '#api/graphql/builder' {
  interface ObjectRows {
    Project: Project;
    ProjectChange: ProjectChange;
    ProjectMutationPayload: Project;
  }
}

/** What the resolvers of projects work with. */
export interface ProjectParts {
  readonly projects: ProjectStore & ProjectBrowser & ProjectWriter;
  readonly sums: ProjectSums;
  readonly changes: ChangeFeed;
  /** Tells other servers on the same data what changed. */
  readonly tellOthers: (touched: readonly TouchedProject[]) => void;
  readonly spans: Pick<TelemetryBrowser, 'countSpans' | 'countSessions'>;
  readonly aggregates: Aggregates;
}

const US_PER_MINUTE = 60_000_000;

/** Adds projects, their changes, and what can be done to them. */
export function addProjectTypes({ builder, nodes }: SchemaKit, parts: ProjectParts): void {
  const load = createProjectLoaders(parts.projects, parts.sums, parts.aggregates);
  nodes.add('Project', load.project);
  addConnectionTypes(builder, 'Project');
  addProject(builder, parts, load);
  addProjectSums(builder, parts, load);
  addQueries(builder, parts);
  addMutations(builder, parts);
  addSubscription(builder, parts, load);
}

function addProject(builder: Builder, { changes }: ProjectParts, load: ProjectLoaders): void {
  builder.objectType('Project', {
    access: 'read',
    interfaces: ['Node'],
    fields: (t) => {
      return {
        name: t.exposeString('name'),
        description: t.exposeString('description', { nullable: true }),
        gradientStartColor: t.exposeString('gradientStartColor'),
        gradientEndColor: t.exposeString('gradientEndColor'),
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
          resolve: ({ rowId }) => changes.lastChangeOfUs(rowId) ?? changes.sinceUs,
        }),
      };
    },
  });
}

function addQueries(builder: Builder, { projects, changes }: ProjectParts): void {
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
      args: {
        first: t.arg.int({ defaultValue: 50 }),
        last: t.arg.int(),
        after: t.arg.string(),
        before: t.arg.string(),
        sort: t.arg({ type: sort }),
        filter: t.arg({ type: filter }),
      },
      resolve: async (_root, { first, last, after, before, ...args }) => {
        const wanted = { nameContains: args.filter?.value || undefined };
        const total = await projects.countProjects(wanted);
        // Whoever asks for the last ones does not mean the last of the first, which is there by default.
        const window = offsetWindow({ first: last == null ? first : null, last, after, before }, total);
        const order = args.sort?.dir ?? 'asc';
        const by = args.sort == null ? 'id' : args.sort.col === 'name' ? 'name' : 'latest_trace';
        const rows = await projects.browseProjects(wanted, { ...window, sort: by, order });
        return toOffsetConnection(rows, window, total);
      },
    }),
    projectCount: t.int({ resolve: () => projects.countProjects({}) }),
    projectsLastUpdatedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Advances whenever a project is created or changed, or spans arrive.',
      resolve: () => changes.lastChangeUs,
    }),
    getProjectByName: t.field({
      type: 'Project',
      nullable: true,
      args: { name: t.arg.string({ required: true }) },
      resolve: (_root, { name }) => projects.findProject({ name }),
    }),
  }));
}

function addMutations(builder: Builder, { projects, changes, tellOthers }: ProjectParts): void {
  builder.objectType('ProjectMutationPayload', {
    access: 'read',
    fields: (t) => ({
      project: t.field({ type: 'Project', resolve: (project) => project }),
      query: t.field({ type: 'Query', resolve: () => ({}) }),
    }),
  });
  const look = (t: InputFields) => ({
    description: t.string(),
    gradientStartColor: t.string(),
    gradientEndColor: t.string(),
  });
  const tell = ({ rowId: projectRowId }: Project) => {
    const touched = [{ projectRowId, traceIds: [], changedAtUs: nextMomentUs() }];
    changes.publish(touched);
    tellOthers(touched);
  };
  const create = builder.inputType('CreateProjectInput', {
    fields: (t) => ({ name: t.string({ required: true }), ...look(t) }),
  });
  const patch = builder.inputType('PatchProjectInput', {
    fields: (t) => ({ id: t.id({ required: true }), ...look(t) }),
  });
  builder.mutationType({
    access: 'write',
    fields: (t) => ({
      createProject: t.field({
        type: 'ProjectMutationPayload',
        args: { input: t.arg({ type: create, required: true }) },
        resolve: async (_root, { input }) => {
          const project = await createProject(projects, input.name, toLook(input));
          tell(project);
          return project;
        },
      }),
      patchProject: t.field({
        type: 'ProjectMutationPayload',
        args: { input: t.arg({ type: patch, required: true }) },
        resolve: async (_root, { input }) => {
          const project = await patchProject(projects, toRowId('Project', input.id), toLook(input));
          tell(project);
          return project;
        },
      }),
    }),
  });
}

type InputFields = Parameters<Parameters<Builder['inputType']>[1]['fields']>[0];

/** A null colour is one that is left out; a null description is none. */
function toLook(input: {
  readonly description?: string | null | undefined;
  readonly gradientStartColor?: string | null | undefined;
  readonly gradientEndColor?: string | null | undefined;
}): ProjectLook {
  return {
    description: input.description,
    gradientStartColor: input.gradientStartColor ?? undefined,
    gradientEndColor: input.gradientEndColor ?? undefined,
  };
}

function addSubscription(builder: Builder, { changes }: ProjectParts, load: ProjectLoaders): void {
  const loadOrThrow = async (context: GraphqlContext, rowId: number) => {
    const project = await load.project(context, rowId);
    if (project === undefined) throw new AppError('not_found', 'There is no such project.');
    return project;
  };
  builder.objectType('ProjectChange', {
    access: 'read',
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
    access: 'read',
    fields: (t) => ({
      projectChanges: t.field({
        type: 'ProjectChange',
        description:
          'Sends an event when spans of the project were stored or the project was changed, at most a few per second. The first event confirms the subscription.',
        args: { projectId: t.arg.id({ required: true }) },
        subscribe: async (_root, { projectId }, context) => {
          const { rowId } = await loadOrThrow(context, toRowId('Project', projectId));
          return changes.watch(rowId);
        },
        resolve: (change) => change,
      }),
    }),
  });
}
