import type { Builder, TimeRange } from '#api/graphql/builder';
import { toRowId } from '#api/graphql/nodes';
import { defineRowLoader } from '#api/graphql/row-loader';
import type { SchemaKit } from '#api/graphql/schema';
import { toTimeBounds } from '#api/graphql/time-bounds';
import { AppError } from '#base/errors';
import { formatGlobalId } from '#base/global-id';
import { type JsonValue, jsonObject } from '#base/json';
import type { BulkAction, BulkRows } from '#store/bulk/bulk-action';
import type { CommandCalls } from '#store/commands/command';
import { toMetadata } from '../annotations/operations.ts';
import type { TypeServices } from '../slice.ts';
import type { BulkCommands } from './commands.ts';
import {
  annotateRows,
  type BulkParts,
  cancelAction,
  deleteRows,
  findActions,
  listActions,
  MAX_LISTED,
  moveRows,
  queueRows,
  refuseNote,
  type Selection,
  toQueueRowId,
} from './operations.ts';
import { bulkPolicy } from './policy.ts';

declare module '#api/graphql/builder' {
  interface ObjectRows {
    BulkAction: BulkAction;
  }
  interface EnumValues {
    BulkRows: BulkRows;
  }
}

/** Adds what does something to many rows at once, and what tells how far that is. */
export function addBulkTypes(
  { builder, nodes }: SchemaKit,
  { read, bulkActions, load }: Pick<TypeServices, 'read' | 'bulkActions' | 'load'>,
  commands: CommandCalls<BulkCommands>,
): void {
  nodes.add(
    'BulkAction',
    defineRowLoader((caller, rowIds) => findActions(read(caller), rowIds)),
  );
  const rows = addRows(builder);
  addAction(builder, rows, load);
  builder.objectField('Project', 'bulkActions', (t) =>
    t.field({
      type: ['BulkAction'],
      access: bulkPolicy.read,
      cost: 20,
      description: 'The latest bulk actions, newest first; at most a hundred.',
      args: {
        first: t.arg.int({ required: true }),
        isRunning: t.arg.boolean({ description: 'Only those that are not over.' }),
      },
      resolve: async ({ rowId }, { first, isRunning }, { caller }) => {
        if (first < 1 || first > MAX_LISTED) {
          throw new AppError('invalid_argument', `first must be between 1 and ${MAX_LISTED}.`);
        }
        return [...(await listActions(read(caller), rowId, { limit: first, isUnfinished: isRunning === true }))];
      },
    }),
  );
  addMutations(builder, rows, { commands, bulkActions });
}

function addRows(builder: Builder) {
  return builder.enumType('BulkRows', {
    values: { SPANS: { value: 'span' }, TRACES: { value: 'trace' }, SESSIONS: { value: 'session' } } as const,
  });
}

type Rows = ReturnType<typeof addRows>;

function addAction(builder: Builder, rows: Rows, load: TypeServices['load']): void {
  const kind = builder.enumType('BulkActionKind', {
    values: {
      DELETE: { value: 'delete' },
      MOVE: { value: 'move' },
      ANNOTATE: { value: 'annotate' },
      QUEUE: { value: 'queue' },
    } as const,
  });
  const state = builder.enumType('BulkActionState', {
    values: {
      RUNNING: { value: 'running' },
      PAUSED: { value: 'paused' },
      DONE: { value: 'done' },
      FAILED: { value: 'failed' },
      CANCELLED: { value: 'cancelled' },
    } as const,
  });
  builder.objectType('BulkAction', {
    description: 'Many rows that are deleted, moved, annotated or added to a review queue: at once, or by a job.',
    access: bulkPolicy.read,
    interfaces: ['Node'],
    fields: (t) => ({
      kind: t.field({ type: kind, resolve: (action) => action.kind }),
      rows: t.field({ type: rows, resolve: (action) => action.rows }),
      projectId: t.id({ resolve: ({ projectRowId }) => formatGlobalId('Project', projectRowId) }),
      project: t.field({
        type: 'Project',
        nullable: true,
        description: 'Null once it is deleted.',
        resolve: ({ projectRowId }, _args, context) => load.project(context, projectRowId),
      }),
      toProject: t.field({
        type: 'Project',
        nullable: true,
        description: 'Where rows are moved to; null once it is deleted.',
        resolve: ({ toProjectRowId }, _args, context) =>
          toProjectRowId === null ? null : load.project(context, toProjectRowId),
      }),
      annotationName: t.exposeString('annotationName', {
        nullable: true,
        description: 'What rows are annotated with.',
      }),
      queueId: t.id({
        nullable: true,
        description: 'The review queue that rows are added to.',
        resolve: ({ queueRowId }) => (queueRowId === null ? null : formatGlobalId('AnnotationQueue', queueRowId)),
      }),
      state: t.field({ type: state, resolve: (action) => action.state }),
      totalCount: t.int({
        nullable: true,
        description: 'Rows that it is about; null while a job still finds out which these are.',
        resolve: ({ totalCount }) => totalCount,
      }),
      notedCount: t.exposeInt('notedCount', { description: 'Rows noted so far.' }),
      doneCount: t.exposeInt('doneCount', { description: 'Rows that are done.' }),
      goneCount: t.exposeInt('goneCount', {
        description: 'Rows that were no longer there: somebody else deleted or moved them.',
      }),
      refusedCount: t.exposeInt('refusedCount', {
        description: 'Rows that could not be changed and stay as they are.',
      }),
      error: t.exposeString('error', { nullable: true, description: 'Why it failed.' }),
      startedAt: t.expose('startedAtUs', { type: 'DateTime' }),
      finishedAt: t.field({ type: 'DateTime', nullable: true, resolve: ({ finishedAtUs }) => finishedAtUs }),
    }),
  });
}

function addSelection(builder: Builder, rows: Rows) {
  const matching = builder.inputType('BulkMatchInput', {
    description: 'All rows of a project that match and have arrived.',
    fields: (t) => ({
      timeRange: t.field({ type: 'TimeRange', description: 'As the list of the rows takes it.' }),
      filterCondition: t.string({ description: 'A filter in the filter language for the rows.' }),
      traceFilterCondition: t.string({
        description: 'For spans only: a filter in the filter language for traces, which their traces match.',
      }),
      rootSpansOnly: t.boolean({ description: 'For spans only: those without a parent.' }),
      exceptIds: t.idList({ description: 'Ids of rows to leave out, at most 10,000.' }),
    }),
  });
  return builder.inputType('BulkSelectionInput', {
    description: 'Rows of a project: give either `ids` or `matching`.',
    fields: (t) => ({
      projectId: t.id({ required: true }),
      rows: t.field({ type: rows, required: true }),
      ids: t.idList({ description: 'Ids of spans, traces or sessions, at most 10,000.' }),
      matching: t.field({ type: matching }),
    }),
  });
}

function addMutations(builder: Builder, rows: Rows, parts: BulkParts): void {
  const selection = addSelection(builder, rows);
  const annotation = builder.inputType('BulkAnnotationInput', {
    description: 'What is said of each row.',
    fields: (t) => ({
      name: t.string({ required: true }),
      label: t.string(),
      score: t.float(),
      explanation: t.string(),
      metadata: t.field({ type: 'JSON', description: 'An object; empty unless given.' }),
    }),
  });
  const sample = builder.inputType('BulkSampleInput', {
    description: 'Some of the rows, by chance: give either `percent` or `count`. The same rows are chosen each time.',
    fields: (t) => ({
      percent: t.float({ description: 'A share of the rows: above 0, and 100 at most.' }),
      count: t.int({ description: 'A number of rows.' }),
    }),
  });
  builder.mutationFields((t) => ({
    bulkDelete: t.field({
      type: 'BulkAction',
      access: bulkPolicy.delete,
      description:
        'Deletes many rows: traces, sessions with their traces, or single spans. Up to 1,000 ids are deleted at once; for more, a job is started.',
      args: { input: t.arg({ type: selection, required: true }) },
      resolve: (_root, { input }, { caller }) => deleteRows(caller, parts, toSelection(input)),
    }),
    bulkMove: t.field({
      type: 'BulkAction',
      access: bulkPolicy.move,
      description:
        'Moves many rows to another project: traces, the traces of sessions, or the traces that spans belong to. Up to 1,000 ids are moved at once; for more, a job is started.',
      args: { input: t.arg({ type: selection, required: true }), toProjectId: t.arg.id({ required: true }) },
      resolve: (_root, { input, toProjectId }, { caller }) =>
        moveRows(caller, parts, toSelection(input), toRowId('Project', toProjectId)),
    }),
    bulkAnnotate: t.field({
      type: 'BulkAction',
      access: bulkPolicy.annotate,
      description:
        'Annotates many rows, all with the same answer. It is the caller’s own, as in the annotate panel: it replaces what the caller said of a row before under the same name. Up to 1,000 ids are annotated at once; for more, a job is started.',
      args: {
        input: t.arg({ type: selection, required: true }),
        annotation: t.arg({ type: annotation, required: true }),
      },
      resolve: (_root, { input, annotation: said }, { caller }) =>
        annotateRows(caller, parts, toSelection(input), toSaid(said)),
    }),
    bulkQueue: t.field({
      type: 'BulkAction',
      access: bulkPolicy.queue,
      description:
        'Adds many rows, or by chance some of them, to a review queue, each once. Up to 1,000 ids are added at once; for more, a job is started.',
      args: {
        input: t.arg({ type: selection, required: true }),
        queueId: t.arg.id({ required: true }),
        sample: t.arg({ type: sample }),
      },
      resolve: (_root, { input, queueId, sample: some }, { caller }) =>
        queueRows(caller, parts, toSelection(input), {
          queueRowId: toQueueRowId(queueId),
          sample: some,
        }),
    }),
    cancelBulkAction: t.field({
      type: 'BulkAction',
      access: bulkPolicy.cancel,
      description: 'Ends a bulk action that is running. What is done stays done.',
      args: { id: t.arg.id({ required: true }) },
      resolve: (_root, { id }, { caller }) => cancelAction(caller, parts, toRowId('BulkAction', id)),
    }),
  }));
}

interface SelectionInput extends Pick<Selection, 'rows'> {
  readonly projectId: string | number;
  readonly ids?: readonly (string | number)[] | null | undefined;
  readonly matching?:
    | {
        readonly timeRange?: TimeRange | null | undefined;
        readonly filterCondition?: string | null | undefined;
        readonly traceFilterCondition?: string | null | undefined;
        readonly rootSpansOnly?: boolean | null | undefined;
        readonly exceptIds?: readonly (string | number)[] | null | undefined;
      }
    | null
    | undefined;
}

function toSelection({ projectId, rows, ids, matching }: SelectionInput): Selection {
  return {
    projectRowId: toRowId('Project', String(projectId)),
    rows,
    ids: ids?.map(String),
    matching: matching && {
      ...toTimeBounds(matching.timeRange),
      filter: matching.filterCondition,
      traceFilter: matching.traceFilterCondition,
      rootsOnly: matching.rootSpansOnly,
      exceptIds: matching.exceptIds?.map(String),
    },
  };
}

interface SaidInput {
  readonly name: string;
  readonly label?: string | null | undefined;
  readonly score?: number | null | undefined;
  readonly explanation?: string | null | undefined;
  readonly metadata?: JsonValue | undefined;
}

function toSaid({ name, label = null, score = null, explanation = null, metadata }: SaidInput) {
  refuseNote(name);
  return { name, label, score, explanation, metadata: toMetadata(metadata ?? jsonObject()) };
}
