/** Reading stored spans anew, by the rules of this version. */
import { z } from 'zod';
import { defineRoute, type Route } from '#api/rest/route';
import { formatTimestamp } from '#domain/timestamp';
import { progressOf, type Reindexer } from '#store/reindex/reindexer';
import type { ReindexJob, ReindexState } from '#store/reindex/state';

const STATUS = z
  .object({
    is_stale: z.boolean().describe('Whether some spans were read by the rules of another version.'),
    is_running: z.boolean(),
    progress: z.number().nullable().describe('From 0 to 1; null before the first time.'),
    read_count: z.number(),
    changed_count: z.number().describe('Spans that are read otherwise now than they were stored.'),
    failed_count: z.number().describe('Spans that could not be read, and stay as they were.'),
    started_at: z.string().nullable(),
    finished_at: z.string().nullable(),
  })
  .meta({ id: 'ReindexStatus' });

const REPLY = z.object({ data: STATUS });

/** What the routes work with. */
export type ReindexPort = Pick<Reindexer, 'start' | 'state'>;

/** Routes of reading stored spans anew. */
export function reindexRoutes(reindexer: ReindexPort): readonly Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/reindex',
      operationId: 'getReindexStatus',
      summary: 'Ask how far reading stored spans anew has come',
      tag: 'maintenance',
      access: 'admin',
      replies: { 200: { description: 'How things stand.', contentType: 'application/json', schema: REPLY } },
      handler: async () => ({ body: { data: presentReindex(reindexer.state) } }),
    }),
    defineRoute({
      method: 'POST',
      path: '/v1/reindex',
      operationId: 'startReindex',
      summary: 'Read all stored spans anew in the background',
      description:
        'Applies the mappings of this version to the stored bytes of every span; what follows, sums included, is put right. Joins what is under way already. It goes on after a restart of the server.',
      tag: 'maintenance',
      access: 'admin',
      body: z.object({ normalise: z.literal(true) }),
      replies: { 202: { description: 'It has begun.', contentType: 'application/json', schema: REPLY } },
      handler: async () => {
        const job = await reindexer.start();
        return { status: 202, body: { data: presentReindex({ ...reindexer.state, job }) } };
      },
    }),
  ];
}

function presentReindex({ isStale, job }: ReindexState) {
  return { is_stale: isStale, ...(job === null ? NEVER : presentJob(job)) };
}

const NEVER = {
  is_running: false,
  progress: null,
  read_count: 0,
  changed_count: 0,
  failed_count: 0,
  started_at: null,
  finished_at: null,
};

function presentJob(job: ReindexJob) {
  const { readCount, changedCount, failedCount, startedAtUs, finishedAtUs } = job;
  return {
    is_running: finishedAtUs === null,
    progress: progressOf(job),
    read_count: readCount,
    changed_count: changedCount,
    failed_count: failedCount,
    started_at: formatTimestamp(startedAtUs),
    finished_at: finishedAtUs === null ? null : formatTimestamp(finishedAtUs),
  };
}
