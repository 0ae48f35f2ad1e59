/** Takes traces away from everybody who asks, in the writer: a project at once, traces in short transactions. */
import { type SqlBool, sql } from 'kysely';
import { AppError } from '#base/errors';
import type { SessionDelta } from '#derive/session-rollup';
import { addUsage, NO_USAGE } from '#derive/usage';
import { prepareQuery, type QueryScope } from '../queries/prepared-query.ts';
import type { WriteScope } from '../spans/write/request-writer.ts';
import { keepRows } from '../records/keep-rows.ts';
import { SessionBook } from '../spans/write/session-book.ts';
import { loadTracesByRow, type StoredTrace } from '../spans/write/stored-trace.ts';
import { type TouchedPlace, touchedProjects } from '../spans/write/touched-projects.ts';
import type { TouchedProject } from '../engine/touched-project.ts';
import {
  type Deletion,
  type DeletionRequest,
  DELETION_COLUMNS,
  hiddenProjectId,
  type StoredSelection,
  toDeletion,
} from './deletion.ts';

/** What one transaction of a deletion came to. */
export interface HiddenPart {
  /** As it is now; `finished` at once where nothing was chosen. */
  readonly deletion: Deletion;
  readonly touched: readonly TouchedProject[];
}

/** The project that everything lands in when nothing names one. */
const DEFAULT_PROJECT = 'default';

/**
 * Makes a project disappear, whatever it holds; `undefined` where there is none.
 * @throws AppError `permission_denied` for the project `default`
 */
export async function deleteProject(scope: WriteScope, projectRowId: number): Promise<Deletion | undefined> {
  const { db, registry } = scope;
  const project = await findProject(scope, projectRowId);
  if (project === undefined) return undefined;
  if (project.name === DEFAULT_PROJECT) {
    throw new AppError('permission_denied', 'The project default cannot be deleted. You can delete its traces.');
  }
  const nowUs = Date.now() * 1000;
  const { id } = await db
    .insertInto('deletions')
    .values({
      ...newRow({ projectRowId, reason: 'request', policyRowId: null }, project.name, nowUs),
      state: 'erasing',
      hidden_at_us: nowUs,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db.deleteFrom('projects').where('id', '=', projectRowId).execute();
  registry.forget();
  return findDeletion(scope, id);
}

/**
 * Notes what is to be deleted; nothing is hidden yet. `undefined` where there is no such project, or its policy has been deleted.
 * @param jobRowId the job that says which traces, where one does
 */
export async function beginDeletion(
  scope: QueryScope,
  request: DeletionRequest,
  jobRowId: number | null = null,
): Promise<Deletion | undefined> {
  const { db } = scope;
  const project = await findProject(scope, request.projectRowId);
  if (project === undefined || !(await isInForce(scope, request.policyRowId))) return undefined;
  const last = await db.selectFrom('traces').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst();
  const selection: StoredSelection = { ...request.selection, belowRowId: (last?.id ?? 0) + 1 };
  const { id } = await db
    .insertInto('deletions')
    .values({
      ...newRow(request, project.name, Date.now() * 1000),
      selection: JSON.stringify(selection),
      job_id: jobRowId,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return findDeletion(scope, id);
}

/** Hides the next traces of a deletion, as many as one transaction may; `undefined` for one that had nothing to hide. */
export async function hideNext(
  scope: WriteScope,
  deletionRowId: number,
  maxTraces = TRACES_A_TRANSACTION,
): Promise<HiddenPart | undefined> {
  const deletion = await findDeletion(scope, deletionRowId);
  if (deletion === undefined) return undefined;
  if (deletion.state !== 'hiding' || deletion.selection === null) return { deletion, touched: [] };
  const rowIds = await selectChosen(scope, deletion.projectRowId, deletion.selection, maxTraces);
  return hideTraces(scope, deletion, rowIds, rowIds.length < maxTraces);
}

/** Hides traces for a deletion that is still hiding, in one transaction. @param isDone whether these are the last */
export async function hideTraces(
  scope: WriteScope,
  deletion: Deletion,
  rowIds: readonly number[],
  isDone: boolean,
): Promise<HiddenPart | undefined> {
  const traces = await loadTracesByRow(scope, rowIds);
  const sessions = new SessionBook(scope);
  leaveSessions(sessions, [...traces.values()]);
  await takeAway(scope, deletion, rowIds);
  await sessions.flush();
  let spanCount = 0;
  const places: TouchedPlace[] = [];
  for (const [traceId, { projectId, rollup }] of traces) {
    spanCount += rollup.spanCount;
    places.push({ projectId, traceId });
  }
  await scope.db
    .updateTable('deletions')
    .set((row) => ({
      trace_count: row('trace_count', '+', rowIds.length),
      span_count: row('span_count', '+', spanCount),
      ...(isDone && { state: 'erasing' as const, hidden_at_us: Date.now() * 1000 }),
    }))
    .where('id', '=', deletion.rowId)
    .execute();
  const touched = touchedProjects(places);
  if (isDone && deletion.traceCount + rowIds.length === 0) {
    await scope.db.deleteFrom('deletions').where('id', '=', deletion.rowId).execute();
    return { deletion: { ...deletion, state: 'finished', finishedAtUs: Date.now() * 1000 }, touched };
  }
  const now = await findDeletion(scope, deletion.rowId);
  return now && { deletion: now, touched };
}

/** Measured: some 8 ms. */
export const TRACES_A_TRANSACTION = 500;

/** A deletion as it is stored. */
async function findDeletion({ db }: QueryScope, rowId: number): Promise<Deletion | undefined> {
  const row = await db.selectFrom('deletions').select(DELETION_COLUMNS).where('id', '=', rowId).executeTakeFirst();
  return row && toDeletion(row);
}

/** What a job has begun to delete; `undefined` where it has not. Index: deletions_unfinished. */
export async function findDeletionOfJob({ db, dialect }: QueryScope, jobRowId: number): Promise<Deletion | undefined> {
  const row = await db
    .selectFrom('deletions')
    .select(DELETION_COLUMNS)
    .where('state', '<>', sql.lit('finished'))
    .where(dialect.unindexed<number | null>('job_id'), '=', jobRowId)
    .executeTakeFirst();
  return row && toDeletion(row);
}

/** Takes traces out of their sessions. The rows of the traces are to say so before the book is written. */
export function leaveSessions(sessions: SessionBook, traces: readonly StoredTrace[]): void {
  for (const { projectId, sessionRowId, rollup } of traces) {
    if (sessionRowId === null || rollup.session === null) continue;
    sessions.know(projectId, rollup.session.sessionId, sessionRowId);
  }
  for (const { projectId, sessionRowId, rollup } of traces) {
    if (sessionRowId === null || rollup.session === null) continue;
    const delta: SessionDelta = {
      traceCount: -1,
      errorCount: -rollup.errorCount,
      usage: addUsage(NO_USAGE, rollup.usage, -1),
      times: null,
      isShrinking: true,
    };
    sessions.add(projectId, rollup.session.sessionId, delta);
  }
}

async function takeAway({ db, dialect }: WriteScope, deletion: Deletion, rowIds: readonly number[]): Promise<void> {
  if (rowIds.length === 0) return;
  const project_id = hiddenProjectId(deletion);
  await db
    .updateTable('traces')
    .set((trace) => ({ project_id, session_row_id: null, revision: trace('revision', '+', 1) }))
    .where('id', 'in', dialect.numbersOf(rowIds))
    .execute();
  await db
    .insertInto('unlisted_traces')
    .columns(['trace_row_id', 'deletion_id'])
    .expression(
      db
        .selectFrom('traces')
        .select(['id', sql<number>`${deletion.rowId}`.as('deletion_id')])
        .where('id', 'in', dialect.numbersOf(rowIds)),
    )
    .onConflict((conflict) => conflict.column('trace_row_id').doUpdateSet({ deletion_id: deletion.rowId }))
    .execute();
}

/** Index: the primary key, traces_of_session or traces_by_start. */
async function selectChosen(
  { db, dialect }: WriteScope,
  projectRowId: number,
  selection: StoredSelection,
  maxTraces: number,
): Promise<readonly number[]> {
  const isOfProject = dialect.unindexed('project_id');
  let query = db.selectFrom('traces').select('id').where('id', '<', selection.belowRowId);
  if ('traceRowIds' in selection) {
    query = query.where('id', 'in', dialect.numbersOf(selection.traceRowIds)).where(isOfProject, '=', projectRowId);
  } else if ('sessionRowIds' in selection) {
    query = query
      .where('session_row_id', 'in', dialect.numbersOf(selection.sessionRowIds))
      .where(isOfProject, '=', projectRowId);
  } else {
    const { startTimeUs, before } = selection;
    query = query.where('project_id', '=', projectRowId).orderBy('start_us').orderBy('id');
    if (startTimeUs !== null) query = query.where('start_us', '>=', startTimeUs);
    if (before !== null) query = query.where(sql<SqlBool>`(start_us, id) < (${before.startTimeUs}, ${before.rowId})`);
  }
  const rows = await query.limit(maxTraces).execute();
  return rows.map((row) => row.id);
}

function newRow(
  { projectRowId, reason, policyRowId }: Omit<DeletionRequest, 'selection'>,
  projectName: string,
  nowUs: number,
) {
  return {
    project_id: projectRowId,
    project_name: projectName,
    reason,
    policy_id: policyRowId,
    selection: null,
    state: 'hiding' as const,
    trace_count: 0,
    span_count: 0,
    erased_span_count: 0,
    started_at_us: nowUs,
    hidden_at_us: null,
    finished_at_us: null,
  };
}

/** A policy may be deleted while it is applied. */
async function isInForce(scope: QueryScope, policyRowId: number | null): Promise<boolean> {
  if (policyRowId === null) return true;
  return (await keepRows(scope, 'retention_policies', [policyRowId])).length > 0;
}

async function findProject(scope: QueryScope, rowId: number): Promise<{ readonly name: string } | undefined> {
  const [project] = await selectProject(scope, { rowId });
  return project;
}

const selectProject = prepareQuery(({ db }, values: { readonly rowId: number }) =>
  db.selectFrom('projects').select('name').where('id', '=', values.rowId),
);
