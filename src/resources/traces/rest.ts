import { z } from 'zod';
import { OPAQUE_CURSOR } from '#api/rest/id-pattern';
import { pageFields, queryBoolean, queryDecimal, queryTime } from '#api/rest/query';
import { DAMAGED, damageHeaders } from '#api/rest/damaged';
import { defineRoute, type Route } from '#api/rest/route';
import { assertForward, pageOrInvalidCursor } from '#api/rest/unprocessable';
import type { ForCaller } from '#domain/caller';
import { SPAN_KINDS, SPAN_STATUS_CODES } from '#domain/span';
import type { ProjectStore } from '#store/projects/port';
import { ORIGINAL_FORMATS, type SpanStore } from '#store/spans/port';
import { readFilterParameter } from '../filters/operations.ts';
import { getProject } from '../projects/operations.ts';
import { getTraceOriginal, toSessionRef } from './operations.ts';
import { tracePolicy } from './policy.ts';
import {
  ORIGINAL_CONTENT_TYPES,
  preferredOriginalFormat,
  presentOriginal,
  presentTrace,
  TRACE_PARAMS,
} from './present.ts';
import { PROJECT_PARAMS } from '../projects/present.ts';

const TRACE_SPAN = z
  .object({
    id: z.string(),
    span_id: z.string(),
    parent_id: z.string().nullable(),
    name: z.string(),
    span_kind: z.enum(SPAN_KINDS),
    status_code: z.enum(SPAN_STATUS_CODES),
    start_time: z.string(),
    end_time: z.string(),
  })
  .meta({ id: 'TraceSpan' });

const TRACE = z
  .object({
    id: z.string(),
    trace_id: z.string(),
    project_id: z.string(),
    start_time: z.string(),
    end_time: z.string(),
    token_count_prompt: z.int(),
    token_count_completion: z.int(),
    token_count_total: z.int(),
    latency_ms: z.number(),
    num_spans: z.int(),
    error_count: z.int().describe('Number of failed spans.'),
    prompt_cost: z
      .number()
      .describe('Counted cost in US dollars; 0 if nothing has a price. The other costs are alike.'),
    completion_cost: z.number(),
    total_cost: z.number().describe('Prompt, completion, and what is known to be neither.'),
    spans: z.array(TRACE_SPAN).nullable(),
  })
  .meta({ id: 'Trace' });

/** Routes of traces. */
export function traceRoutes(projects: ForCaller<ProjectStore>, spans: ForCaller<SpanStore>): readonly Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/projects/{project_identifier}/traces',
      operationId: 'listProjectTraces',
      summary: 'List the traces of a project',
      tag: 'traces',
      access: tracePolicy.list,
      params: PROJECT_PARAMS,
      query: z.object({
        ...pageFields(100, 1000, OPAQUE_CURSOR),
        start_time: queryTime().optional().describe('Only traces that start at this time or later.'),
        end_time: queryTime().optional().describe('Only traces that start before this time.'),
        sort: z.enum(['start_time', 'latency_ms']).default('start_time'),
        order: z.enum(['asc', 'desc']).default('desc'),
        include_spans: queryBoolean().default(false).describe('Adds the spans of each trace, earliest start first.'),
        session_identifier: z
          .array(z.string())
          .optional()
          .describe('Global ids or session ids; traces may belong to any of them. Unknown ones match nothing.'),
        error: queryBoolean().optional().meta({
          description: 'Whether any span of the trace failed. Use `filter` with `error_count > 0` instead.',
          deprecated: true,
        }),
        min_latency_ms: queryDecimal()
          .optional()
          .meta({ description: 'Use `filter` with `latency_ms >= 5` instead.', deprecated: true }),
        max_latency_ms: queryDecimal()
          .optional()
          .meta({ description: 'Use `filter` with `latency_ms <= 5` instead.', deprecated: true }),
        filter: z
          .string()
          .optional()
          .describe(
            'A filter in the filter language for traces. A page may have fewer traces than the limit, or none.',
          ),
      }),
      replies: {
        200: {
          description: 'A page of traces.',
          contentType: 'application/json',
          schema: z.object({ data: z.array(TRACE), next_cursor: z.string().nullable() }),
        },
        400: { description: 'The filter is not valid.', contentType: 'text/plain' },
        404: { description: 'There is no such project.', contentType: 'text/plain' },
      },
      handler: async ({ caller, params, query }) => {
        const project = await getProject(caller, projects, params.project_identifier);
        assertForward(query.start_time, query.end_time);
        const condition = readFilterParameter('trace', query.filter);
        const filter = {
          projectRowId: project.rowId,
          startTimeUs: query.start_time,
          endTimeUs: query.end_time,
          hasErrors: query.error,
          minLatencyUs: toMicroseconds(query.min_latency_ms),
          maxLatencyUs: toMicroseconds(query.max_latency_ms),
          sessions: query.session_identifier?.map(toSessionRef),
          condition,
        };
        const page = { sort: query.sort, order: query.order, limit: query.limit, cursor: query.cursor ?? null };
        const traces = await pageOrInvalidCursor(spans(caller).listTraces(filter, page, query.include_spans));
        const data = traces.data.map((trace) =>
          presentTrace(trace, query.include_spans ? (traces.spans.get(trace.rowId) ?? []) : null),
        );
        return { body: { data, next_cursor: traces.nextCursor } };
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/traces/{trace_identifier}/original',
      operationId: 'getTraceOriginal',
      summary: 'Get a trace as it arrived',
      description: `An OTLP \`ExportTraceServiceRequest\` with all spans of the trace; byte for byte when sent as protobuf. Spans whose originals are damaged are left out; the header \`${DAMAGED}\` names them.`,
      tag: 'traces',
      access: tracePolicy.readOriginal,
      params: TRACE_PARAMS,
      query: z.object({ format: z.enum(ORIGINAL_FORMATS).optional().describe('Overrides the header `Accept`.') }),
      replies: {
        200: { description: 'The message.', contentType: Object.values(ORIGINAL_CONTENT_TYPES) },
        404: { description: 'There is no such trace.', contentType: 'text/plain' },
      },
      handler: async ({ caller, params, query, header }) => {
        const format = query.format ?? preferredOriginalFormat(header('accept'));
        const original = await getTraceOriginal(caller, spans, params.trace_identifier, format);
        const reply = presentOriginal(original, format);
        return { ...reply, headers: { ...reply.headers, ...damageHeaders(original.damaged) } };
      },
    }),
  ];
}

function toMicroseconds(milliseconds: number | undefined): number | undefined {
  return milliseconds === undefined ? undefined : Math.round(milliseconds * 1000);
}
