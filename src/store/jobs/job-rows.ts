/** Jobs in their table: begun, advanced, paused, ended. Who works on them is decided elsewhere, by their leases. */
import type { Kysely } from 'kysely';
import type { JobsTable, Tables } from '../schema/tables.ts';
import { type Job, type JobBudget, type JobId, type JobKind, type JobResult, STANDING_KINDS } from './job.ts';

/** A job to be begun. */
export interface NewJob<Input, Progress> {
  readonly kind: JobKind;
  readonly input: Input;
  readonly progress: Progress;
  readonly budget?: JobBudget;
  /** Microseconds since the Unix epoch. */
  readonly nowUs: number;
}

/** The job of that kind that is not over, or the last one; `undefined` before the first. Index: jobs_of_kind. */
export async function findLastJob<Input, Progress>(
  db: Kysely<Tables>,
  kind: JobKind,
): Promise<Job<Input, Progress> | undefined> {
  const rows = db.selectFrom('jobs').selectAll().where('kind', '=', kind).orderBy('id', 'desc').limit(1);
  const row = await rows.executeTakeFirst();
  return row && toJob(row);
}

/** The jobs that a server may work on. Index: jobs_unfinished. */
export async function findRunningJobs(db: Kysely<Tables>): Promise<readonly JobId[]> {
  return db
    .selectFrom('jobs')
    .select(['id', 'kind'])
    .where('finished_at_us', 'is', null)
    .where('state', '=', 'running')
    .orderBy('id')
    .execute();
}

/** Begins a job, or joins the one of its kind that is not over. */
export async function beginJob<Input, Progress>(
  db: Kysely<Tables>,
  { kind, input, progress, budget, nowUs }: NewJob<Input, Progress>,
): Promise<Job<Input, Progress>> {
  const last = await findLastJob<Input, Progress>(db, kind);
  if (last !== undefined && last.finishedAtUs === null) return last;
  const row = await db
    .insertInto('jobs')
    .values({
      kind,
      input: JSON.stringify(input),
      state: 'running',
      progress: JSON.stringify(progress),
      budget: budget === undefined ? null : JSON.stringify(budget),
      spent: null,
      result: null,
      error: null,
      owner: null,
      leased_until_us: 0,
      started_at_us: nowUs,
      finished_at_us: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return toJob(row);
}

/** How far a job has come by a step. */
export interface JobStep<Input, Progress> {
  readonly input: Input;
  readonly progress: Progress;
  /** What the step used of the budget. */
  readonly spent?: JobBudget;
  /** With the result, where it was the last step. */
  readonly end?: { readonly result: JobResult; readonly nowUs: number };
}

/**
 * Saves how far a job has come, if it is as far as `before`, and neither paused nor over; says whether it was. In the transaction
 * of what the step changed, a step that is done twice is done once. One that has used up its budget is paused.
 */
export async function advanceJob<Input, Progress>(
  db: Kysely<Tables>,
  id: number,
  before: Progress,
  { input, progress, spent = {}, end }: JobStep<Input, Progress>,
): Promise<boolean> {
  const row = await db
    .selectFrom('jobs')
    .select(['budget', 'spent'])
    .where('id', '=', id)
    .where('state', '=', 'running')
    .where('progress', '=', JSON.stringify(before))
    .executeTakeFirst();
  if (row === undefined) return false;
  const total = addUp(toBudget(row.spent), spent);
  const usedUp = Object.entries(toBudget(row.budget)).find(([unit, amount]) => (total[unit] ?? 0) >= amount);
  await db
    .updateTable('jobs')
    .set({
      input: JSON.stringify(input),
      progress: JSON.stringify(progress),
      spent: JSON.stringify(total),
      ...(usedUp !== undefined && { state: 'paused', error: `The budget of ${usedUp[1]} ${usedUp[0]} is used up.` }),
      ...(end !== undefined && {
        state: 'done',
        error: null,
        result: JSON.stringify(end.result),
        finished_at_us: end.nowUs,
      }),
    })
    .where('id', '=', id)
    .execute();
  return true;
}

/** Lets nobody work on the job until it is resumed; `false` where it is not under way. */
export function pauseJob(db: Kysely<Tables>, id: number): Promise<boolean> {
  return changeState(db, id, ['running'], { state: 'paused', owner: null, leased_until_us: 0 });
}

/** Has a paused job go on where it was; a budget that it is given replaces the one before. */
export function resumeJob(db: Kysely<Tables>, id: number, budget?: JobBudget): Promise<boolean> {
  const change = { state: 'running', error: null } as const;
  return changeState(
    db,
    id,
    ['paused'],
    budget === undefined ? change : { ...change, budget: JSON.stringify(budget), spent: null },
  );
}

/** Ends a job where it is; no step of it holds from then on. `false` where it is over, or never ends. */
export async function cancelJob(db: Kysely<Tables>, id: number, nowUs: number): Promise<boolean> {
  const row = await db.selectFrom('jobs').select('kind').where('id', '=', id).executeTakeFirst();
  if (row === undefined || STANDING_KINDS.has(row.kind)) return false;
  return changeState(db, id, ['running', 'paused'], { state: 'cancelled', finished_at_us: nowUs });
}

async function changeState(
  db: Kysely<Tables>,
  id: number,
  from: readonly JobsTable['state'][],
  change: Partial<Omit<JobsTable, 'id'>>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('jobs')
    .set(change)
    .where('id', '=', id)
    .where('state', 'in', [...from])
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

type JobRow = Omit<JobsTable, 'id'> & { readonly id: number };

/** What a kind of job keeps as JSON it wrote itself. */
function toJob<Input, Progress>(row: JobRow): Job<Input, Progress> {
  const { id, kind, state, error, started_at_us: startedAtUs, finished_at_us: finishedAtUs } = row;
  const result = row.result === null ? null : (JSON.parse(row.result) as JobResult);
  const input = JSON.parse(row.input) as Input;
  const progress = JSON.parse(row.progress) as Progress;
  return { id, kind, input, progress, state, result, error, startedAtUs, finishedAtUs };
}

function toBudget(text: string | null): JobBudget {
  return text === null ? {} : (JSON.parse(text) as JobBudget);
}

function addUp(a: JobBudget, b: JobBudget): JobBudget {
  const units = new Set([...Object.keys(a), ...Object.keys(b)]);
  return Object.fromEntries([...units].map((unit) => [unit, (a[unit] ?? 0) + (b[unit] ?? 0)]));
}
