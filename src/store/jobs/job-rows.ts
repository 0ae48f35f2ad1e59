/** Jobs in their table: begun, advanced, paused, ended. Who works on them is decided elsewhere, by their leases. */
import type { Kysely, Selectable } from 'kysely';
import type { QueryScope } from '../queries/prepared-query.ts';
import type { JobsTable, Tables } from '../schema/tables.ts';
import { type Job, type JobBudget, type JobId, type JobKind, type JobResult, STANDING_KINDS } from './job.ts';

/** A job to be begun. */
export interface NewJob<Input, Progress> {
  readonly kind: JobKind;
  readonly projectRowId?: number;
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

/** The jobs of a kind that have these ids. Index: the primary key. */
export async function findJobs<Input, Progress>(
  { db, dialect }: Pick<QueryScope, 'db' | 'dialect'>,
  kind: JobKind,
  ids: readonly number[],
): Promise<readonly Job<Input, Progress>[]> {
  const rows = await db
    .selectFrom('jobs')
    .selectAll()
    .where('id', 'in', dialect.numbersOf(ids))
    .where(dialect.unindexed<string>('kind'), '=', kind)
    .execute();
  return rows.map((row) => toJob(row));
}

/** The last jobs of a project, the latest first; on demand only those that are not over. Index: jobs_of_project. */
export async function listJobsOfProject<Input, Progress>(
  { db, dialect }: Pick<QueryScope, 'db' | 'dialect'>,
  { kind, projectRowId }: { readonly kind: JobKind; readonly projectRowId: number },
  { limit, isUnfinished }: { readonly limit: number; readonly isUnfinished: boolean },
): Promise<readonly Job<Input, Progress>[]> {
  let query = db
    .selectFrom('jobs')
    .selectAll()
    .where('project_id', '=', projectRowId)
    .where(dialect.unindexed<string>('kind'), '=', kind);
  if (isUnfinished) query = query.where(dialect.unindexed<number | null>('finished_at_us'), 'is', null);
  const rows = await query.orderBy('id', 'desc').limit(limit).execute();
  return rows.map((row) => toJob(row));
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
  job: NewJob<Input, Progress>,
): Promise<Job<Input, Progress>> {
  const last = await findLastJob<Input, Progress>(db, job.kind);
  return last !== undefined && last.finishedAtUs === null ? last : addJob(db, job);
}

/** Begins a job beside those of its kind that are under way, or notes one that is over. */
export async function addJob<Input, Progress>(
  db: Kysely<Tables>,
  { kind, projectRowId, input, progress, budget, nowUs }: NewJob<Input, Progress>,
  result: JobResult | null = null,
): Promise<Job<Input, Progress>> {
  const row = await db
    .insertInto('jobs')
    .values({
      kind,
      input: JSON.stringify(input),
      project_id: projectRowId ?? null,
      state: result === null ? 'running' : 'done',
      progress: JSON.stringify(progress),
      budget: budget === undefined ? null : JSON.stringify(budget),
      spent: null,
      result: result && JSON.stringify(result),
      error: null,
      owner: null,
      leased_until_us: 0,
      started_at_us: nowUs,
      finished_at_us: result && nowUs,
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

/** Ends a job that cannot go on; no step of it holds from then on. `false` where it is over. */
export function failJob(
  db: Kysely<Tables>,
  id: number,
  { error, result, nowUs }: { readonly error: string; readonly result: JobResult; readonly nowUs: number },
): Promise<boolean> {
  const change = { state: 'failed', error, result: JSON.stringify(result), finished_at_us: nowUs } as const;
  return changeState(db, id, ['running', 'paused'], change);
}

async function changeState(
  db: Kysely<Tables>,
  id: number,
  from: readonly JobsTable['state'][],
  change: Partial<Omit<Selectable<JobsTable>, 'id'>>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('jobs')
    .set(change)
    .where('id', '=', id)
    .where('state', 'in', [...from])
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

type JobRow = Selectable<JobsTable>;

/** What a kind of job keeps as JSON it wrote itself. */
function toJob<Input, Progress>(row: JobRow): Job<Input, Progress> {
  const { id, kind, state, error, started_at_us: startedAtUs, finished_at_us: finishedAtUs } = row;
  const projectRowId = row.project_id;
  const result = row.result === null ? null : (JSON.parse(row.result) as JobResult);
  const input = JSON.parse(row.input) as Input;
  const progress = JSON.parse(row.progress) as Progress;
  return { id, kind, projectRowId, input, progress, state, result, error, startedAtUs, finishedAtUs };
}

function toBudget(text: string | null): JobBudget {
  return text === null ? {} : (JSON.parse(text) as JobBudget);
}

function addUp(a: JobBudget, b: JobBudget): JobBudget {
  const units = new Set([...Object.keys(a), ...Object.keys(b)]);
  return Object.fromEntries([...units].map((unit) => [unit, (a[unit] ?? 0) + (b[unit] ?? 0)]));
}
