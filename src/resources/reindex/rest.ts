/** Deriving again what is made of stored spans. */
import { z } from 'zod';
import { defineRoute, type Route } from '#api/rest/route';
import type { ForCaller } from '#domain/caller';
import { formatTimestamp } from '#domain/timestamp';
import type { NormalizePass } from '#store/background/passes';
import { progressOf } from '#store/reindex/pass-job';
import type { ReindexJob, ReindexState } from '#store/reindex/state';
import { reindexPolicy } from './policy.ts';

const STATUS = z
  .object({
    is_stale: z.boolean().describe('Whether another version’s rules were used to read some spans.'),
    is_running: z.boolean(),
    progress: z.number().nullable().describe('From 0 to 1; null before the first time.'),
    read_count: z.number(),
    changed_count: z.number().describe('Spans whose reading changed.'),
    failed_count: z.number().describe('Spans that could not be read and were left unchanged.'),
    started_at: z.string().nullable(),
    finished_at: z.string().nullable(),
  })
  .meta({ id: 'ReindexStatus' });

const REPLY = z.object({ data: STATUS });

/** What the routes work with. */
export type ReindexPort = NormalizePass;

/** Writes the columns of all spans again. */
export interface ColumnsPort {
  markDue(): Promise<void>;
}

/** Indexes all texts again. */
export interface SearchIndexPort {
  rebuild(): Promise<void>;
}

/** Routes of deriving again. */
export function reindexRoutes(
  reindexer: ForCaller<ReindexPort>,
  columns: ForCaller<ColumnsPort>,
  searchIndex: ForCaller<SearchIndexPort>,
): readonly Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/reindex',
      operationId: 'getReindexStatus',
      summary: 'Get the progress of reading stored spans again',
      tag: 'maintenance',
      access: reindexPolicy.read,
      replies: { 200: { description: 'The current state.', contentType: 'application/json', schema: REPLY } },
      handler: async ({ caller }) => ({ body: { data: presentReindex(await reindexer(caller).readState()) } }),
    }),
    defineRoute({
      method: 'POST',
      path: '/v1/reindex',
      operationId: 'startReindex',
      summary: 'Rebuild what is derived from stored spans, in the background',
      description:
        '`normalise` applies the mappings of this version to the stored bytes of every span and updates what depends on them, including sums. If that is already in progress, the request joins it. `columns` rebuilds the columns that filters, counts and charts read, `search` the search index. All of them continue after a restart of the server. The response describes the progress of `normalise`.',
      tag: 'maintenance',
      access: reindexPolicy.start,
      body: z
        .object({
          normalise: z.literal(true).optional(),
          columns: z.literal(true).optional(),
          search: z.literal(true).optional(),
        })
        .meta({ anyOf: [{ required: ['normalise'] }, { required: ['columns'] }, { required: ['search'] }] })
        .refine((what) => Object.values(what).includes(true), {
          message: 'Say what to rebuild: `normalise`, `columns`, `search`, or several of them.',
        }),
      replies: { 202: { description: 'The work has started.', contentType: 'application/json', schema: REPLY } },
      handler: async ({ caller, body }) => {
        if (body.columns === true) await columns(caller).markDue();
        if (body.search === true) await searchIndex(caller).rebuild();
        const begun = body.normalise === true ? { job: await reindexer(caller).start() } : {};
        const state = { ...(await reindexer(caller).readState()), ...begun };
        return { status: 202, body: { data: presentReindex(state) } };
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
