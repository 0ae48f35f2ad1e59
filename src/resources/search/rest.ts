import { z } from 'zod';
import { OPAQUE_CURSOR } from '#api/rest/id-pattern';
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
import { PROJECT_PARAMS } from '../projects/present.ts';

const HIT = z
  .object({
    id: z.string(),
    name: z.string(),
    context: z.object({ trace_id: z.string(), span_id: z.string() }),
    span_kind: z.string(),
    status_code: z.enum(SPAN_STATUS_CODES),
    start_time: z.string(),
    end_time: z.string(),
    score: z.number().nullable().describe('Larger is better, within one search; null when sorted by arrival.'),
    snippets: z
      .array(
        z.object({
          place: z.enum(SEARCH_PLACES).describe('Where in the span the text is.'),
          text: z.string().describe('A piece of the text. It is text, not markup.'),
          hits: z
            .array(z.object({ start: z.int(), end: z.int() }))
            .describe(
              'The ranges to highlight, in UTF-16 code units: in order, not overlapping; the end is exclusive.',
            ),
          is_cut_before: z.boolean(),
          is_cut_after: z.boolean(),
        }),
      )
      .describe('At most three, those with the most words first.'),
  })
  .meta({ id: 'SearchHit' });

const REPLY = z.object({
  data: z.array(HIT),
  next_cursor: z.string().nullable(),
  is_partial: z
    .boolean()
    .describe(
      'Whether the search reached its time limit and ended early. Sorted by arrival, `next_cursor` continues it.',
    ),
  pending_span_count: z.int().describe('Spans that are not indexed yet and therefore not searched.'),
  indexed_up_to: z.string().nullable().describe('Start of the last span that arrived and is indexed.'),
});

const QUERY = z.object({
  ...pageFields(30, 100, OPAQUE_CURSOR),
  text: z
    .string()
    .describe(
      'Words, all of which a span must contain; `"phrases"`; the beginning of a word, such as `wor*`; `-word` to exclude a word; `OR` between alternatives.',
    ),
  scope: z.enum(SEARCH_SCOPES).default('everything').describe('Which texts of spans are searched.'),
  order: z
    .enum(SEARCH_ORDERS)
    .default('newest')
    .describe('`newest` is the order of arrival, the latest first; `best` ranks at most the 20,000 newest hits.'),
  trace_id: z
    .string()
    .optional()
    .describe('Search only this trace: its OpenTelemetry id or its global id. Cannot be combined with times.'),
  start_time: queryTime().optional().describe('Only spans that start at this time or later.'),
  end_time: queryTime().optional().describe('Only spans that start before this time.'),
  filter: z.string().optional().describe('A filter in the filter language for spans.'),
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
      summary: 'Search the text of spans',
      tag: 'spans',
      access: searchPolicy.findSpans,
      params: PROJECT_PARAMS,
      query: QUERY,
      replies: {
        200: { description: 'A page of hits.', contentType: 'application/json', schema: REPLY },
        400: { description: 'The filter is not valid.', contentType: 'text/plain' },
        404: { description: 'There is no such project, or no such trace in it.', contentType: 'text/plain' },
      },
      handler: async ({ caller, params, query }) => {
        const project = await getProject(caller, projects, params.project_identifier);
        const condition = readFilterParameter('span', query.filter);
        const { text, scope, order, limit, cursor = null } = query;
        const page = await pageOrInvalidCursor(
          (async () => {
            const bounds = { startTimeUs: query.start_time, endTimeUs: query.end_time };
            if (query.trace_id !== undefined && (query.start_time ?? query.end_time) !== undefined) {
              throw new UnprocessableError('A search in one trace takes no times: omit trace_id, or the times.');
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
