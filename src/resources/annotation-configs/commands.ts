/** Changes of annotation configs, and of what projects offer. Annotations that are stored already stay as they are. */
import { AppError } from '#base/errors';
import {
  type AnnotationConfig,
  type AnnotationConfigContent,
  checkConfig,
  MAX_CONFIGS,
  typeOfConfig,
} from '#domain/annotation-config';
import { defineCommands, growing, type RecordScope, recordCommand } from '#store/commands/command';
import { CONFIG_COLUMNS, findConfigsNamed, toConfig } from '#store/annotations/config-rows';
import { keepRows } from '#store/records/keep-rows';
import { annotationConfigPolicy } from './policy.ts';
import { countConfigs, findConfigs } from './queries.ts';

/** A project, and a config that it offers. */
export interface Assignment {
  readonly projectRowId: number;
  readonly configRowId: number;
}

const POLICY = growing(annotationConfigPolicy, 'create', 'update', 'assign', 'replaceOfProject');

/** The commands. */
export const annotationConfigCommands = defineCommands(POLICY, {
  /** @throws AppError `invalid_argument`, `already_exists`; `failed_precondition` for too many */
  create: recordCommand(async (scope, _caller, content: AnnotationConfigContent): Promise<AnnotationConfig> => {
    const checked = checkConfig(content);
    await scope.lock('annotation_configs');
    await assertNameIsFree(scope, checked.name);
    if ((await countConfigs(scope)) >= MAX_CONFIGS) {
      throw new AppError(
        'failed_precondition',
        `There are already ${MAX_CONFIGS} annotation configs, which is the limit: change or delete one.`,
      );
    }
    const query = scope.db.insertInto('annotation_configs').values(toColumns(checked)).returning(CONFIG_COLUMNS);
    const created = toConfig(await query.executeTakeFirstOrThrow());
    noteConfig(scope, created, Object.keys(toColumns(checked)));
    return created;
  }),

  /** Replaces all of it, its kind included. @throws AppError `invalid_argument`, `already_exists`, `not_found` */
  update: recordCommand(
    async (
      scope,
      _caller,
      { rowId, content }: { readonly rowId: number; readonly content: AnnotationConfigContent },
    ): Promise<AnnotationConfig> => {
      const checked = checkConfig(content);
      await scope.lock('annotation_configs');
      const before = (await findConfigs(scope, [rowId])).get(rowId);
      if (before === undefined) throw noSuchConfig();
      await assertNameIsFree(scope, checked.name, rowId);
      const query = scope.db.updateTable('annotation_configs').set(toColumns(checked)).where('id', '=', rowId);
      const row = await query.returning(CONFIG_COLUMNS).executeTakeFirst();
      if (row === undefined) throw noSuchConfig();
      const [old, now] = [toColumns(before), toColumns(checked)];
      const changes = (Object.keys(now) as (keyof typeof now)[]).filter((column) => old[column] !== now[column]);
      const config = toConfig(row);
      noteConfig(scope, config, changes);
      return config;
    },
  ),

  /** All of them or none; gives them in the order of their row ids. Projects offer them no longer. @throws AppError `not_found` */
  delete: recordCommand(async (scope, _caller, rowIds: readonly number[]): Promise<readonly AnnotationConfig[]> => {
    assertSome(rowIds.length);
    // No other command has the rows locked in another order meanwhile.
    await scope.lock('annotation_configs');
    const query = scope.db.deleteFrom('annotation_configs').where('id', 'in', scope.dialect.numbersOf(rowIds));
    const deleted = (await query.returning(CONFIG_COLUMNS).execute()).map(toConfig);
    if (deleted.length < new Set(rowIds).size) throw noSuchConfig();
    for (const config of deleted) noteConfig(scope, config, ['deleted']);
    return deleted.toSorted((a, b) => a.rowId - b.rowId);
  }),

  /**
   * Lets projects offer configs. @throws AppError `not_found`; `already_exists` where one does already, unless `isRepeatable`
   */
  assign: recordCommand(
    async (
      scope,
      _caller,
      { assignments, isRepeatable }: { readonly assignments: readonly Assignment[]; readonly isRepeatable: boolean },
    ): Promise<void> => {
      assertSome(assignments.length);
      await keepBoth(scope, assignments);
      const query = scope.db.insertInto('project_annotation_configs').values(sorted(assignments).map(toRow));
      const added = await query
        .onConflict((conflict) => conflict.columns(['project_id', 'config_id']).doNothing())
        .returning('project_id')
        .execute();
      if (added.length < assignments.length && !isRepeatable)
        throw new AppError('already_exists', 'The project already has this annotation config.');
      await noteProjects(
        scope,
        added.map(({ project_id }) => project_id),
      );
    },
  ),

  /** Lets projects offer configs no longer. @throws AppError `not_found` where one does not, unless `isRepeatable` */
  unassign: recordCommand(
    async (
      scope,
      _caller,
      { assignments, isRepeatable }: { readonly assignments: readonly Assignment[]; readonly isRepeatable: boolean },
    ): Promise<void> => {
      assertSome(assignments.length);
      const gone: number[] = [];
      for (const { projectRowId, configRowId } of sorted(assignments)) {
        const query = scope.db.deleteFrom('project_annotation_configs').where('project_id', '=', projectRowId);
        const { numDeletedRows } = await query.where('config_id', '=', configRowId).executeTakeFirst();
        if (numDeletedRows > 0n) gone.push(projectRowId);
        else if (!isRepeatable) throw new AppError('not_found', 'The project does not have this annotation config.');
      }
      await noteProjects(scope, gone);
    },
  ),

  /** Lets a project offer exactly these. @throws AppError `not_found` for the project, `invalid_argument` for a config */
  replaceOfProject: recordCommand(
    async (
      scope,
      _caller,
      { projectRowId, configRowIds }: { readonly projectRowId: number; readonly configRowIds: readonly number[] },
    ): Promise<readonly AnnotationConfig[]> => {
      assertFew(configRowIds.length);
      if ((await keepRows(scope, 'projects', [projectRowId])).length === 0) throw noSuchProject();
      const kept = await keepRows(scope, 'annotation_configs', configRowIds);
      if (kept.length < new Set(configRowIds).size)
        throw new AppError('invalid_argument', 'Some of these annotation configs do not exist.');
      // Two of these on one project: the later one decides.
      await scope.lock(`annotation_configs of project ${projectRowId}`);
      await scope.db.deleteFrom('project_annotation_configs').where('project_id', '=', projectRowId).execute();
      if (kept.length > 0) {
        await scope.db
          .insertInto('project_annotation_configs')
          .values(kept.map((configRowId) => toRow({ projectRowId, configRowId })))
          .onConflict((conflict) => conflict.columns(['project_id', 'config_id']).doNothing())
          .execute();
      }
      await noteProjects(scope, [projectRowId]);
      const configs = await findConfigs(scope, kept);
      return [...configs.values()].sort((a, b) => b.rowId - a.rowId);
    },
  ),
});

/** What callers in other threads get. */
export type AnnotationConfigCommands = typeof annotationConfigCommands;

function toColumns(content: AnnotationConfigContent) {
  return {
    name: content.name,
    kind: content.kind,
    description: content.description,
    optimization_direction: content.direction,
    content: JSON.stringify(ownPartOf(content)),
    is_strict: content.isStrict ? 1 : 0,
  };
}

/** What only its kind has. */
function ownPartOf(content: AnnotationConfigContent): object {
  if (content.kind === 'CATEGORICAL') return { values: content.values.map(({ label, score }) => ({ label, score })) };
  const { lowerBound, upperBound } = content;
  return content.kind === 'CONTINUOUS'
    ? { lowerBound, upperBound }
    : { threshold: content.threshold, lowerBound, upperBound };
}

/** Holds while the lock of configs does. */
async function assertNameIsFree(scope: RecordScope, name: string, exceptRowId?: number): Promise<void> {
  const [other] = await findConfigsNamed(scope, [name]);
  if (other === undefined || other.rowId === exceptRowId) return;
  throw new AppError('already_exists', `An annotation config named ${name} already exists.`);
}

/** Neither the projects nor the configs are deleted before the transaction ends. */
async function keepBoth(scope: RecordScope, assignments: readonly Assignment[]): Promise<void> {
  const projects = new Set(assignments.map(({ projectRowId }) => projectRowId));
  if ((await keepRows(scope, 'projects', [...projects])).length < projects.size) throw noSuchProject();
  const configs = new Set(assignments.map(({ configRowId }) => configRowId));
  if ((await keepRows(scope, 'annotation_configs', [...configs])).length < configs.size) throw noSuchConfig();
}

/** In one order, so that two commands do not wait for each other in a circle. */
function sorted(assignments: readonly Assignment[]): readonly Assignment[] {
  return assignments.toSorted((a, b) => a.projectRowId - b.projectRowId || a.configRowId - b.configRowId);
}

function toRow({ projectRowId, configRowId }: Assignment) {
  return { project_id: projectRowId, config_id: configRowId };
}

function noteConfig(scope: RecordScope, config: AnnotationConfig, changes: readonly string[]): void {
  scope.note({ object: { type: typeOfConfig(config), id: config.rowId, name: config.name }, changes });
}

async function noteProjects(scope: RecordScope, rowIds: readonly number[]): Promise<void> {
  const query = scope.db.selectFrom('projects').select(['id', 'name']).orderBy('id');
  for (const { id, name } of await query.where('id', 'in', scope.dialect.numbersOf(rowIds)).execute()) {
    scope.note({ object: { type: 'Project', id, name }, projectRowId: id, changes: ['annotation_configs'] });
    scope.touch({ projectRowId: id, traceIds: [] });
  }
}

function assertSome(count: number): void {
  if (count === 0) throw new AppError('invalid_argument', 'Name at least one annotation config.');
  assertFew(count);
}

function assertFew(count: number): void {
  if (count > MAX_CONFIGS)
    throw new AppError('invalid_argument', `At most ${MAX_CONFIGS} annotation configs can be named at once.`);
}

function noSuchConfig(): AppError {
  return new AppError('not_found', 'There is no such annotation config.');
}

function noSuchProject(): AppError {
  return new AppError('not_found', 'There is no such project.');
}
