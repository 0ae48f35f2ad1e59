import { z } from 'zod';
import { idPattern } from '#api/rest/id-pattern';
import { AppError } from '#base/errors';
import { formatGlobalId, parseGlobalId } from '#base/global-id';
import { DAMAGED, nameDamaged } from '#api/rest/damaged';
import { pageFields } from '#api/rest/query';
import { defineRoute, type Route } from '#api/rest/route';
import { UnprocessableError } from '#api/rest/unprocessable';
import type { ForCaller } from '#domain/caller';
import type { LogBrowser, LogOriginal } from '#store/logs/port';
import type { ProjectStore } from '#store/projects/port';
import { ORIGINAL_FORMATS, type OriginalFormat, type TelemetryRef } from '#store/spans/port';
import { getProject } from '../projects/operations.ts';
import { toOtelId } from '../traces/operations.ts';
import { ORIGINAL_CONTENT_TYPES, preferredOriginalFormat, presentOriginal, TRACE_PARAMS } from '../traces/present.ts';
import { logPolicy } from './policy.ts';
import { PROJECT_PARAMS } from '../projects/present.ts';
import { SPAN_PARAMS } from '../spans/present/params.ts';

/** Where the next page begins: the body is a message, which has no place for it. */
const NEXT_CURSOR = 'x-next-cursor';

const LEAVES_OUT = `Damaged log records are left out; the header \`${DAMAGED}\` names them.`;

const FORMAT = z.enum(ORIGINAL_FORMATS).optional().describe('Overrides the header `Accept`.');

const MESSAGE = { description: 'The message.', contentType: Object.values(ORIGINAL_CONTENT_TYPES) };

/** Routes of log records. */
export function logRoutes(projects: ForCaller<ProjectStore>, logs: ForCaller<LogBrowser>): readonly Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/traces/{trace_identifier}/logs/original',
      operationId: 'getTraceLogsOriginal',
      summary: 'Get the log records of a trace as they arrived',
      description: `An OTLP \`ExportLogsServiceRequest\` with all log records of the trace, including those that belong to no span; byte for byte when sent as protobuf. ${LEAVES_OUT}`,
      tag: 'traces',
      access: logPolicy.readOriginal,
      params: TRACE_PARAMS,
      query: z.object({ format: FORMAT }),
      replies: { 200: MESSAGE, 404: { description: 'There is no such trace.', contentType: 'text/plain' } },
      handler: ({ caller, params: { trace_identifier: id }, query, header }) =>
        present(query.format ?? preferredOriginalFormat(header('accept')), `trace ${id}`, (format) =>
          logs(caller).readTraceLogs(toRef('Trace', id), format),
        ),
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/spans/{span_identifier}/logs/original',
      operationId: 'getSpanLogsOriginal',
      summary: 'Get the log records of a span as they arrived',
      description: `An OTLP \`ExportLogsServiceRequest\` with the log records that belong to the span; byte for byte when sent as protobuf. ${LEAVES_OUT}`,
      tag: 'spans',
      access: logPolicy.readOriginal,
      params: SPAN_PARAMS,
      query: z.object({ format: FORMAT }),
      replies: { 200: MESSAGE, 404: { description: 'There is no such span.', contentType: 'text/plain' } },
      handler: ({ caller, params: { span_identifier: id }, query, header }) =>
        present(query.format ?? preferredOriginalFormat(header('accept')), `span ${id}`, (format) =>
          logs(caller).readSpanLogs(toRef('Span', id), format),
        ),
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/projects/{project_identifier}/logs/original',
      operationId: 'getProjectLogsOriginal',
      summary: 'Get the log records of a project that belong to no span, as they arrived',
      description: `An OTLP \`ExportLogsServiceRequest\`, the latest arrival first; byte for byte when sent as protobuf. If there are more, the header \`${NEXT_CURSOR}\` holds the cursor of the next page. ${LEAVES_OUT}`,
      tag: 'projects',
      access: logPolicy.readUnattached,
      params: PROJECT_PARAMS,
      query: z.object({ ...pageFields(100, 1000, idPattern('LogRecord')), format: FORMAT }),
      replies: { 200: MESSAGE, 404: { description: 'There is no such project.', contentType: 'text/plain' } },
      handler: async ({ caller, params, query, header }) => {
        const project = await getProject(caller, projects, params.project_identifier);
        const below = query.cursor === undefined ? null : parseGlobalId('LogRecord', query.cursor);
        if (below === undefined) throw new UnprocessableError('Invalid cursor: use the cursor of the previous page.');
        const format = query.format ?? preferredOriginalFormat(header('accept'));
        const page = await logs(caller).readUnattachedLogs(project.rowId, { limit: query.limit, below }, format);
        const reply = presentLogs(page, format);
        const next = page.nextBelow === null ? {} : { [NEXT_CURSOR]: formatGlobalId('LogRecord', page.nextBelow) };
        return { ...reply, headers: { ...reply.headers, ...next } };
      },
    }),
  ];
}

function toRef(type: 'Trace' | 'Span', identifier: string): TelemetryRef {
  const rowId = parseGlobalId(type, identifier);
  return rowId === undefined ? { otelId: toOtelId(type === 'Trace' ? 'trace' : 'span', identifier) } : { rowId };
}

/** @throws AppError `not_found` */
async function present(
  format: OriginalFormat,
  what: string,
  read: (format: OriginalFormat) => Promise<LogOriginal | undefined>,
) {
  const original = await read(format);
  if (original === undefined) throw new AppError('not_found', `There is no ${what}.`);
  return presentLogs(original, format);
}

function presentLogs(original: LogOriginal, format: OriginalFormat) {
  const reply = presentOriginal(original, format);
  const names = original.damagedRowIds.map((rowId) => formatGlobalId('LogRecord', rowId));
  return { ...reply, headers: { ...reply.headers, ...nameDamaged(names) } };
}
