/** Reads annotation configs. */
import { sql } from 'kysely';
import type { OffsetWindow } from '#api/graphql/connection';
import type { AnnotationConfig } from '#domain/annotation-config';
import { CONFIG_COLUMNS, toConfig } from '#store/annotations/config-rows';
import type { ReadHandle } from '../slice.ts';

/** From which row on, how many, and of which project. */
interface ConfigPage {
  readonly fromRowId: number | null;
  readonly limit: number;
  /** All projects' without it. */
  readonly projectRowId?: number | undefined;
}

/** Newest first. Index: primary keys. */
export async function listConfigs({ db }: ReadHandle, page: ConfigPage): Promise<readonly AnnotationConfig[]> {
  let query = db.selectFrom('annotation_configs').select(CONFIG_COLUMNS);
  if (page.fromRowId !== null) query = query.where('id', '<=', page.fromRowId);
  if (page.projectRowId !== undefined) query = query.where('id', 'in', configsOf(db, page.projectRowId));
  const rows = await query.orderBy('id', 'desc').limit(page.limit).execute();
  return rows.map(toConfig);
}

function configsOf(db: ReadHandle['db'], projectRowId: number) {
  return db.selectFrom('project_annotation_configs').select('config_id').where('project_id', '=', projectRowId);
}

/** How many there are. */
export async function countConfigs({ db }: Pick<ReadHandle, 'db'>): Promise<number> {
  const query = db.selectFrom('annotation_configs').select(({ fn }) => fn.countAll<number>().as('count'));
  return Number((await query.executeTakeFirstOrThrow()).count);
}

/** By name. Index: annotation_configs_by_name. */
export async function browseConfigs(
  { db }: ReadHandle,
  { offset, limit }: OffsetWindow,
): Promise<readonly AnnotationConfig[]> {
  const query = db.selectFrom('annotation_configs').select(CONFIG_COLUMNS).orderBy('name');
  return (await query.limit(limit).offset(offset).execute()).map(toConfig);
}

/** By row id. Index: primary key. */
export async function findConfigs(
  { db, dialect }: ReadHandle,
  rowIds: readonly number[],
): Promise<ReadonlyMap<number, AnnotationConfig>> {
  const query = db.selectFrom('annotation_configs').select(CONFIG_COLUMNS);
  const rows = await query.where('id', 'in', dialect.numbersOf(rowIds)).execute();
  return new Map(rows.map((row) => [row.id, toConfig(row)]));
}

/** What each project offers, by name. Index: the primary key of the assignments. */
export async function findConfigsOfProjects(
  { db, dialect }: ReadHandle,
  projectRowIds: readonly number[],
): Promise<ReadonlyMap<number, readonly AnnotationConfig[]>> {
  const rows = await db
    .selectFrom('project_annotation_configs')
    .innerJoin('annotation_configs', 'annotation_configs.id', 'config_id')
    .select(CONFIG_COLUMNS)
    .select('project_id')
    .where('project_id', 'in', dialect.numbersOf(projectRowIds))
    .orderBy('name')
    .execute();
  const byProject = Map.groupBy(rows, ({ project_id }) => project_id);
  return new Map([...byProject].map(([rowId, own]) => [rowId, own.map(toConfig)]));
}

/** How many projects offer each config; those that none does are left out. Index: projects_of_annotation_config. */
export async function countProjectsByConfig(
  { db, dialect }: ReadHandle,
  rowIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const rows = await db
    .selectFrom('project_annotation_configs')
    .select(['config_id', sql<number>`count(*)`.as('count')])
    .where('config_id', 'in', dialect.numbersOf(rowIds))
    .groupBy('config_id')
    .execute();
  return new Map(rows.map(({ config_id, count }) => [config_id, Number(count)]));
}
