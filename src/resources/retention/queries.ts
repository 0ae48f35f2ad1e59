/** Reads retention policies. */
import { type SqlBool, sql } from 'kysely';
import { DEFAULT_POLICY_ROW_ID, type RetentionPolicy } from '#domain/retention';
import { type ListWindow, projectsOf } from '#store/retention/due-traces';
import type { ReadHandle } from '../slice.ts';

/** What a policy is read from. */
export const POLICY_COLUMNS = ['id as rowId', 'name', 'cron', 'max_days as maxDays', 'max_count as maxCount'] as const;

/** How many policies there are, the default one included. */
export async function countPolicies({ db }: Pick<ReadHandle, 'db'>): Promise<number> {
  const query = db.selectFrom('retention_policies').select(({ fn }) => fn.countAll<number>().as('count'));
  return (await query.executeTakeFirstOrThrow()).count;
}

/** In order of their rows. Index: primary key. */
export function listPolicies({ db }: ReadHandle, { offset, limit }: ListWindow): Promise<readonly RetentionPolicy[]> {
  return db.selectFrom('retention_policies').select(POLICY_COLUMNS).orderBy('id').limit(limit).offset(offset).execute();
}

/** By row id. Index: primary key. */
export async function findPolicies(
  { db, dialect }: ReadHandle,
  rowIds: readonly number[],
): Promise<ReadonlyMap<number, RetentionPolicy>> {
  const rows = await db
    .selectFrom('retention_policies')
    .select(POLICY_COLUMNS)
    .where('id', 'in', dialect.numbersOf(rowIds))
    .execute();
  return new Map(rows.map((row) => [row.rowId, row]));
}

/** By row id of the project; the default one of those that have none of their own. Index: primary keys. */
export async function findPoliciesOfProjects(
  { db, dialect }: ReadHandle,
  projectRowIds: readonly number[],
): Promise<ReadonlyMap<number, RetentionPolicy>> {
  const rows = await db
    .selectFrom('projects')
    .leftJoin('project_retention as own', 'own.project_id', 'projects.id')
    .innerJoin('retention_policies as policy', (join) =>
      join.on(sql<SqlBool>`policy.id = coalesce(own.policy_id, ${DEFAULT_POLICY_ROW_ID})`),
    )
    .select(['projects.id as projectRowId', 'policy.id as rowId', 'policy.name', 'policy.cron'])
    .select(['policy.max_days as maxDays', 'policy.max_count as maxCount'])
    .where('projects.id', 'in', dialect.numbersOf(projectRowIds))
    .execute();
  return new Map(rows.map(({ projectRowId, ...policy }) => [projectRowId, policy]));
}

/** How many projects a policy has. */
export async function countProjectsOf({ db }: ReadHandle, policyRowId: number): Promise<number> {
  const query = projectsOf(db, policyRowId).select(({ fn }) => fn.countAll<number>().as('count'));
  return (await query.executeTakeFirstOrThrow()).count;
}

/** How many projects each policy has; those without any are left out. Reads all projects once. */
export async function countProjectsByPolicy({ db }: Pick<ReadHandle, 'db'>): Promise<ReadonlyMap<number, number>> {
  const policyId = sql<number>`coalesce(own.policy_id, ${DEFAULT_POLICY_ROW_ID})`;
  const rows = await db
    .selectFrom('projects')
    .leftJoin('project_retention as own', 'own.project_id', 'projects.id')
    .select([policyId.as('policyRowId'), sql<number>`count(*)`.as('count')])
    .groupBy('own.policy_id')
    .execute();
  const counts = new Map<number, number>();
  // An own policy that is the default one counts with those that have none.
  for (const { policyRowId, count } of rows) counts.set(policyRowId, (counts.get(policyRowId) ?? 0) + Number(count));
  return counts;
}
