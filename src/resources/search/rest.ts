import { z } from 'zod';
import { pageFields, queryTime } from '#api/rest/query';
import { defineRoute, type Route } from '#api/rest/route';
import { pageOrInvalidCursor, UnprocessableError } from '#api/rest/unprocessable';
import { AppError } from '#base/errors';
import { formatGlobalId, parseGlobalId } from '#base/global-id';
import { SEARCH_PLACES, SEARCH_SCOPES } from '#derive/search/scope';
import type { SearchSnippet } from '#derive/search/snippets';
import type { ForCaller } from '#domain/caller';
import { SPAN_STATUS_CODES } from '#domain/span';
import { formatTimestamp } from '#domain/timestamp';
import type { ProjectStore } from '#store/projects/port';
import { SEARCH_ORDERS, type SearchedSpans, type TextSearch } from '#store/search/port';
import type { TelemetryBrowser } from '#store/spans/browse-port';
import { readFilterParameter } from '../filters/operations.ts';
import { getProject } from '../projects/operations.ts';
import { toOtelId } from '../traces/operations.ts';
import { type FoundSpan, formatCursor, searchSpans } from './operations.ts';
import { searchPolicy } from './policy.ts';

const HIT = z
  .object({
    id: z.string(),
    name: z.string(),
    context: z.object({ trace_id: z.string(), span_id: z.string() }),
    span_kind: z.string(),
    status_code: z.enum(SPAN_STATUS_CODES),
    start_time: z.string(),
    end_time: z.string(),
    score: z.number().nullable().describe('Larger is better, within one search; null in the order of arrival.'),
    snippets: z
      .array(
        z.object({
          place: z.enum(SEARCH_PLACES).describe('Where in the span the text stands.'),
          text: z.string().describe('A piece of the text. It is text, not markup.'),
          hits: z
            .array(z.object({ start: z.int(), end: z.int() }))
            .describe('What is to be marked, in UTF-16 code units: in order, not overlapping; the end is exclusive.'),
          is_cut_before: z.boolean(),
          is_cut_after: z.boolean(),
        }),
      )
      .describe('At most three, those with most of the words first.'),
  })
  .meta({ id: 'SearchHit' });

const REPLY = z.object({
  data: z.array(HIT),
  next_cursor: z.string().nullable(),
  is_partial: z
    .boolean()
    .describe('Whether it looked for as long as a page may, and ended early. By arrival `next_cursor` goes on.'),
  pending_span_count: z.int().describe('Spans that wait to be indexed, and are not searched yet.'),
  indexed_up_to: z.string().nullable().describe('Start of the last span that arrived and is indexed.'),
});

const QUERY = z.object({
  ...pageFields(30, 100),
  text: z
    .string()
    .describe(
      'Words, which a span must hold all of; `"phrases"`; the beginning of a word as `wor*`; `-word`, which must not be there; `OR` between two that may stand for each other.',
    ),
  scope: z.enum(SEARCH_SCOPES).default('everything').describe('What of spans is looked at.'),
  order: z
    .enum(SEARCH_ORDERS)
    .default('newest')
    .describe('`newest` is the order of arrival, the last first; `best` compares at most the 20,000 newest hits.'),
  trace_id: z
    .string()
    .optional()
    .describe('Only in this trace: its OpenTelemetry id, or its global id. Without times then.'),
  start_time: queryTime().optional().describe('Spans that start at this time or later.'),
  end_time: queryTime().optional().describe('Spans that start before this time.'),
  filter: z.string().optional().describe('In the filter language of spans.'),
});

/** The route of searches. */
export function searchRoutes(
  projects: ForCaller<ProjectStore>,
  spans: ForCaller<Pick<TelemetryBrowser, 'findSpans' | 'findTraces' | 'findTraceByOtelId'>>,
  search: ForCaller<TextSearch>,
): readonly Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/projects/{project_identifier}/search',
      operationId: 'searchSpans',
      summary: 'Find spans by what they say',
      tag: 'spans',
      access: searchPolicy.findSpans,
      params: z.object({ project_identifier: z.string() }),
      query: QUERY,
      replies: {
        200: { description: 'A page of hits.', contentType: 'application/json', schema: REPLY },
        400: { description: 'A filter that cannot be read.', contentType: 'text/plain' },
        404: { description: 'There is no such project, or no such trace in it.', contentType: 'text/plain' },
      },
      handler: async ({ caller, params, query }) => {
        const condition = readFilterParameter('span', query.filter);
        const project = await getProject(caller, projects, params.project_identifier);
        const { text, scope, order, limit, cursor = null } = query;
        const page = await pageOrInvalidCursor(
          (async () => {
            const bounds = { startTimeUs: query.start_time, endTimeUs: query.end_time };
            if (query.trace_id !== undefined && (query.start_time ?? query.end_time) !== undefined) {
              throw new UnprocessableError('A search in one trace takes no times: leave out trace_id, or the times.');
            }
            const of: SearchedSpans =
              query.trace_id === undefined
                ? { projectRowId: project.rowId, condition, ...bounds }
                : { traceRowId: await findTrace(spans(caller), project.rowId, query.trace_id), condition };
            return searchSpans(caller, { search, spans }, of, { text, scope, order, limit, cursor });
          })(),
        );
        const rowIds = page.found.map(({ span }) => span.rowId);
        const snippets = await search(caller).readSnippets(page.request, rowIds);
        const { pendingSpanCount, indexedUpToUs } = await search(caller).readSearchCurrency();
        const body: z.input<typeof REPLY> = {
          data: page.found.map((found) => presentHit(found, snippets.get(found.span.rowId) ?? [])),
          next_cursor: page.next && formatCursor(page.next),
          is_partial: page.isPartial,
          pending_span_count: pendingSpanCount,
          indexed_up_to: indexedUpToUs === null ? null : formatTimestamp(indexedUpToUs),
        };
        return { body };
      },
    }),
  ];
}

async function findTrace(
  spans: Pick<TelemetryBrowser, 'findTraces' | 'findTraceByOtelId'>,
  projectRowId: number,
  identifier: string,
): Promise<number> {
  const rowId = parseGlobalId('Trace', identifier);
  const trace =
    rowId === undefined
      ? await spans.findTraceByOtelId(toOtelId('trace', identifier))
      : (await spans.findTraces([rowId])).get(rowId);
  if (trace?.projectRowId === projectRowId) return trace.rowId;
  throw new AppError('not_found', `There is no trace ${identifier} in this project.`);
}

function presentHit({ span, hit }: FoundSpan, snippets: readonly SearchSnippet[]): z.input<typeof HIT> {
  return {
    id: formatGlobalId('Span', span.rowId),
    name: span.name,
    context: { trace_id: span.traceId, span_id: span.spanId },
    span_kind: span.kind,
    status_code: span.statusCode,
    start_time: formatTimestamp(span.startTimeUs),
    end_time: formatTimestamp(span.endTimeUs),
    score: hit.score,
    snippets: snippets.map(({ place, text, hits, isCutBefore, isCutAfter }) => ({
      place,
      text,
      hits: [...hits],
      is_cut_before: isCutBefore,
      is_cut_after: isCutAfter,
    })),
  };
}
