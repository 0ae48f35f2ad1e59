/** A store with a project of three spans in two traces and a session, whose bulk actions a test runs step by step. */
import { sql } from 'kysely';
import { spanId, traceId } from '../../../test/harness/otlp-json.ts';
import { type DeletionStore, openDeletionStore } from '../deletion/deletion.fixture.ts';
import { findJobs } from '../jobs/job-rows.ts';
import { type BulkAction, type BulkInput, type BulkMatch, type BulkProgress, toBulkAction } from './bulk-action.ts';
import { EnvelopeCache } from '../spans/rows/envelope-cache.ts';
import { TraceTrees } from '../spans/rows/trace-trees.ts';
import { planBulkAction } from './choose-rows.ts';
import { bulkCalls } from './writer-calls.ts';

/** See the file. */
export interface BulkStore {
  readonly store: DeletionStore;
  readonly projectRowId: number;
  /** All rows of the project. */
  readonly everything: BulkMatch;
  /** Notes, samples or acts once, on so many rows at most; how the action stands then. */
  act(jobId: number, most: number): Promise<BulkAction>;
}

/** Opens it, with one account. */
export async function openBulkStore(): Promise<BulkStore> {
  const store = await openDeletionStore();
  const attributes = { 'session.id': 's' };
  await store.send(
    [
      { traceId: traceId(1), spanId: spanId(1), attributes },
      { traceId: traceId(1), spanId: spanId(2), attributes },
      { traceId: traceId(2), spanId: spanId(3), attributes },
    ],
    'app',
  );
  await store.rows(sql`INSERT INTO users (id, username, email, role, auth_method, created_at_us, updated_at_us)
    VALUES (1, 'ada', 'ada@example.com', 'MEMBER', 'OAUTH2', 1, 1)`);
  const calls = bulkCalls(store.writer, { tell: async () => undefined });
  return {
    store,
    projectRowId: await store.projectRowId('app'),
    everything: { filter: null, traceFilter: null, rootsOnly: false, exceptRowIds: [] },
    async act(jobId, most) {
      const plan = await planBulkAction({ ...store, envelopes: new EnvelopeCache(), trees: new TraceTrees() }, jobId);
      if (plan?.next === 'note') await calls.noteChosen(jobId, plan.job.progress, plan.chosen);
      else if (plan?.next === 'sample') await calls.sampleNext(jobId, plan.job.progress, plan.lastRank);
      else if (plan?.next === 'act') await calls.actOnNext(jobId, most);
      const [job] = await findJobs<BulkInput, BulkProgress>(store, 'bulk', [jobId]);
      if (job === undefined) throw new Error('the job is gone');
      return toBulkAction(job);
    },
  };
}

/** Runs a job until it is over. */
export async function runJob(bulk: BulkStore, jobId: number): Promise<BulkAction> {
  for (;;) {
    const action = await bulk.act(jobId, 2);
    if (action.state !== 'running') return action;
  }
}
