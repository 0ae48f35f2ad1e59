/** Bulk actions over REST, below their project, so that keys limited to projects can use them. */
import { z } from 'zod';
import { idPattern } from '#api/rest/id-pattern';
import { queryBoolean, queryInteger } from '#api/rest/query';
import { defineRoute, type Route } from '#api/rest/route';
import { assertForward, orUnprocessable } from '#api/rest/unprocessable';
import { TIME } from '#api/rest/time';
import { AppError } from '#base/errors';
import { parseGlobalId } from '#base/global-id';
import { authorize } from '#domain/access';
import type { Caller } from '#domain/caller';
import type { BulkAction, BulkRows } from '#store/bulk/bulk-action';
import type { CommandCalls } from '#store/commands/command';
import { relationalProjectStore } from '#store/projects/relational-projects';
import { ANNOTATION_NAME, EXPLANATION, LABEL, METADATA, SCORE } from '../annotations/present.ts';
import { getProject } from '../projects/operations.ts';
import { type Services, storeOn } from '../slice.ts';
import type { BulkCommands } from './commands.ts';
import {
  annotateRows,
  cancelAction,
  deleteRows,
  findActions,
  getQueueRowId,
  listActions,
  MAX_IDS,
  MAX_LISTED,
  moveRows,
  queueRows,
  refuseNote,
} from './operations.ts';
import { bulkPolicy } from './policy.ts';
import { BULK_ACTION, presentAction, type ROW_NAMES } from './present.ts';
import { PROJECT_PARAMS } from '../projects/present.ts';

const IDS = z.array(z.string().meta({ pattern: idPattern(['Span', 'Trace', 'ProjectSession']) })).max(MAX_IDS);

const MATCHING = z
  .strictObject({
    start_time: TIME.optional().describe('Only rows that start at this time or later; sessions: that end then.'),
    end_time: TIME.optional().describe('Only rows that start before this time.'),
    filter: z.string().optional().describe('A filter in the filter language for the rows.'),
    trace_filter: z.string().optional().describe('For spans only: a filter that their traces match.'),
    root_spans_only: z.boolean().optional().describe('For spans only: those without a parent.'),
    except_ids: IDS.optional().describe('Ids of rows to leave out.'),
  })
  .meta({ id: 'BulkMatch' });

const SELECTION = {
  rows: z.enum(['spans', 'traces', 'sessions']),
  ids: IDS.min(1).optional().describe('Ids of spans, traces or sessions. Give either `ids` or `matching`.'),
  matching: MATCHING.optional().describe('All rows of the project that match.'),
};

const ANNOTATION = z
  .strictObject({
    name: ANNOTATION_NAME,
    label: LABEL,
    score: SCORE,
    explanation: EXPLANATION,
    metadata: METADATA,
  })
  .meta({ id: 'BulkAnnotation' });

const SAMPLE = z
  .strictObject({
    percent: z
      .number()
      .meta({ exclusiveMinimum: 0, maximum: 100 })
      .optional()
      .describe('A share of the rows: above 0, and 100 at most.'),
    count: z.int().meta({ minimum: 1 }).optional().describe('A number of rows.'),
  })
  .meta({
    id: 'BulkSample',
    oneOf: [{ required: ['percent'] }, { required: ['count'] }],
    description: 'Some of the rows, by chance: give either `percent` or `count`.',
  });

const EITHER = { oneOf: [{ required: ['ids'] }, { required: ['matching'] }] };

/** What is not understood might have been meant to narrow the action. */
const BODY = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('delete'), ...SELECTION }).meta(EITHER),
  z
    .strictObject({
      action: z.literal('move'),
      ...SELECTION,
      destination_project_identifier: z.string().describe('Id or name of a project.'),
    })
    .meta(EITHER),
  z.strictObject({ action: z.literal('annotate'), ...SELECTION, annotation: ANNOTATION }).meta(EITHER),
  z
    .strictObject({
      action: z.literal('queue'),
      ...SELECTION,
      queue_identifier: z.string().describe('Id or name of a review queue.'),
      sample: SAMPLE.optional(),
    })
    .meta(EITHER),
]);

type Body = z.output<typeof BODY>;

const ONE = z.object({ data: BULK_ACTION });
const ACTION = PROJECT_PARAMS.extend({ bulk_action_id: z.string().describe('Id of a bulk action.') });
const NOT_THERE = { description: 'There is no such project or bulk action.', contentType: 'text/plain' };

/** The routes. */
export function bulkRoutes(
  { read, bulkActions }: Pick<Services, 'read' | 'bulkActions'>,
  commands: CommandCalls<BulkCommands>,
): readonly Route[] {
  const projects = storeOn(read, relationalProjectStore);
  const parts = { commands, bulkActions };
  const start = async (caller: Caller, projectRowId: number, body: Body): Promise<BulkAction> => {
    const selection = toSelection(projectRowId, body);
    switch (body.action) {
      case 'delete':
        return deleteRows(caller, parts, selection);
      case 'move': {
        const { rowId } = await getProject(caller, projects, body.destination_project_identifier);
        return moveRows(caller, parts, selection, rowId);
      }
      case 'annotate':
        return annotateRows(caller, parts, selection, toSaid(body.annotation));
      case 'queue': {
        // Who does not reach queues learns of none.
        authorize(caller, bulkPolicy.queue);
        const queueRowId = await getQueueRowId(read(caller), body.queue_identifier);
        return queueRows(caller, parts, selection, { queueRowId, sample: body.sample });
      }
      default:
        return body satisfies never;
    }
  };
  const answer = (description: string) => ({ description, contentType: 'application/json', schema: ONE });
  return [
    defineRoute({
      method: 'POST',
      path: '/v1/projects/{project_identifier}/bulk_actions',
      operationId: 'startBulkAction',
      summary: 'Delete, move, annotate or queue many spans, traces or sessions',
      description:
        'Annotations are the caller’s own: each replaces what the caller said before under the same name. Up to 1,000 ids are done at once, all or none. More ids, or all that match, become a job. Spans that arrive later are left alone.',
      tag: 'traces',
      access: bulkPolicy.delete,
      params: PROJECT_PARAMS,
      body: BODY,
      exactFields: ['metadata'],
      replies: {
        200: answer('It is done.'),
        202: answer('A job does it.'),
        400: { description: 'The name `note` is reserved.', contentType: 'text/plain' },
        404: { description: 'There is no such project or queue.', contentType: 'text/plain' },
      },
      handler: async ({ caller, params, body }) => {
        const { rowId: projectRowId } = await getProject(caller, projects, params.project_identifier);
        if (body.action === 'annotate') refuseNote(body.annotation.name);
        const action = await orUnprocessable(start(caller, projectRowId, body));
        return { status: action.state === 'done' ? 200 : 202, body: { data: presentAction(action) } };
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/projects/{project_identifier}/bulk_actions',
      operationId: 'listBulkActions',
      summary: 'List the latest bulk actions of a project, newest first',
      tag: 'traces',
      access: bulkPolicy.read,
      params: PROJECT_PARAMS,
      query: z.object({
        limit: queryInteger(1, MAX_LISTED).default(20).describe('Maximum number of actions.'),
        is_running: queryBoolean().optional().describe('Only those that are not over.'),
      }),
      replies: {
        200: {
          description: 'The actions.',
          contentType: 'application/json',
          schema: z.object({ data: z.array(BULK_ACTION) }),
        },
        404: NOT_THERE,
      },
      handler: async ({ caller, params, query }) => {
        const { rowId } = await getProject(caller, projects, params.project_identifier);
        const options = { limit: query.limit, isUnfinished: query.is_running === true };
        const actions = await listActions(read(caller), rowId, options);
        return { body: { data: actions.map(presentAction) } };
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/projects/{project_identifier}/bulk_actions/{bulk_action_id}',
      operationId: 'getBulkAction',
      summary: 'Get the progress of a bulk action',
      tag: 'traces',
      access: bulkPolicy.read,
      params: ACTION,
      replies: { 200: answer('The action.'), 404: NOT_THERE },
      handler: async ({ caller, params }) => {
        const { rowId } = await getProject(caller, projects, params.project_identifier);
        const actionRowId = toActionRowId(params.bulk_action_id);
        const action: BulkAction | undefined = (await findActions(read(caller), [actionRowId])).get(actionRowId);
        if (action?.projectRowId !== rowId) throw noSuchAction();
        return { body: { data: presentAction(action) } };
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/v1/projects/{project_identifier}/bulk_actions/{bulk_action_id}/cancel',
      operationId: 'cancelBulkAction',
      summary: 'End a bulk action that is running',
      description: 'What is done stays done.',
      tag: 'traces',
      access: bulkPolicy.cancel,
      params: ACTION,
      replies: {
        200: answer('It was ended.'),
        404: NOT_THERE,
        409: { description: 'It is over already.', contentType: 'text/plain' },
      },
      handler: async ({ caller, params }) => {
        const { rowId } = await getProject(caller, projects, params.project_identifier);
        const action = await cancelAction(caller, parts, toActionRowId(params.bulk_action_id), rowId);
        return { body: { data: presentAction(action) } };
      },
    }),
  ];
}

function toSelection(projectRowId: number, { rows, ids, matching }: Body) {
  if (matching !== undefined) assertForward(matching.start_time, matching.end_time);
  return {
    projectRowId,
    rows: ROWS[rows],
    ids,
    matching: matching && {
      startTimeUs: matching.start_time,
      endTimeUs: matching.end_time,
      filter: matching.filter,
      traceFilter: matching.trace_filter,
      rootsOnly: matching.root_spans_only,
      exceptIds: matching.except_ids,
    },
  };
}

function toSaid({ name, label = null, score = null, explanation = null, metadata }: z.output<typeof ANNOTATION>) {
  return { name, label, score, explanation, metadata: JSON.stringify(metadata ?? {}) };
}

const ROWS = { spans: 'span', traces: 'trace', sessions: 'session' } as const satisfies Record<
  (typeof ROW_NAMES)[BulkRows],
  BulkRows
>;

function toActionRowId(id: string): number {
  const rowId = parseGlobalId('BulkAction', id);
  if (rowId === undefined) throw noSuchAction();
  return rowId;
}

function noSuchAction(): AppError {
  return new AppError('not_found', 'There is no such bulk action.');
}
