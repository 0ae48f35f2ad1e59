import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { DAMAGED, damageHeaders } from '#api/rest/damaged';
import { defineRoute, type Route } from '#api/rest/route';
import { assertForward } from '#api/rest/unprocessable';
import { AppError } from '#base/errors';
import { assertInReach } from '#domain/access';
import type { ForCaller } from '#domain/caller';
import { Semaphore } from '#base/semaphore';
import type { Condition } from '#filter/tree';
import type { WholeFrame } from '#store/spans/frame';
import type { ProjectStore } from '#store/projects/port';
import type { SpanStore } from '#store/spans/port';
import { spanPolicy } from '../policy.ts';
import { QUERY_BODY, type SentQuery, toFrameQuery } from './query-body.ts';
import { type FrameQuestion, type FrameScope, readCondition, readFrames } from '../operations/read-frames.ts';
import { emptyFrame } from '../present/frames/frame-writer.ts';
import { tableJson } from '../present/frames/table-json.ts';

const ARROW = 'application/x-pandas-arrow';

/** Spellings that clients have for the project. */
const PROJECT_QUERY = z.object({
  project_name: z.string().optional().describe('Exact name; the default project if none is named anywhere.'),
  'project-name': z.string().optional().describe('Same as `project_name`.'),
});

/** The route by which Python clients query spans. */
export function querySpansRoute(
  projects: ForCaller<ProjectStore>,
  spans: ForCaller<SpanStore>,
  defaultProject: string,
): Route {
  const semaphore = new Semaphore(MAX_AT_ONCE);
  return defineRoute({
    method: 'POST',
    path: '/v1/spans',
    operationId: 'querySpans',
    summary: 'Query spans as tables',
    description: `Returns a table for each query, newest start first. Spans whose originals are damaged are left out; the header \`${DAMAGED}\` names them. With \`Accept: application/json\`, the tables are the parts of a \`multipart/mixed\` body, each a JSON table as pandas writes it; otherwise they are Arrow IPC streams, one after the other. A project that does not exist has no spans.`,
    tag: 'spans',
    access: spanPolicy.query,
    isQuery: true,
    query: PROJECT_QUERY,
    body: QUERY_BODY,
    replies: {
      200: { description: 'The tables.', contentType: ['multipart/mixed', ARROW] },
      404: { description: 'The request has no query.', contentType: 'text/plain' },
      504: { description: 'Searching for the spans takes too long.', contentType: 'text/plain' },
    },
    handler: async ({ caller, query, body, header }) => {
      if (body.queries.length === 0)
        throw new AppError('not_found', 'The request has no query: put one into `queries`.');
      const questions = body.queries.map((sent) => toQuestion(sent, body));
      const name = query.project_name || query['project-name'] || header('project-name') || body.project_name;
      const project = await projects(caller).findProject({ name: name || defaultProject });
      assertInReach(caller, project?.rowId);
      const scope = project === undefined ? null : toScope(project.rowId, body);
      return semaphore.run(async () => {
        const isEmpty = scope === null || scope.limit === 0;
        const frames = isEmpty
          ? questions.map((question) => emptyFrame(question.query))
          : await readFrames(caller, spans, scope, questions);
        const tables = header('accept') === 'application/json' ? multipart(frames) : await arrow(spans(caller), frames);
        return { ...tables, headers: damageHeaders(frames.flatMap(({ damaged }) => damaged)) };
      });
    },
  });
}

/** Answers that are made at once: each is in memory as a whole. */
const MAX_AT_ONCE = 2;

type Body = z.output<typeof QUERY_BODY>;

function toQuestion(sent: SentQuery, { root_spans_only, orphan_span_as_root_span }: Body): FrameQuestion {
  const condition = readCondition(sent.filter?.condition ?? '');
  const ofRoots = root_spans_only === true ? rootCondition(orphan_span_as_root_span !== false) : undefined;
  return { query: toFrameQuery(sent), condition: allOf([condition, ofRoots]) };
}

function toScope(projectRowId: number, { start_time, end_time, stop_time, limit }: Body): FrameScope {
  assertForward(start_time, end_time ?? stop_time);
  return {
    projectRowId,
    startTimeUs: start_time ?? undefined,
    endTimeUs: end_time ?? stop_time ?? undefined,
    limit: limit ?? DEFAULT_LIMIT,
  };
}

const DEFAULT_LIMIT = 1000;

function allOf(conditions: readonly (Condition | undefined)[]): Condition | undefined {
  const operands = conditions.filter((condition) => condition !== undefined);
  return operands.length > 1 ? { kind: 'and', operands } : operands[0];
}

function rootCondition(isOrphanRoot: boolean): Condition {
  if (isOrphanRoot) return { kind: 'parentless', isNegated: false, of: null };
  return {
    kind: 'absent',
    isNegated: false,
    value: { kind: 'field', name: 'parent_id', of: null, isOfParent: false },
  };
}

function multipart(frames: readonly WholeFrame[]) {
  const boundary = randomUUID();
  const parts = frames.flatMap((frame) => [
    Buffer.from(`--${boundary}\r\nContent-Type: application/json\r\n\r\n`),
    ...tableJson(frame),
    Buffer.from('\r\n'),
  ]);
  const body = Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]);
  return { contentType: `multipart/mixed; boundary=${boundary}`, body };
}

async function arrow(spans: SpanStore, frames: readonly WholeFrame[]) {
  const streams: Uint8Array[] = [];
  for (const frame of frames) streams.push(await spans.encodeArrowFrame(frame));
  return { contentType: ARROW, body: Buffer.concat(streams) };
}
