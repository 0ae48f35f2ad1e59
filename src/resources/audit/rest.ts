import { Readable } from 'node:stream';
import { z } from 'zod';
import { idPattern, timeCursorPattern } from '#api/rest/id-pattern';
import { pageFields, queryTime } from '#api/rest/query';
import { defineRoute, type Route } from '#api/rest/route';
import { assertForward, UnprocessableError } from '#api/rest/unprocessable';
import { AppError } from '#base/errors';
import { splitGlobalId } from '#base/global-id';
import type { AuditEvent, AuditFilter } from '#domain/audit-event';
import type { CommandCalls } from '#store/commands/command';
import { formatCursor, parseCursor } from '#store/queries/cursor';
import type { Services } from '../slice.ts';
import type { AuditCommands } from './commands.ts';
import { positionOf, readAuditPages, toAuditObjects } from './operations.ts';
import { auditPolicy } from './policy.ts';
import { CSV_HEADER, presentAuditEvent, toCsvLine, toJsonLine } from './present.ts';
import { listAuditEvents } from './queries.ts';

const AUDIT_EVENT = z
  .object({
    id: z.string(),
    occurred_at: z.string(),
    outcome: z.enum(['done', 'refused']),
    operation: z.string().describe('As `users.create`.'),
    count: z.int().describe('How often; refusals of the same kind are summed by minute.'),
    caller_kind: z.string().describe('`user`, `system_key`, `admin_secret`, `system`, `anonymous` or `nobody`.'),
    caller_name: z.string().nullable().describe('The name then.'),
    user_id: z.string().nullable(),
    key_id: z
      .string()
      .nullable()
      .describe('Id of the personal key that the user acted by, which may be deleted since.'),
    key_name: z.string().nullable().describe('Its name.'),
    address: z.string().nullable(),
    object_type: z.string().nullable(),
    object_id: z.string().nullable().describe('The object may be deleted since.'),
    object_name: z.string().nullable().describe('The name then.'),
    project_id: z.string().nullable(),
    changes: z.array(z.string()).describe('Names of what changed, never values.'),
  })
  .meta({ id: 'AuditEvent' });

const FILTER = {
  operation: z.string().max(200).optional().describe('As `users.create`.'),
  outcome: z.enum(['done', 'refused']).optional(),
  caller_name: z.string().max(1000).optional(),
  user_id: z
    .string()
    .meta({ pattern: idPattern('User') })
    .optional()
    .describe('Id of the account that acted.'),
  object_id: z.string().optional().describe('Id of what it was done to.'),
  start_time: queryTime().optional().describe('Inclusive.'),
  end_time: queryTime().optional().describe('Exclusive.'),
};

const MAX_PAGE = 1000;

/** Routes of the log of who did what. */
export function auditRoutes({ read }: Pick<Services, 'read'>, commands: CommandCalls<AuditCommands>): readonly Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/audit_events',
      operationId: 'listAuditEvents',
      summary: 'List who did what, the latest first',
      tag: 'audit',
      access: auditPolicy.list,
      query: z.object({ ...pageFields(100, MAX_PAGE, timeCursorPattern()), ...FILTER }),
      replies: {
        200: {
          description: 'A page of events.',
          contentType: 'application/json',
          schema: z.object({ data: z.array(AUDIT_EVENT), next_cursor: z.string().nullable() }),
        },
      },
      handler: async ({ caller, query: { cursor, limit, ...filter } }) => {
        const after = orUnprocessable(() => parseCursor('DATETIME', cursor ?? null));
        const events = await listAuditEvents(read(caller), toFilter(filter), { after, limit: limit + 1 });
        const page = events.slice(0, limit);
        const last = events.length > limit ? page.at(-1) : undefined;
        return {
          body: {
            data: page.map(presentAuditEvent),
            next_cursor: last === undefined ? null : formatCursor('DATETIME', positionOf(last)),
          },
        };
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/audit_events/export',
      operationId: 'exportAuditEvents',
      summary: 'Export who did what as a file, the latest first',
      description: 'The export itself is an event, too.',
      tag: 'audit',
      access: auditPolicy.export,
      query: z.object({ format: z.enum(['csv', 'jsonl']).default('csv'), ...FILTER }),
      replies: {
        200: {
          description: 'All events that match: CSV with a header, or a JSON object on each line.',
          contentType: [CONTENT_TYPES.csv, CONTENT_TYPES.jsonl],
        },
      },
      handler: async ({ caller, query: { format, ...filter } }) => {
        const chosen = toFilter(filter);
        await commands.export(caller, format);
        return {
          contentType: CONTENT_TYPES[format],
          headers: { 'content-disposition': `attachment; filename="audit-events.${format}"` },
          body: Readable.from(formatPages(readAuditPages(caller, read, chosen), format), { objectMode: false }),
        };
      },
    }),
  ];
}

const CONTENT_TYPES = { csv: 'text/csv; charset=utf-8', jsonl: 'application/jsonl' } as const;

async function* formatPages(pages: AsyncIterable<readonly AuditEvent[]>, format: keyof typeof CONTENT_TYPES) {
  if (format === 'csv') yield CSV_HEADER;
  for await (const events of pages) yield events.map(format === 'csv' ? toCsvLine : toJsonLine).join('');
}

function toFilter(query: z.output<z.ZodObject<typeof FILTER>>): AuditFilter {
  const { operation = null, outcome = null, caller_name: callerName = null } = query;
  const { start_time: startUs = null, end_time: endUs = null } = query;
  assertForward(startUs, endUs);
  // A text that is no id is the id of nothing.
  const objectId =
    query.object_id !== undefined && splitGlobalId(query.object_id) === undefined ? NO_OBJECT : query.object_id;
  const objects = orUnprocessable(() => toAuditObjects({ userId: query.user_id, objectId }));
  return { operation, outcome, callerName, ...objects, startUs, endUs };
}

const NO_OBJECT = Buffer.from('None:0').toString('base64');

function orUnprocessable<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof AppError ? new UnprocessableError(error.message, error) : error;
  }
}
