/** For how long traces are kept: policies, and which projects have them. */
import { AppError } from '#base/errors';
import { parseSchedule } from '#domain/schedule';
import type { ProjectBrowser } from '#store/projects-port';
import {
  DEFAULT_POLICY_ROW_ID,
  type RetentionPolicy,
  type RetentionRule,
  type RetentionStore,
  type RetentionWriter,
} from '#store/retention/port';

/** What retention works with. */
export interface RetentionParts {
  readonly policies: RetentionStore & RetentionWriter;
  readonly projects: Pick<ProjectBrowser, 'findProjects'>;
}

/** What people say of a policy; what is left out keeps its value. */
export interface PolicyChange {
  readonly name?: string | undefined;
  readonly cron?: string | undefined;
  readonly rule?: RetentionRule | undefined;
}

/** Far more than anybody can tell apart. */
const MAX_POLICIES = 1000;

/** Projects that one call gives a policy. */
const MAX_PROJECTS = 1000;

/** A new policy for the projects. @throws AppError `invalid_argument`, `not_found` for a project that is not there */
export async function createPolicy(
  parts: RetentionParts,
  { name, cron, rule }: Required<PolicyChange>,
  projectRowIds: readonly number[],
): Promise<RetentionPolicy> {
  const values = { ...checkChange({ name, cron, rule }), name: checkName(name ?? ''), cron: checkCron(cron ?? '') };
  await assertProjects(parts, projectRowIds);
  if ((await parts.policies.countPolicies()) >= MAX_POLICIES) {
    throw new AppError(
      'failed_precondition',
      `There are already ${MAX_POLICIES} policies, which is the limit: change or delete one.`,
    );
  }
  const policy = await parts.policies.createPolicy({ maxDays: null, maxCount: null, ...values });
  if (projectRowIds.length > 0) await parts.policies.assignPolicy(policy.rowId, projectRowIds);
  return policy;
}

/**
 * Changes a policy, and the projects that have it.
 * @throws AppError `invalid_argument` also for another name of the default policy, and for projects that should come and go
 * @throws AppError `not_found`
 */
export async function patchPolicy(
  parts: RetentionParts,
  rowId: number,
  change: PolicyChange,
  projects: { readonly added: readonly number[]; readonly removed: readonly number[] },
): Promise<RetentionPolicy> {
  const values = checkChange(change);
  if (rowId === DEFAULT_POLICY_ROW_ID && values.name !== undefined) {
    throw new AppError('invalid_argument', 'The default policy cannot be renamed.');
  }
  if (rowId === DEFAULT_POLICY_ROW_ID && projects.removed.length > 0) {
    throw new AppError('invalid_argument', 'To remove a project from the default policy, assign another policy to it.');
  }
  if (projects.added.some((project) => projects.removed.includes(project))) {
    throw new AppError('invalid_argument', 'A project cannot be added and removed at once.');
  }
  await assertProjects(parts, [...projects.added, ...projects.removed]);
  const policy = await parts.policies.patchPolicy(rowId, values);
  if (policy === undefined) throw new AppError('not_found', NO_POLICY);
  if (projects.added.length > 0) await parts.policies.assignPolicy(rowId, projects.added);
  const owners = await parts.policies.findPoliciesOfProjects(projects.removed);
  const removed = projects.removed.filter((project) => owners.get(project)?.rowId === rowId);
  if (removed.length > 0) await parts.policies.assignPolicy(DEFAULT_POLICY_ROW_ID, removed);
  return policy;
}

/** Deletes a policy; its projects have the default one then. @throws AppError `invalid_argument` for that, `not_found` */
export async function deletePolicy({ policies }: RetentionParts, rowId: number): Promise<RetentionPolicy> {
  if (rowId === DEFAULT_POLICY_ROW_ID) throw new AppError('invalid_argument', 'The default policy cannot be deleted.');
  const policy = await policies.deletePolicy(rowId);
  if (policy === undefined) throw new AppError('not_found', NO_POLICY);
  return policy;
}

/** Gives a project a policy. @throws AppError `not_found` where there is no such policy */
export async function assignPolicy(
  { policies }: RetentionParts,
  policyRowId: number,
  projectRowId: number,
): Promise<void> {
  if (!(await policies.findPolicies([policyRowId])).has(policyRowId)) throw new AppError('not_found', NO_POLICY);
  await policies.assignPolicy(policyRowId, [projectRowId]);
}

const NO_POLICY = 'There is no such retention policy.';

function checkChange({ name, cron, rule }: PolicyChange): Partial<Omit<RetentionPolicy, 'rowId'>> {
  return {
    ...(name !== undefined && { name: checkName(name) }),
    ...(cron !== undefined && { cron: checkCron(cron) }),
    ...(rule !== undefined && checkRule(rule)),
  };
}

function checkName(name: string): string {
  const trimmed = name.trim();
  if (trimmed === '' || trimmed.length > MAX_NAME_LENGTH) {
    throw new AppError('invalid_argument', `A policy needs a name of at most ${MAX_NAME_LENGTH} characters.`);
  }
  if (UNPRINTABLE.test(trimmed)) {
    throw new AppError('invalid_argument', 'The name of a policy cannot have control characters.');
  }
  return trimmed;
}

const MAX_NAME_LENGTH = 200;

const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u;

function checkCron(cron: string): string {
  const trimmed = cron.trim();
  if (parseSchedule(trimmed) === undefined) throw new AppError('invalid_argument', INVALID_CRON);
  return trimmed;
}

/** What a cron expression is. */
export const INVALID_CRON =
  'A schedule is a cron expression whose minute is 0 and whose day and month are *, such as 0 3 * * 0: hours and weekdays in UTC.';

function checkRule({ maxDays, maxCount }: RetentionRule): RetentionRule {
  if (maxDays !== null && !(maxDays >= 0 && maxDays <= MAX_DAYS)) {
    throw new AppError('invalid_argument', `Days are between 0, which keeps everything, and ${MAX_DAYS}.`);
  }
  if (maxCount !== null && !(maxCount >= 0)) {
    throw new AppError('invalid_argument', 'A number of traces is 0, which keeps all traces, or more.');
  }
  return { maxDays, maxCount };
}

/** A hundred years. */
const MAX_DAYS = 36_525;

async function assertProjects({ projects }: RetentionParts, rowIds: readonly number[]): Promise<void> {
  if (rowIds.length > MAX_PROJECTS) {
    throw new AppError('invalid_argument', `At most ${MAX_PROJECTS} projects can be named at once.`);
  }
  const found = await projects.findProjects(rowIds);
  if (found.includes(undefined)) throw new AppError('not_found', 'Some of these projects do not exist.');
}
