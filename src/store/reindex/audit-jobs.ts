/** Who began, paused and ended jobs, in the transaction that does it. */
import { type Caller, systemCaller } from '#domain/caller';
import { writeAudit } from '../commands/audit.ts';
import type { JobKind } from '../jobs/job.ts';
import type { WriteScope } from '../spans/write/request-writer.ts';
import type { PassJob } from './pass-job.ts';

type Scope = Pick<WriteScope, 'db'>;

/** What the log calls the beginning of passes, as policies do, and their end. */
const OPERATIONS = {
  reindex: { start: 'reindex.start', finish: 'reindex.finish' },
  repricing: { start: 'models.startPricing', finish: 'models.finishPricing' },
} as const;

/** A pass that somebody began at that time; one that was only joined began before. */
export async function auditPassStart(
  { db }: Scope,
  caller: Caller,
  kind: keyof typeof OPERATIONS,
  job: PassJob,
  nowUs: number,
): Promise<void> {
  if (job.startedAtUs !== nowUs) return;
  await writeAudit(db, OPERATIONS[kind].start, caller, [{ object: { type: 'Job', id: job.jobId, name: kind } }]);
}

/** A pass that may have come to its end, with what it came to. */
export async function auditPassEnd({ db }: Scope, kind: keyof typeof OPERATIONS, job: PassJob): Promise<void> {
  if (job.finishedAtUs === null) return;
  const { jobId, readCount, changedCount, failedCount } = job;
  const changes = [`read: ${readCount}`, `changed: ${changedCount}`, `failed: ${failedCount}`];
  await writeAudit(db, OPERATIONS[kind].finish, systemCaller(kind), [
    { object: { type: 'Job', id: jobId, name: kind }, changes },
  ]);
}

/** Something that is made of stored spans, and that somebody has made again. */
export function auditRebuild({ db }: Scope, caller: Caller, what: 'columns' | 'search'): Promise<void> {
  return writeAudit(db, 'reindex.start', caller, [{ changes: [what] }]);
}

/** A job that somebody paused, resumed or cancelled, if that was possible; says whether it was. */
export async function auditJobChange(
  { db }: Scope,
  caller: Caller,
  operation: 'jobs.pause' | 'jobs.resume' | 'jobs.cancel',
  job: { readonly id: number; readonly kind: JobKind },
  isChanged: boolean,
): Promise<boolean> {
  if (isChanged) await writeAudit(db, operation, caller, [{ object: { type: 'Job', id: job.id, name: job.kind } }]);
  return isChanged;
}
