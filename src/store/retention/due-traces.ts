/** What retention asks the database: which policies are due, and where the traces end that a rule lets go. */
import { type Kysely, type SqlBool, sql } from 'kysely';
import { lastDueUs, parseSchedule } from '#domain/schedule';
import type { TracePlace } from '../deletion/deletion.ts';
import type { Tables } from '../schema/tables.ts';
import { DEFAULT_POLICY_ROW_ID, type RetentionPolicy, type RetentionRule } from '#domain/retention';

/** Part of a list that is counted. */
export interface ListWindow {
  readonly offset: number;
  readonly limit: number;
}

/** Row ids, ascending. Index: projects_of_policy; the projects of the default policy are found through all projects. */
export async function listProjectsOf(
  db: Kysely<Tables>,
  policyRowId: number,
  { offset, limit }: ListWindow,
): Promise<readonly number[]> {
  const query = projectsOf(db, policyRowId).select('projects.id').orderBy('projects.id');
  return (await query.limit(limit).offset(offset).execute()).map((row) => row.id);
}

/** The projects that have a policy. */
export function projectsOf(db: Kysely<Tables>, policyRowId: number) {
  return db
    .selectFrom('projects')
    .leftJoin('project_retention as own', 'own.project_id', 'projects.id')
    .where(sql<SqlBool>`coalesce(own.policy_id, ${DEFAULT_POLICY_ROW_ID}) = ${policyRowId}`);
}

/** Gives the default policy its days the first time; people change it from then on. */
export async function seedDefaultPolicy(db: Kysely<Tables>, maxDays: number, nowUs: number): Promise<void> {
  await db
    .updateTable('retention_policies')
    .set({ max_days: maxDays, looked_at_us: nowUs })
    .where('id', '=', DEFAULT_POLICY_ROW_ID)
    .where('looked_at_us', '=', 0)
    .execute();
}

/** The policies that came due since they were applied, or created, last. */
export async function findDuePolicies(db: Kysely<Tables>, nowUs: number): Promise<readonly RetentionPolicy[]> {
  const rows = await db
    .selectFrom('retention_policies')
    .select(['id as rowId', 'name', 'cron', 'max_days as maxDays', 'max_count as maxCount', 'looked_at_us'])
    .execute();
  return rows.flatMap(({ looked_at_us, ...policy }) => {
    const schedule = parseSchedule(policy.cron);
    return schedule !== undefined && lastDueUs(schedule, nowUs) > looked_at_us ? [policy] : [];
  });
}

/** Whether the policy is still the one that was read; whoever applies it to many projects asks before each. */
export async function isUnchanged(db: Kysely<Tables>, policy: RetentionPolicy): Promise<boolean> {
  const row = await db
    .selectFrom('retention_policies')
    .select(['cron', 'max_days', 'max_count'])
    .where('id', '=', policy.rowId)
    .executeTakeFirst();
  return row?.cron === policy.cron && row.max_days === policy.maxDays && row.max_count === policy.maxCount;
}

/** Notes that a policy was applied; `false` if there is no such policy, or it was changed or applied since. */
export async function markApplied(db: Kysely<Tables>, policyRowId: number, nowUs: number): Promise<boolean> {
  const update = db.updateTable('retention_policies').set({ looked_at_us: nowUs }).where('id', '=', policyRowId);
  return (await update.where('looked_at_us', '<', nowUs).executeTakeFirst()).numUpdatedRows > 0n;
}

/**
 * The first trace of a project that stays, in order of start, then arrival, or a place where there is none; `null` where no
 * trace goes. Index: traces_by_start.
 */
export async function findFirstKept(
  db: Kysely<Tables>,
  projectRowId: number,
  { maxDays, maxCount }: RetentionRule,
  nowUs: number,
): Promise<TracePlace | null> {
  const places: TracePlace[] = [];
  if (maxDays !== null && maxDays > 0) places.push({ startTimeUs: Math.floor(nowUs - maxDays * US_PER_DAY), rowId: 0 });
  if (maxCount !== null && maxCount > 0) {
    const row = await db
      .selectFrom('traces')
      .select(['start_us', 'id'])
      .where('project_id', '=', projectRowId)
      .orderBy('start_us', 'desc')
      .orderBy('id', 'desc')
      .limit(1)
      .offset(maxCount - 1)
      .executeTakeFirst();
    if (row !== undefined) places.push({ startTimeUs: row.start_us, rowId: row.id });
  }
  const [first] = places.toSorted((a, b) => b.startTimeUs - a.startTimeUs || b.rowId - a.rowId);
  if (first === undefined) return null;
  const any = await db
    .selectFrom('traces')
    .select('id')
    .where('project_id', '=', projectRowId)
    .where(sql<SqlBool>`(start_us, id) < (${first.startTimeUs}, ${first.rowId})`)
    .limit(1)
    .executeTakeFirst();
  return any === undefined ? null : first;
}

const US_PER_DAY = 86_400_000_000;
