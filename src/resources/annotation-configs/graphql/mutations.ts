/** Changes of annotation configs over GraphQL, and of what projects offer. */
import type { Builder } from '#api/graphql/builder';
import { toRowId } from '#api/graphql/nodes';
import { loadOrThrow } from '#api/graphql/row-loader';
import { AppError } from '#base/errors';
import type { AnnotationConfig } from '#domain/annotation-config';
import type { CommandCalls } from '#store/commands/command';
import type { TypeServices } from '../../slice.ts';
import type { AnnotationConfigCommands } from '../commands.ts';
import { toConfigRowId } from '../operations.ts';
import { annotationConfigPolicy } from '../policy.ts';
import { addConfigInput, toContent } from './inputs.ts';
import type { AnyConfig } from './union.ts';

/** What a deletion answers. */
export interface DeletedConfigs {
  readonly configs: readonly AnnotationConfig[];
}

/** The project that a change answers. */
export interface ProjectRef {
  readonly projectRowId: number;
}

type Commands = CommandCalls<AnnotationConfigCommands>;

/** Adds what creates, replaces and deletes configs. */
export function addConfigMutations(builder: Builder, union: AnyConfig, commands: Commands): void {
  const { read: access } = annotationConfigPolicy;
  for (const payload of ['CreateAnnotationConfigPayload', 'UpdateAnnotationConfigPayload'] as const) {
    builder.objectType(payload, {
      access,
      fields: (t) => ({
        annotationConfig: t.field({ type: union, resolve: (config) => config }),
        query: t.field({ type: 'Query', resolve: () => ({}) }),
      }),
    });
  }
  builder.objectType('DeleteAnnotationConfigsPayload', {
    access,
    fields: (t) => ({
      annotationConfigs: t.field({ type: [union], resolve: ({ configs }) => configs }),
      query: t.field({ type: 'Query', resolve: () => ({}) }),
    }),
  });
  const content = addConfigInput(builder);
  const create = builder.inputType('CreateAnnotationConfigInput', {
    fields: (t) => ({ annotationConfig: t.field({ type: content, required: true }) }),
  });
  const update = builder.inputType('UpdateAnnotationConfigInput', {
    fields: (t) => ({ id: t.id({ required: true }), annotationConfig: t.field({ type: content, required: true }) }),
  });
  const remove = builder.inputType('DeleteAnnotationConfigsInput', {
    fields: (t) => ({ ids: t.idList({ required: true }) }),
  });
  builder.mutationFields((t) => ({
    createAnnotationConfig: t.field({
      type: 'CreateAnnotationConfigPayload',
      access: annotationConfigPolicy.create,
      args: { input: t.arg({ type: create, required: true }) },
      resolve: (_root, { input }, { caller }) => commands.create(caller, toContent(input.annotationConfig)),
    }),
    updateAnnotationConfig: t.field({
      type: 'UpdateAnnotationConfigPayload',
      access: annotationConfigPolicy.update,
      description: 'Replaces the config. Its kind may change; then its id changes as well.',
      args: { input: t.arg({ type: update, required: true }) },
      resolve: (_root, { input }, { caller }) =>
        commands.update(caller, { rowId: toConfig(input.id), content: toContent(input.annotationConfig) }),
    }),
    deleteAnnotationConfigs: t.field({
      type: 'DeleteAnnotationConfigsPayload',
      access: annotationConfigPolicy.delete,
      description: 'Deletes all of them or none. Annotations of their names stay.',
      args: { input: t.arg({ type: remove, required: true }) },
      resolve: async (_root, { input }, { caller }) => ({
        configs: await commands.delete(caller, input.ids.map(toConfig)),
      }),
    }),
  }));
}

/** Adds what lets projects offer configs. */
export function addProjectMutations(builder: Builder, load: TypeServices['load'], commands: Commands): void {
  for (const payload of ['AddAnnotationConfigToProjectPayload', 'RemoveAnnotationConfigFromProjectPayload'] as const) {
    builder.objectType(payload, {
      access: annotationConfigPolicy.read,
      fields: (t) => ({
        project: t.field({
          type: 'Project',
          resolve: ({ projectRowId }, _args, context) => loadOrThrow(load.project, context, projectRowId),
        }),
        query: t.field({ type: 'Query', resolve: () => ({}) }),
      }),
    });
  }
  const add = builder.inputType('AddAnnotationConfigToProjectInput', {
    fields: (t) => ({ projectId: t.id({ required: true }), annotationConfigId: t.id({ required: true }) }),
  });
  const remove = builder.inputType('RemoveAnnotationConfigFromProjectInput', {
    fields: (t) => ({ projectId: t.id({ required: true }), annotationConfigId: t.id({ required: true }) }),
  });
  builder.mutationFields((t) => ({
    addAnnotationConfigToProject: t.field({
      type: 'AddAnnotationConfigToProjectPayload',
      access: annotationConfigPolicy.assign,
      args: { input: t.arg({ type: [add], required: true }) },
      resolve: (_root, { input }, { caller }) => changeProject(input, (given) => commands.assign(caller, given)),
    }),
    removeAnnotationConfigFromProject: t.field({
      type: 'RemoveAnnotationConfigFromProjectPayload',
      access: annotationConfigPolicy.unassign,
      args: { input: t.arg({ type: [remove], required: true }) },
      resolve: (_root, { input }, { caller }) => changeProject(input, (given) => commands.unassign(caller, given)),
    }),
  }));
}

interface AssignmentInput {
  readonly projectId: string;
  readonly annotationConfigId: string;
}

/** The answer has room for one project: the first. */
async function changeProject(
  input: readonly AssignmentInput[],
  change: (given: Parameters<Commands['assign']>[1]) => Promise<void>,
): Promise<ProjectRef> {
  const assignments = input.map(({ projectId, annotationConfigId }) => ({
    projectRowId: toRowId('Project', projectId),
    configRowId: toConfig(annotationConfigId),
  }));
  const [first] = assignments;
  if (first === undefined) throw new AppError('invalid_argument', 'Name at least one annotation config.');
  await change({ assignments, isRepeatable: false });
  return first;
}

function toConfig(id: string): number {
  return toConfigRowId(id, (message) => new AppError('invalid_argument', message));
}
