/** Retention policies on a relational engine. */
import { type Kysely, type SqlBool, sql } from 'kysely';
import type { SqlDialect } from '../dialect/dialect.ts';
import type { Tables } from '../schema/tables.ts';
import { DEFAULT_POLICY_ROW_ID, type RetentionPolicy, type RetentionStore, type RetentionWriter } from './port.ts';

const COLUMNS = ['id as rowId', 'name', 'cron', 'max_days as maxDays', 'max_count as maxCount'] as const;

/** Reads through the handle. Index: primary keys, projects_of_policy; for the default policy through all projects. */
export function relationalRetentionStore(db: Kysely<Tables>, dialect: SqlDialect): RetentionStore {
  const projectsOf = (policyRowId: number) =>
    db
      .selectFrom('projects')
      .leftJoin('project_retention as own', 'own.project_id', 'projects.id')
      .leftJoin('retention_policies as policy', 'policy.id', 'own.policy_id')
      .where(sql<SqlBool>`coalesce(policy.id, ${DEFAULT_POLICY_ROW_ID}) = ${policyRowId}`);
  return {
    async countPolicies() {
      const query = db.selectFrom('retention_policies').select(({ fn }) => fn.countAll<number>().as('count'));
      return (await query.executeTakeFirstOrThrow()).count;
    },
    listPolicies({ offset, limit }) {
      return db.selectFrom('retention_policies').select(COLUMNS).orderBy('id').limit(limit).offset(offset).execute();
    },
    async findPolicies(rowIds) {
      const rows = await db
        .selectFrom('retention_policies')
        .select(COLUMNS)
        .where('id', 'in', dialect.numbersOf(rowIds))
        .execute();
      return new Map(rows.map((row) => [row.rowId, row]));
    },
    async findPoliciesOfProjects(projectRowIds) {
      const rows = await db
        .selectFrom('projects')
        .leftJoin('project_retention as own', 'own.project_id', 'projects.id')
        .innerJoin('retention_policies as policy', (join) =>
          join.on(
            sql<SqlBool>`policy.id = coalesce((SELECT id FROM retention_policies WHERE id = own.policy_id), ${DEFAULT_POLICY_ROW_ID})`,
          ),
        )
        .select(['projects.id as projectRowId', 'policy.id as rowId', 'policy.name', 'policy.cron'])
        .select(['policy.max_days as maxDays', 'policy.max_count as maxCount'])
        .where('projects.id', 'in', dialect.numbersOf(projectRowIds))
        .execute();
      return new Map(rows.map(({ projectRowId, ...policy }) => [projectRowId, policy]));
    },
    async countProjectsOf(policyRowId) {
      const query = projectsOf(policyRowId).select(({ fn }) => fn.countAll<number>().as('count'));
      return (await query.executeTakeFirstOrThrow()).count;
    },
    async listProjectsOf(policyRowId, { offset, limit }) {
      const query = projectsOf(policyRowId).select('projects.id').orderBy('projects.id');
      return (await query.limit(limit).offset(offset).execute()).map((row) => row.id);
    },
  };
}

/** Writes through the handle, which must be that of the writer. */
export function relationalRetentionWriter(db: Kysely<Tables>, dialect: SqlDialect): RetentionWriter {
  const clear = (projectRowIds: readonly number[]) =>
    db.deleteFrom('project_retention').where('project_id', 'in', dialect.numbersOf(projectRowIds)).execute();
  return {
    createPolicy({ name, cron, maxDays, maxCount }) {
      return db
        .insertInto('retention_policies')
        .values({ name, cron, max_days: maxDays, max_count: maxCount, looked_at_us: nowUs() })
        .returning(COLUMNS)
        .executeTakeFirstOrThrow();
    },
    patchPolicy(rowId, change) {
      return db
        .updateTable('retention_policies')
        .set({ ...toColumns(change), looked_at_us: nowUs() })
        .where('id', '=', rowId)
        .returning(COLUMNS)
        .executeTakeFirst();
    },
    deletePolicy(rowId) {
      return db.deleteFrom('retention_policies').where('id', '=', rowId).returning(COLUMNS).executeTakeFirst();
    },
    async assignPolicy(policyRowId, projectRowIds) {
      if (policyRowId === DEFAULT_POLICY_ROW_ID) {
        await clear(projectRowIds);
        return;
      }
      await db
        .insertInto('project_retention')
        .columns(['project_id', 'policy_id'])
        .expression(
          db
            .selectFrom('projects')
            .select(['id', sql<number>`${policyRowId}`.as('policy_id')])
            .where('id', 'in', dialect.numbersOf(projectRowIds)),
        )
        .onConflict((conflict) => conflict.column('project_id').doUpdateSet({ policy_id: policyRowId }))
        .execute();
    },
  };
}

function toColumns({ name, cron, maxDays, maxCount }: Partial<Omit<RetentionPolicy, 'rowId'>>) {
  return {
    ...(name !== undefined && { name }),
    ...(cron !== undefined && { cron }),
    ...(maxDays !== undefined && { max_days: maxDays }),
    ...(maxCount !== undefined && { max_count: maxCount }),
  };
}

function nowUs(): number {
  return Date.now() * 1000;
}
