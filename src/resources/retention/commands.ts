/** Changes of retention policies. A policy that was changed is applied when it is due the next time. */
import { sql } from 'kysely';
import { AppError } from '#base/errors';
import {
  checkNewPolicy,
  checkPolicyChange,
  DEFAULT_POLICY_ROW_ID,
  type PolicyChange,
  type RetentionPolicy,
} from '#domain/retention';
import type { AuditNote } from '#store/commands/audit';
import { defineCommands, type RecordScope, recordCommand } from '#store/commands/command';
import { keepRows } from '#store/records/keep-rows';
import { markApplied, seedDefaultPolicy } from '#store/retention/due-traces';
import { retentionPolicy } from './policy.ts';
import { countPolicies, POLICY_COLUMNS } from './queries.ts';

/** A policy, and the projects that it is for. */
export interface NewPolicy extends Required<PolicyChange> {
  readonly projectRowIds: readonly number[];
}

/** What changes about a policy. */
export interface PolicyPatch extends PolicyChange {
  readonly rowId: number;
  /** Projects that have it from now on. */
  readonly added: readonly number[];
  /** Projects that have the default one from now on, if they have this one. */
  readonly removed: readonly number[];
}

/** The commands. */
export const retentionCommands = defineCommands(retentionPolicy, {
  /** @throws AppError `invalid_argument`, `failed_precondition` for too many policies, `not_found` for a project */
  create: recordCommand(async (scope, _caller, { projectRowIds, ...policy }: NewPolicy): Promise<RetentionPolicy> => {
    const values = checkNewPolicy(policy);
    await scope.lock('retention_policies');
    if ((await countPolicies(scope)) >= MAX_POLICIES) {
      throw new AppError(
        'failed_precondition',
        `There are already ${MAX_POLICIES} policies, which is the limit: change or delete one.`,
      );
    }
    const created = await scope.db
      .insertInto('retention_policies')
      .values({ ...toColumns(values), name: values.name, cron: values.cron, looked_at_us: scope.nowUs })
      .returning(POLICY_COLUMNS)
      .executeTakeFirstOrThrow();
    await assign(scope, created.rowId, projectRowIds);
    scope.note(noteOf(created, ['name', 'cron', 'max_days', 'max_count', 'projects']));
    return created;
  }),

  /** @throws AppError `invalid_argument`, also for another name of the default policy; `not_found` */
  patch: recordCommand(
    async (scope, _caller, { rowId, added, removed, ...change }: PolicyPatch): Promise<RetentionPolicy> => {
      const values = checkPolicyChange(change);
      if (rowId === DEFAULT_POLICY_ROW_ID && values.name !== undefined) {
        throw new AppError('invalid_argument', 'The default policy cannot be renamed.');
      }
      if (rowId === DEFAULT_POLICY_ROW_ID && removed.length > 0) {
        throw new AppError(
          'invalid_argument',
          'To remove a project from the default policy, assign another policy to it.',
        );
      }
      assertFew([...added, ...removed]);
      const leaving = new Set(removed);
      if (added.some((project) => leaving.has(project))) {
        throw new AppError('invalid_argument', 'A project cannot be added and removed at once.');
      }
      const patched = await scope.db
        .updateTable('retention_policies')
        .set({ ...toColumns(values), looked_at_us: scope.nowUs })
        .where('id', '=', rowId)
        .returning(POLICY_COLUMNS)
        .executeTakeFirst();
      if (patched === undefined) throw noSuchPolicy();
      await assign(scope, rowId, added);
      await assertProjects(scope, removed);
      await scope.db
        .deleteFrom('project_retention')
        .where('project_id', 'in', scope.dialect.numbersOf(removed))
        .where('policy_id', '=', rowId)
        .execute();
      const isMoving = added.length + removed.length > 0;
      scope.note(noteOf(patched, [...Object.keys(toColumns(values)), ...(isMoving ? ['projects'] : [])]));
      return patched;
    },
  ),

  /** Its projects have the default policy then. @throws AppError `invalid_argument` for that one, `not_found` */
  delete: recordCommand(async (scope, _caller, rowId: number): Promise<RetentionPolicy> => {
    if (rowId === DEFAULT_POLICY_ROW_ID)
      throw new AppError('invalid_argument', 'The default policy cannot be deleted.');
    const deleted = await scope.db
      .deleteFrom('retention_policies')
      .where('id', '=', rowId)
      .returning(POLICY_COLUMNS)
      .executeTakeFirst();
    if (deleted === undefined) throw noSuchPolicy();
    scope.note(noteOf(deleted, ['deleted']));
    return deleted;
  }),

  /** Gives projects a policy. @throws AppError `not_found` for a policy or a project that is not there */
  assign: recordCommand(
    async (scope, _caller, { rowId, projectRowIds }: { rowId: number; projectRowIds: readonly number[] }) => {
      await assign(scope, rowId, projectRowIds);
      const projects = scope.db.selectFrom('projects').select(['id', 'name']).orderBy('id');
      for (const { id, name } of await projects.where('id', 'in', scope.dialect.numbersOf(projectRowIds)).execute()) {
        scope.note({ object: { type: 'Project', id, name }, projectRowId: id, changes: ['retention_policy'] });
      }
    },
  ),

  /** Gives the default policy its days the first time; people change it from then on. */
  seedDefault: recordCommand(({ db, nowUs }, _caller, maxDays: number) => seedDefaultPolicy(db, maxDays, nowUs)),

  /** Notes when a policy was applied; `false` if there is no such policy. */
  noteApplied: recordCommand(({ db }, _caller, { rowId, atUs }: { readonly rowId: number; readonly atUs: number }) =>
    markApplied(db, rowId, atUs),
  ),
});

/** What callers in other threads get. */
export type RetentionCommands = typeof retentionCommands;

/** Far more than anybody can tell apart. */
const MAX_POLICIES = 1000;

/** Projects that one command names. */
const MAX_PROJECTS = 1000;

function noteOf({ rowId, name }: RetentionPolicy, changes: readonly string[]): AuditNote {
  return { object: { type: 'ProjectTraceRetentionPolicy', id: rowId, name }, changes };
}

async function assign(scope: RecordScope, policyRowId: number, projectRowIds: readonly number[]): Promise<void> {
  const { db, dialect } = scope;
  // Neither goes away before the commit.
  const policies = await keepRows(scope, 'retention_policies', [policyRowId]);
  if (policies.length === 0) throw noSuchPolicy();
  await assertProjects(scope, projectRowIds);
  if (policyRowId === DEFAULT_POLICY_ROW_ID) {
    await db.deleteFrom('project_retention').where('project_id', 'in', dialect.numbersOf(projectRowIds)).execute();
    return;
  }
  await db
    .insertInto('project_retention')
    .columns(['project_id', 'policy_id'])
    .expression(
      db
        .selectFrom('projects')
        .select(['id', sql<number>`${policyRowId}`.as('policy_id')])
        .where('id', 'in', dialect.numbersOf(projectRowIds))
        .orderBy('id'),
    )
    .onConflict((conflict) => conflict.column('project_id').doUpdateSet({ policy_id: policyRowId }))
    .execute();
}

function assertFew(projectRowIds: readonly number[]): void {
  if (projectRowIds.length <= MAX_PROJECTS) return;
  throw new AppError('invalid_argument', `At most ${MAX_PROJECTS} projects can be named at once.`);
}

async function assertProjects(scope: RecordScope, rowIds: readonly number[]): Promise<void> {
  assertFew(rowIds);
  const found = await keepRows(scope, 'projects', rowIds);
  if (found.length < new Set(rowIds).size) throw new AppError('not_found', 'Some of these projects do not exist.');
}

function noSuchPolicy(): AppError {
  return new AppError('not_found', 'There is no such retention policy.');
}

function toColumns({ name, cron, maxDays, maxCount }: Partial<Omit<RetentionPolicy, 'rowId'>>) {
  return {
    ...(name !== undefined && { name }),
    ...(cron !== undefined && { cron }),
    ...(maxDays !== undefined && { max_days: maxDays }),
    ...(maxCount !== undefined && { max_count: maxCount }),
  };
}
