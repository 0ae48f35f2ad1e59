import { z } from 'zod';
import { releaseBuffer } from '#base/release-buffer';
import { OPAQUE_CURSOR } from '#api/rest/id-pattern';
import { pageFields, queryTime } from '#api/rest/query';
import { DAMAGED, damageHeaders } from '#api/rest/damaged';
import { defineRoute, type Route } from '#api/rest/route';
import { pageOrInvalidCursor } from '#api/rest/unprocessable';
import type { Caller, ForCaller } from '#domain/caller';
import { SPAN_KINDS, SPAN_STATUS_CODES } from '#domain/span';
import type { ProjectStore } from '#store/projects/port';
import { ORIGINAL_FORMATS, type SpanPresentation, type SpanStore } from '#store/spans/port';
import { readFilterParameter } from '../filters/operations.ts';
import { getProject } from '../projects/operations.ts';
import { ORIGINAL_CONTENT_TYPES, preferredOriginalFormat, presentOriginal } from '../traces/present.ts';
import { getSpanOriginal, toSpanFilter } from './operations.ts';
import { spanPolicy } from './policy.ts';
import { PROJECT_PARAMS } from '../projects/present.ts';
import { SPAN_PARAMS } from './present/params.ts';

const SPAN = z
  .object({
    id: z.string(),
    name: z.string(),
    context: z.object({ trace_id: z.string(), span_id: z.string() }),
    span_kind: z.string(),
    parent_id: z.string().nullable(),
    start_time: z.string(),
    end_time: z.string(),
    status_code: z.enum(SPAN_STATUS_CODES),
    status_message: z.string(),
    attributes: z.record(z.string(), z.unknown()),
    events: z.array(
      z.object({ name: z.string(), timestamp: z.string(), attributes: z.record(z.string(), z.unknown()) }),
    ),
    derived_attributes: z.record(z.string(), z.unknown()).optional().meta({
      description: 'Facts derived from the rest of the span. Filters read them as attributes; null hides one.',
    }),
  })
  .meta({ id: 'Span' });

const OTLP_ATTRIBUTES = z.array(
  z
    .object({
      key: z.string(),
      value: z.object({
        array_value: z.object({ values: z.array(z.unknown()) }).nullable(),
        bool_value: z.boolean().nullable(),
        bytes_value: z.string().nullable(),
        double_value: z.number().nullable(),
        int_value: z.union([z.int(), z.string()]).nullable(),
        kvlist_value: z.unknown().nullable(),
        string_value: z.string().nullable(),
      }),
    })
    .meta({ id: 'OtlpKeyValue' }),
);

const OTLP_SPAN = z
  .object({
    trace_id: z.string(),
    span_id: z.string(),
    parent_span_id: z.string().nullable(),
    name: z.string(),
    kind: z.string(),
    start_time_unix_nano: z.number(),
    end_time_unix_nano: z.number(),
    attributes: OTLP_ATTRIBUTES,
    events: z
      .array(
        z.object({
          name: z.string(),
          attributes: OTLP_ATTRIBUTES,
          time_unix_nano: z.number(),
          dropped_attributes_count: z.null(),
        }),
      )
      .nullable(),
    status: z.object({ code: z.int(), message: z.string().nullable() }),
    links: z
      .array(
        z.object({
          trace_id: z.string(),
          span_id: z.string(),
          trace_state: z.string().nullable(),
          attributes: OTLP_ATTRIBUTES,
        }),
      )
      .nullable(),
    trace_state: z.string().nullable(),
    flags: z.int().nullable(),
    dropped_attributes_count: z.int().nullable(),
    dropped_events_count: z.int().nullable(),
    dropped_links_count: z.int().nullable(),
  })
  .meta({ id: 'OtlpSpan' });

/** Each becomes a condition of the statement, whose depth is bounded. */
const MAX_ATTRIBUTES = 100;

/** A word of a list in any case, for the document. */
function anyCase(words: readonly string[]) {
  const forms = words.map((word) => word.replaceAll(/[A-Z]/g, (letter) => `[${letter}${letter.toLowerCase()}]`));
  return z.string().meta({ pattern: `^(?:${forms.join('|')})$` });
}

const SPAN_QUERY = z.object({
  ...pageFields(100, 1000, OPAQUE_CURSOR),
  sort: z.enum(['id', 'start_time']).default('id').describe('`id` is the order of arrival.'),
  order: z.enum(['asc', 'desc']).default('desc'),
  start_time: queryTime().optional().describe('Only spans that start at this time or later.'),
  end_time: queryTime().optional().describe('Only spans that start before this time.'),
  trace_id: z.array(z.string()).optional().describe('OpenTelemetry ids; spans may have any of them.'),
  span_id: z.array(z.string()).optional().describe('OpenTelemetry ids; spans may have any of them.'),
  parent_id: z.string().optional().describe('OpenTelemetry id, or `null` for spans without a parent.'),
  name: z.array(z.string()).optional().describe('Exact names; spans may have any of them.'),
  span_kind: z.array(anyCase(SPAN_KINDS)).optional().describe('Kinds, in any case; spans may have any of them.'),
  status_code: z
    .array(anyCase(SPAN_STATUS_CODES))
    .optional()
    .describe('OK, ERROR or UNSET, in any case; spans may have any of them.'),
  attribute: z
    .array(z.string().meta({ pattern: '^[^:]+:[^\\[{\\s]' }))
    .max(MAX_ATTRIBUTES)
    .optional()
    .describe(
      '`key:value`; spans must have all of them. The value is a JSON string, number or boolean, otherwise plain text.',
    ),
  filter: z
    .string()
    .optional()
    .describe(
      'A filter in the filter language for spans, in addition to the other parameters. A page may have fewer spans than the limit, or none.',
    ),
});

const BEFORE_SPANS = Buffer.from('{"data":[');

/** Where the next page begins: the body is a message, which has no place for it. */
const NEXT_CURSOR = 'x-next-cursor';

const FORMAT = z.enum(ORIGINAL_FORMATS).optional().describe('Overrides the header `Accept`.');

const MESSAGE = { description: 'The message.', contentType: Object.values(ORIGINAL_CONTENT_TYPES) };

/** Routes of spans. */
export function spanRoutes(projects: ForCaller<ProjectStore>, spans: ForCaller<SpanStore>): readonly Route[] {
  async function readListing(caller: Caller, projectIdentifier: string, query: z.infer<typeof SPAN_QUERY>) {
    const project = await getProject(caller, projects, projectIdentifier);
    const condition = readFilterParameter('span', query.filter);
    const filter = { ...toSpanFilter(project.rowId, query), condition };
    return { filter, page: { sort: query.sort, order: query.order, limit: query.limit, cursor: query.cursor ?? null } };
  }

  function listRoute(path: string, operationId: string, summary: string, form: SpanPresentation, schema: z.ZodType) {
    return defineRoute({
      method: 'GET',
      path,
      operationId,
      summary,
      tag: 'spans',
      access: spanPolicy.list,
      params: PROJECT_PARAMS,
      query: SPAN_QUERY,
      replies: {
        200: {
          description: 'A page of spans.',
          contentType: 'application/json',
          schema: z.object({
            data: z.array(schema),
            next_cursor: z.string().nullable(),
            damaged: z
              .array(z.object({ trace_id: z.string(), span_id: z.string() }))
              .optional()
              .describe('Spans that the page leaves out because their originals are damaged; absent for none.'),
          }),
        },
        400: { description: 'The filter is not valid.', contentType: 'text/plain' },
        404: { description: 'There is no such project.', contentType: 'text/plain' },
      },
      handler: async ({ caller, params, query }) => {
        const { filter, page } = await readListing(caller, params.project_identifier, query);
        const listing = await pageOrInvalidCursor(spans(caller).presentSpans(filter, page, form));
        const damaged = listing.damaged.map(({ traceId, spanId }) => ({ trace_id: traceId, span_id: spanId }));
        const left = damaged.length === 0 ? '' : `,"damaged":${JSON.stringify(damaged)}`;
        const end = Buffer.from(`],"next_cursor":${JSON.stringify(listing.nextCursor)}${left}}`);
        const body = Buffer.concat([BEFORE_SPANS, listing.body, end]);
        releaseBuffer(listing.body);
        return { contentType: 'application/json', headers: damageHeaders(listing.damaged), body };
      },
    });
  }

  return [
    listRoute('/v1/projects/{project_identifier}/spans', 'listSpans', 'List the spans of a project', 'span', SPAN),
    listRoute(
      '/v1/projects/{project_identifier}/spans/otlpv1',
      'listOtlpSpans',
      'List the spans of a project in OTLP form',
      'otlp',
      OTLP_SPAN,
    ),
    defineRoute({
      method: 'GET',
      path: '/v1/projects/{project_identifier}/spans/original',
      operationId: 'listSpanOriginals',
      summary: 'List the spans of a project as they arrived',
      description: `An OTLP \`ExportTraceServiceRequest\` with a page of spans, each byte for byte when sent as protobuf. If there are more, the header \`${NEXT_CURSOR}\` holds the cursor of the next page. Spans whose originals are damaged are left out; the header \`${DAMAGED}\` names them.`,
      tag: 'spans',
      access: spanPolicy.listOriginals,
      params: PROJECT_PARAMS,
      query: SPAN_QUERY.extend({ format: FORMAT }),
      replies: {
        200: MESSAGE,
        400: { description: 'The filter is not valid.', contentType: 'text/plain' },
        404: { description: 'There is no such project.', contentType: 'text/plain' },
      },
      handler: async ({ caller, params, query, header }) => {
        const { filter, page } = await readListing(caller, params.project_identifier, query);
        const format = query.format ?? preferredOriginalFormat(header('accept'));
        const original = await pageOrInvalidCursor(spans(caller).listOriginals(filter, page, format));
        const reply = presentOriginal(original, format);
        const next = original.nextCursor === null ? {} : { [NEXT_CURSOR]: original.nextCursor };
        return { ...reply, headers: { ...reply.headers, ...next, ...damageHeaders(original.damaged) } };
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/spans/{span_identifier}/original',
      operationId: 'getSpanOriginal',
      summary: 'Get a span as it arrived',
      description: 'An OTLP `ExportTraceServiceRequest` with only this span; byte for byte when sent as protobuf.',
      tag: 'spans',
      access: spanPolicy.readOriginal,
      params: SPAN_PARAMS,
      query: z.object({ format: FORMAT }),
      replies: {
        200: MESSAGE,
        404: { description: 'There is no such span.', contentType: 'text/plain' },
      },
      handler: async ({ caller, params, query, header }) => {
        const format = query.format ?? preferredOriginalFormat(header('accept'));
        return presentOriginal(await getSpanOriginal(caller, spans, params.span_identifier, format), format);
      },
    }),
  ];
}
