import { z } from 'zod';
import { CONTROL_FREE_LINE } from '#api/rest/text-patterns';
import { defineRoute, type Route } from '#api/rest/route';
import { ValidationError } from '#api/rest/validation';
import { parseGlobalId } from '#base/global-id';
import { reachOf } from '#domain/access';
import type { Caller, ForCaller } from '#domain/caller';
import type { PreparedSpanList } from '#ingest/span-list/prepare';
import type { ProjectStore } from '#store/projects/port';
import type { SpanStore } from '#store/spans/port';
import { getProject } from '../../projects/operations.ts';
import type { OpenSpanList, SpanIntake } from '../operations/span-intake.ts';
import { spanPolicy } from '../policy.ts';
import { PROJECT_PARAMS } from '../../projects/present.ts';

/** The last millisecond that a row holds, and the largest number that is read as seconds. */
const LAST_MILLISECOND = 9_007_199_254_740;
const LARGEST_SECONDS = 2e10;

/** What compatible clients send, which is more than ISO 8601. */
const TIME = z.string().meta({
  type: ['string', 'number'],
  anyOf: [
    { type: 'string', format: 'date-time', pattern: '^(?:19[7-9]|2[01][0-9]|22[0-4])' },
    { type: 'string', pattern: '^(?:[1-9][0-9]{0,8}|[1-8][0-9]{9})(?:\\.[0-9]{1,9})?$' },
    { type: 'string', pattern: '^(?:[3-9][0-9]{10}|[1-9][0-9]{11}|[1-8][0-9]{12})(?:\\.[0-9]{1,9})?$' },
    { type: 'number', minimum: 1, maximum: Math.floor(LAST_MILLISECOND / 1000) },
    { type: 'number', exclusiveMinimum: LARGEST_SECONDS, maximum: LAST_MILLISECOND },
  ],
  description:
    'From 1970 to 2249, with an offset, such as `Z` or `+02:00`. Or a Unix time, as a number or a text: of at most 20,000,000,000 in seconds, of more in milliseconds.',
});
const ATTRIBUTES = z.record(z.string(), z.unknown()).meta({ description: 'Dotted keys or nested objects, or both.' });

const MAX_ID_LENGTH = 256;
const PARENT_ID = z.string().meta({ pattern: CONTROL_FREE_LINE, maxLength: MAX_ID_LENGTH });
const ID = PARENT_ID.meta({ pattern: CONTROL_FREE_LINE, minLength: 1, maxLength: MAX_ID_LENGTH });

const NEW_SPAN = z
  .object({
    id: z.unknown().optional().describe('Ignored, so that the items of a list can be sent unchanged.'),
    name: z.string(),
    context: z
      .object({ trace_id: ID, span_id: ID })
      .describe(
        `OpenTelemetry ids, or any other strings of at most ${MAX_ID_LENGTH} characters. All zeros are no OpenTelemetry id.`,
      ),
    span_kind: z.string().describe('In any case; an unknown kind is kept unchanged.'),
    parent_id: PARENT_ID.nullish().describe('An empty one, and one of zeros, is none.'),
    start_time: TIME,
    end_time: TIME,
    status_code: z.string().describe('`OK`, `ERROR`, or anything else for `UNSET`; in any case.'),
    status_message: z.string().optional(),
    attributes: ATTRIBUTES.optional(),
    events: z.array(z.object({ name: z.string(), timestamp: TIME, attributes: ATTRIBUTES.optional() })).optional(),
  })
  .meta({ id: 'NewSpan' });

const IDS = { span_id: z.string(), trace_id: z.string() };

const REFUSED = z
  .object({
    error: z.string(),
    total_received: z.int(),
    total_queued: z.int(),
    total_duplicates: z.int(),
    total_invalid: z.int(),
    duplicate_spans: z.array(z.object(IDS)),
    invalid_spans: z.array(z.object({ ...IDS, error: z.string() })),
  })
  .meta({ id: 'RefusedSpans' });

/** The route by which spans are created. */
export function createSpansRoute(
  projects: ForCaller<ProjectStore>,
  spans: ForCaller<SpanStore>,
  intake: SpanIntake,
): Route {
  return defineRoute({
    method: 'POST',
    path: '/v1/projects/{project_identifier}/spans',
    operationId: 'createSpans',
    summary: 'Create spans',
    description:
      'Creates all of the spans or none. It creates none if a span is invalid, already stored in any project, or in the list twice. A named project that does not exist is created.',
    tag: 'spans',
    access: spanPolicy.create,
    params: PROJECT_PARAMS,
    streamedBody: { contentTypes: ['application/json'], schema: z.object({ data: z.array(NEW_SPAN) }) },
    replies: {
      202: {
        description: 'All spans are on disk.',
        contentType: 'application/json',
        schema: z.object({ total_received: z.int(), total_queued: z.int() }),
      },
      400: { description: 'What was wrong, span by span.', contentType: 'application/json', schema: REFUSED },
      404: { description: 'There is no project with this id.', contentType: 'text/plain' },
      413: { description: 'Too much for one request: send the spans in parts.', contentType: 'text/plain' },
      415: { description: 'The body is not JSON, or has an unknown encoding.', contentType: 'text/plain' },
      503: { description: 'No room at the moment; try again after `Retry-After`.', contentType: 'text/plain' },
      507: { description: 'The data has reached its size limit.', contentType: 'text/plain' },
    },
    handler: async ({ caller, params, stream, header }) => {
      // A body can be long, and a limited key learns the same whether or not it is valid.
      if (reachOf(caller) !== null) await getProject(caller, projects, params.project_identifier);
      using list = await intake.open(caller, { stream, contentEncoding: header('content-encoding') ?? '' });
      const { prepared } = list;
      if ('problems' in prepared) throw new ValidationError(prepared.problems);
      const projectName = await findProjectName(caller, projects, params.project_identifier);
      const duplicates = await findDuplicates(spans(caller), prepared);
      const refused = duplicates.length > 0 || prepared.invalid.length > 0;
      return refused ? refuse(prepared, duplicates) : await store(list, prepared.ids.length, projectName);
    },
  });
}

/** The project of the id, or the text where it is none: such a project need not exist. @throws AppError `not_found` */
async function findProjectName(caller: Caller, projects: ForCaller<ProjectStore>, identifier: string): Promise<string> {
  if (parseGlobalId('Project', identifier) === undefined) return identifier;
  return (await getProject(caller, projects, identifier)).name;
}

type Duplicates = PreparedSpanList['ids'];

/** Those that are stored already, and of those that are in the list several times all but the first. */
async function findDuplicates(spans: SpanStore, { ids }: PreparedSpanList): Promise<Duplicates> {
  if (ids.length === 0) return [];
  const taken = new Set(await spans.findStoredSpanIds([...new Set(ids.map(({ spanId }) => spanId))]));
  return ids.filter(({ spanId }) => {
    const isTaken = taken.has(spanId);
    taken.add(spanId);
    return isTaken;
  });
}

function refuse({ ids, invalid }: PreparedSpanList, duplicates: Duplicates) {
  const body: z.output<typeof REFUSED> = {
    error: 'Some spans are invalid, already stored or in the list twice, so none was stored.',
    total_received: ids.length,
    total_queued: 0,
    total_duplicates: duplicates.length,
    total_invalid: invalid.length,
    duplicate_spans: duplicates.map(presentIds),
    invalid_spans: invalid.map(({ error, ...of }) => ({ ...presentIds(of), error })),
  };
  return { status: 400, body };
}

function presentIds({ spanId, traceId }: Duplicates[number]) {
  return { span_id: spanId, trace_id: traceId };
}

async function store(list: OpenSpanList, count: number, projectName: string) {
  const { rejectedCount, errorMessage } = count === 0 ? NOTHING_SENT : await list.store(projectName);
  if (rejectedCount === 0) return { status: 202, body: { total_received: count, total_queued: count } };
  const body: z.output<typeof REFUSED> = {
    error: errorMessage,
    total_received: count,
    total_queued: count - rejectedCount,
    total_duplicates: 0,
    total_invalid: rejectedCount,
    duplicate_spans: [],
    invalid_spans: [],
  };
  return { status: 400, body };
}

const NOTHING_SENT = { rejectedCount: 0, errorMessage: '' };
