import type { Builder } from '#api/graphql/builder';
import { toRowId } from '#api/graphql/nodes';
import { loadOrThrow } from '#api/graphql/row-loader';
import type { SchemaKit } from '#api/graphql/schema';
import { assertHasAccount, MAX_VIEW_LENGTH, mayChangeView, ownerOfViews, type ViewTable } from '#domain/saved-view';
import type { CommandCalls } from '#store/commands/command';
import type { TypeServices } from '../slice.ts';
import type { SavedViewCommands } from './commands.ts';
import { createSavedViewLoaders, type SavedViewLoaders } from './loaders.ts';
import { savedViewPolicy } from './policy.ts';
import { listViews, type SeenView } from './queries.ts';

declare module '#api/graphql/builder' {
  interface ObjectRows {
    SavedView: SeenView;
    SavedViewMutationPayload: ChangedView;
  }
  interface EnumValues {
    SavedViewTable: ViewTable;
  }
}

/** What a change leaves: the view, unless it was deleted, and its project. */
interface ChangedView {
  readonly viewRowId: number | null;
  readonly projectRowId: number;
}

/** What the resolvers work with. */
type SavedViewServices = Pick<TypeServices, 'readPrimary' | 'load'>;

type Load = SavedViewServices['load'] & SavedViewLoaders;

/** Adds saved views, and what can be done to them. They are read where changes are seen at once. */
export function addSavedViewTypes(
  { builder, nodes }: SchemaKit,
  services: SavedViewServices,
  commands: CommandCalls<SavedViewCommands>,
): void {
  const load = { ...services.load, ...createSavedViewLoaders(services.readPrimary) };
  nodes.add('SavedView', load.view);
  builder.enumType('SavedViewTable', {
    description: 'A table of a project.',
    values: { TRACES: { value: 'traces' }, SPANS: { value: 'spans' }, SESSIONS: { value: 'sessions' } } as const,
  });
  addView(builder, load);
  builder.objectField('Project', 'savedViews', (t) =>
    t.field({
      type: ['SavedView'],
      access: savedViewPolicy.list,
      description: 'Shared views and those of the caller, oldest first.',
      cost: 20,
      resolve: ({ rowId }, _args, { caller }) => listViews(services.readPrimary(caller), caller, rowId),
    }),
  );
  addPayload(builder, load);
  addChanges(builder, commands);
  addDefaults(builder, commands);
}

function addView(builder: Builder, load: Load): void {
  builder.objectType('SavedView', {
    description: 'What a table of a project shows and how, under a name.',
    access: savedViewPolicy.read,
    interfaces: ['Node'],
    fields: (t) => ({
      name: t.exposeString('name'),
      table: t.expose('table', { type: 'SavedViewTable' }),
      content: t.string({
        description: 'A JSON object: filter, range or start and end, sort, group, spans, density, columns, attributes.',
        resolve: ({ rowId }, _args, context) => loadOrThrow(load.content, context, rowId),
      }),
      isShared: t.exposeBoolean('isShared', { description: 'Personal views are seen by their owner alone.' }),
      ownerName: t.exposeString('ownerName', {
        nullable: true,
        description: 'Null where the view belongs to nobody.',
      }),
      isOwn: t.boolean({
        description: 'Whether it belongs to the caller.',
        resolve: ({ ownerRowId }, _args, { caller }) => ownerRowId !== null && ownerRowId === ownerOfViews(caller),
      }),
      canChange: t.boolean({
        description: 'Whether the caller may rename, update, share and delete it.',
        resolve: (view, _args, { caller }) => mayChangeView(caller, view),
      }),
      isSharedDefault: t.exposeBoolean('isSharedDefault', {
        description: 'Whether the table opens with it, for those who have no default of their own.',
      }),
      isOwnDefault: t.exposeBoolean('isOwnDefault', {
        description: 'Whether the table opens with it for the caller.',
      }),
      createdAt: t.expose('createdAtUs', { type: 'DateTime' }),
      updatedAt: t.expose('updatedAtUs', { type: 'DateTime' }),
      project: t.field({
        type: 'Project',
        resolve: ({ projectRowId }, _args, context) => loadOrThrow(load.project, context, projectRowId),
      }),
    }),
  });
}

function addPayload(builder: Builder, load: Load): void {
  builder.objectType('SavedViewMutationPayload', {
    access: savedViewPolicy.read,
    fields: (t) => ({
      savedView: t.field({
        type: 'SavedView',
        nullable: true,
        description: 'Null where it was deleted, or no view was named; and of a view that the caller sees no longer.',
        resolve: ({ viewRowId }, _args, context) => (viewRowId === null ? null : load.view(context, viewRowId)),
      }),
      project: t.field({
        type: 'Project',
        resolve: ({ projectRowId }, _args, context) => loadOrThrow(load.project, context, projectRowId),
      }),
      query: t.field({ type: 'Query', resolve: () => ({}) }),
    }),
  });
}

const CONTENT = `JSON of at most ${MAX_VIEW_LENGTH} characters, see \`SavedView.content\`.`;

function addChanges(builder: Builder, commands: CommandCalls<SavedViewCommands>): void {
  const create = builder.inputType('CreateSavedViewInput', {
    fields: (t) => ({
      projectId: t.id({ required: true }),
      table: t.field({ type: 'SavedViewTable', required: true }),
      name: t.string({ required: true }),
      content: t.string({ required: true, description: CONTENT }),
      isShared: t.boolean({
        required: true,
        description: 'A caller without an account has shared views alone, whatever it says here.',
      }),
    }),
  });
  const patch = builder.inputType('PatchSavedViewInput', {
    fields: (t) => ({
      id: t.id({ required: true }),
      name: t.string(),
      content: t.string({ description: CONTENT }),
      isShared: t.boolean(),
    }),
  });
  const remove = builder.inputType('DeleteSavedViewInput', { fields: (t) => ({ id: t.id({ required: true }) }) });
  builder.mutationFields((t) => ({
    createSavedView: t.field({
      type: 'SavedViewMutationPayload',
      access: savedViewPolicy.create,
      args: { input: t.arg({ type: create, required: true }) },
      resolve: async (_root, { input: { projectId, ...view } }, { caller }) => {
        const projectRowId = toRowId('Project', projectId);
        const { rowId } = await commands.create(caller, { ...view, projectRowId });
        return { viewRowId: rowId, projectRowId };
      },
    }),
    patchSavedView: t.field({
      type: 'SavedViewMutationPayload',
      access: savedViewPolicy.patch,
      args: { input: t.arg({ type: patch, required: true }) },
      resolve: async (_root, { input: { id, name, content, isShared } }, { caller }) => {
        const { rowId, projectRowId } = await commands.patch(caller, {
          rowId: toRowId('SavedView', id),
          name: name ?? undefined,
          content: content ?? undefined,
          isShared: isShared ?? undefined,
        });
        return { viewRowId: rowId, projectRowId };
      },
    }),
    deleteSavedView: t.field({
      type: 'SavedViewMutationPayload',
      access: savedViewPolicy.delete,
      args: { input: t.arg({ type: remove, required: true }) },
      resolve: async (_root, { input: { id } }, { caller }) => {
        const { projectRowId } = await commands.delete(caller, toRowId('SavedView', id));
        return { viewRowId: null, projectRowId };
      },
    }),
  }));
}

function addDefaults(builder: Builder, commands: CommandCalls<SavedViewCommands>): void {
  const choice = builder.inputType('DefaultSavedViewInput', {
    fields: (t) => ({
      projectId: t.id({ required: true }),
      table: t.field({ type: 'SavedViewTable', required: true }),
      viewId: t.id({ description: 'Left out: the table opens with no view.' }),
    }),
  });
  const toChoice = (input: {
    readonly projectId: string;
    readonly table: ViewTable;
    readonly viewId?: string | null | undefined;
  }) => ({
    projectRowId: toRowId('Project', input.projectId),
    table: input.table,
    viewRowId: input.viewId == null ? null : toRowId('SavedView', input.viewId),
  });
  builder.mutationFields((t) => ({
    setOwnDefaultSavedView: t.field({
      type: 'SavedViewMutationPayload',
      access: savedViewPolicy.setOwnDefault,
      description: 'Decides what a table opens with for the caller. Wins over the shared default.',
      args: { input: t.arg({ type: choice, required: true }) },
      resolve: async (_root, { input }, { caller }) => {
        assertHasAccount(caller);
        const chosen = toChoice(input);
        await commands.setOwnDefault(caller, chosen);
        return chosen;
      },
    }),
    setSharedDefaultSavedView: t.field({
      type: 'SavedViewMutationPayload',
      access: savedViewPolicy.setSharedDefault,
      description: 'Decides what a table opens with for those who have no default of their own.',
      args: { input: t.arg({ type: choice, required: true }) },
      resolve: async (_root, { input }, { caller }) => {
        const chosen = toChoice(input);
        await commands.setSharedDefault(caller, chosen);
        return chosen;
      },
    }),
  }));
}
