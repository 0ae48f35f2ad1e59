/** Changes of review queues, of their rules and of their items. */
import { sql } from 'kysely';
import { AppError } from '#base/errors';
import {
  type AnnotationQueue,
  checkQueue,
  checkRuleFilter,
  checkSamplePercent,
  creatorOfQueue,
  MAX_QUEUE_CONFIGS,
  MAX_QUEUES,
  MAX_REMOVED_ITEMS,
  MAX_RULES,
  type NewRule,
  type QueueContent,
  type QueueTarget,
} from '#domain/annotation-queue';
import { defineCommands, quietRecordCommand, type RecordScope, recordCommand } from '#store/commands/command';
import { readNextRowId } from '#store/annotations/write/queue-items';
import { keepAccount } from '#store/records/keep-account';
import { keepRows } from '#store/records/keep-rows';
import { applyRuleStep } from '#store/retention/apply-rule-step';
import type { RuleStep } from '#store/retention/find-for-queues';
import { lockQueue } from './commands/lock-queue.ts';
import { holdItem, releaseItem, reviewItem } from './commands/reviewing.ts';
import { annotationQueuePolicy } from './policy.ts';
import { countQueues, findQueueNamed, findRules, findRulesOfQueues, QUEUE_COLUMNS, toQueue } from './queries.ts';

/** A queue to be created. */
export interface NewQueue extends QueueContent {
  readonly target: QueueTarget;
  /** In the order in which they are asked. */
  readonly configRowIds: readonly number[];
}

/** What changes about a queue. */
export interface QueuePatch {
  readonly rowId: number;
  readonly content: Partial<QueueContent>;
  readonly configRowIds?: readonly number[] | undefined;
}

/** A rule, and maybe its queue. */
export interface RuleRef {
  readonly rowId: number;
  readonly queueRowId?: number | undefined;
}

/** The commands. */
export const annotationQueueCommands = defineCommands(annotationQueuePolicy, {
  /** @throws AppError `invalid_argument`, `not_found` for a config, `already_exists`; `failed_precondition` for too many */
  create: recordCommand(
    async (scope, caller, { target, configRowIds, ...given }: NewQueue): Promise<AnnotationQueue> => {
      const content = checkQueue(given);
      const createdBy = creatorOfQueue(caller);
      await keepAccount(scope, createdBy);
      await keepConfigs(scope, configRowIds);
      await scope.lock(NAMES);
      await assertNameIsFree(scope, content.name, null);
      if ((await countQueues(scope)) >= MAX_QUEUES) throw tooMany(`There are ${MAX_QUEUES} review queues`);
      const values = { ...toColumns(content), target, created_by_id: createdBy, created_at_us: scope.nowUs };
      const query = scope.db.insertInto('annotation_queues').values({ ...values, updated_at_us: scope.nowUs });
      const queue = toQueue(await query.returning(QUEUE_COLUMNS).executeTakeFirstOrThrow());
      await setConfigs(scope, queue.rowId, configRowIds);
      noteQueue(scope, queue, Object.keys(content));
      return queue;
    },
  ),

  /** @throws AppError `invalid_argument`, `not_found`, `already_exists` */
  patch: recordCommand(
    async (scope, _caller, { rowId, content: change, configRowIds }: QueuePatch): Promise<AnnotationQueue> => {
      if (configRowIds !== undefined) await keepConfigs(scope, configRowIds);
      await scope.lock(NAMES);
      const before = await lockQueue(scope, rowId);
      const content = checkQueue({ ...before, ...change });
      await assertNameIsFree(scope, content.name, rowId);
      const query = scope.db
        .updateTable('annotation_queues')
        .set({ ...toColumns(content), updated_at_us: scope.nowUs })
        .where('id', '=', rowId);
      const queue = toQueue(await query.returning(QUEUE_COLUMNS).executeTakeFirstOrThrow());
      if (configRowIds !== undefined) await setConfigs(scope, rowId, configRowIds);
      if (queue.reviewsPerItem !== before.reviewsPerItem) await decideDone(scope, queue);
      const fields = (Object.keys(change) as (keyof QueueContent)[]).filter((field) => before[field] !== queue[field]);
      noteQueue(scope, queue, [...fields, ...(configRowIds === undefined ? [] : ['annotation_configs'])]);
      return queue;
    },
  ),

  /**
   * Deletes some of the items of a queue, and gives whether there are more: a transaction that deleted all of very many would keep
   * others waiting. @throws AppError `not_found`
   */
  clear: quietRecordCommand(async (scope, _caller, rowId: number): Promise<boolean> => {
    const { db } = scope;
    await lockQueue(scope, rowId);
    // Otherwise rules would go on adding.
    await db.deleteFrom('annotation_queue_rules').where('queue_id', '=', rowId).execute();
    const some = db
      .selectFrom('annotation_queue_items')
      .select('id')
      .where('queue_id', '=', rowId)
      .limit(CLEARED_AT_ONCE);
    const { numDeletedRows } = await db.deleteFrom('annotation_queue_items').where('id', 'in', some).executeTakeFirst();
    return Number(numDeletedRows) === CLEARED_AT_ONCE;
  }),

  /** With what is left of its items. Annotations stay. @throws AppError `not_found` */
  delete: recordCommand(async (scope, _caller, rowId: number): Promise<AnnotationQueue> => {
    await scope.lock(`annotation_queue ${rowId}`);
    const query = scope.db.deleteFrom('annotation_queues').where('id', '=', rowId).returning(QUEUE_COLUMNS);
    const row = await query.executeTakeFirst();
    if (row === undefined) throw new AppError('not_found', 'There is no such review queue.');
    const queue = toQueue(row);
    noteQueue(scope, queue, ['deleted']);
    return queue;
  }),

  /** Adds a share of what arrives from now on. @throws AppError `invalid_argument`, `not_found`, `failed_precondition` for too many */
  addRule: recordCommand(
    async (scope, _caller, { queueRowId, projectRowId, ...given }: NewRule): Promise<AnnotationQueue> => {
      const samplePercent = checkSamplePercent(given.samplePercent);
      const filter = checkRuleFilter(given.filter);
      if ((await keepRows(scope, 'projects', [projectRowId])).length === 0) {
        throw new AppError('not_found', 'There is no such project.');
      }
      const queue = await lockQueue(scope, queueRowId);
      const rules = (await findRulesOfQueues(scope, [queueRowId])).get(queueRowId) ?? [];
      if (rules.length >= MAX_RULES) throw tooMany(`This queue has ${MAX_RULES} rules`);
      const nextRowId = await readNextRowId(scope, queue.target);
      await scope.db
        .insertInto('annotation_queue_rules')
        .values({
          queue_id: queueRowId,
          project_id: projectRowId,
          filter,
          sample_percent: samplePercent,
          after_row_id: nextRowId,
          before_row_id: nextRowId,
          created_at_us: scope.nowUs,
        })
        .execute();
      noteQueue(scope, queue, ['rules']);
      return queue;
    },
  ),

  /** What it has added stays. @throws AppError `not_found`, also where it is a rule of another queue than the one that is named */
  deleteRule: recordCommand(async (scope, _caller, { rowId, queueRowId }: RuleRef): Promise<AnnotationQueue> => {
    const rule = (await findRules(scope, [rowId])).get(rowId);
    if (rule === undefined || (queueRowId !== undefined && rule.queueRowId !== queueRowId)) throw noSuchRule();
    const queue = await lockQueue(scope, rule.queueRowId);
    const query = scope.db.deleteFrom('annotation_queue_rules').where('id', '=', rowId);
    if ((await query.executeTakeFirst()).numDeletedRows === 0n) throw noSuchRule();
    noteQueue(scope, queue, ['rules']);
    return queue;
  }),

  /** All or none, with their reviews. @throws AppError `invalid_argument`, `not_found` */
  removeItems: recordCommand(
    async (
      scope,
      _caller,
      { queueRowId, itemRowIds }: { readonly queueRowId: number; readonly itemRowIds: readonly number[] },
    ): Promise<AnnotationQueue> => {
      const wanted = new Set(itemRowIds);
      if (wanted.size === 0 || wanted.size > MAX_REMOVED_ITEMS) {
        throw new AppError('invalid_argument', `Name at least one item, and at most ${MAX_REMOVED_ITEMS}.`);
      }
      const queue = await lockQueue(scope, queueRowId);
      const { numDeletedRows } = await scope.db
        .deleteFrom('annotation_queue_items')
        .where('id', 'in', scope.dialect.numbersOf([...wanted]))
        .where(scope.dialect.unindexed('queue_id'), '=', queueRowId)
        .executeTakeFirst();
      if (Number(numDeletedRows) < wanted.size) {
        throw new AppError('not_found', 'Some of these items are not in the queue.');
      }
      noteQueue(scope, queue, ['items']);
      return queue;
    },
  ),

  /** Adds what a step of a rule found, and gives whether the rule has more to look at. */
  applyRule: recordCommand(
    (scope, _caller, step: RuleStep): Promise<boolean> => applyRuleStep(scope, step, scope.nowUs),
  ),
  hold: quietRecordCommand(holdItem),
  release: quietRecordCommand(releaseItem),
  review: quietRecordCommand(reviewItem),
});

/** What callers in other threads get. */
export type AnnotationQueueCommands = typeof annotationQueueCommands;

/** Names, and how many queues there are, are rules over all of them. */
const NAMES = 'annotation_queues';

/** Items that one transaction deletes with their reviews. */
const CLEARED_AT_ONCE = 2000;

function toColumns({ name, description, instructions, reviewsPerItem, isBlind, holdMinutes }: QueueContent) {
  return {
    name,
    description,
    instructions,
    reviews_per_item: reviewsPerItem,
    is_blind: isBlind ? 1 : 0,
    hold_minutes: holdMinutes,
  };
}

async function assertNameIsFree(scope: RecordScope, name: string, exceptRowId: number | null): Promise<void> {
  const other = await findQueueNamed(scope, name);
  if (other === undefined || other.rowId === exceptRowId) return;
  throw new AppError('already_exists', `A review queue named ${name} already exists: choose another name.`);
}

async function keepConfigs(scope: RecordScope, rowIds: readonly number[]): Promise<void> {
  const wanted = new Set(rowIds);
  if (wanted.size < rowIds.length)
    throw new AppError('invalid_argument', 'An annotation config is named more than once.');
  if (wanted.size > MAX_QUEUE_CONFIGS) {
    throw new AppError('invalid_argument', `A review queue asks at most ${MAX_QUEUE_CONFIGS} annotation configs.`);
  }
  if ((await keepRows(scope, 'annotation_configs', rowIds)).length < wanted.size) {
    throw new AppError('not_found', 'Some of these annotation configs do not exist.');
  }
}

async function setConfigs({ db }: RecordScope, queueRowId: number, rowIds: readonly number[]): Promise<void> {
  await db.deleteFrom('annotation_queue_configs').where('queue_id', '=', queueRowId).execute();
  if (rowIds.length === 0) return;
  const rows = rowIds.map((rowId, position) => ({ queue_id: queueRowId, config_id: rowId, position }));
  await db.insertInto('annotation_queue_configs').values(rows).execute();
}

/** After the number of reviews that items need has changed. */
async function decideDone({ db }: RecordScope, { rowId, reviewsPerItem }: AnnotationQueue): Promise<void> {
  const items = db.updateTable('annotation_queue_items').where('queue_id', '=', rowId);
  const doneOfItem = sql<number>`(SELECT is_done FROM annotation_queue_items WHERE id = item_id)`;
  await items.set({ is_done: 1 }).where('is_done', '=', 0).where('completed_count', '>=', reviewsPerItem).execute();
  await items.set({ is_done: 0 }).where('is_done', '=', 1).where('completed_count', '<', reviewsPerItem).execute();
  await db
    .updateTable('annotation_queue_reviews')
    .set({ item_is_done: doneOfItem })
    .where('queue_id', '=', rowId)
    .where('item_is_done', '<>', doneOfItem)
    .execute();
}

function noteQueue(scope: RecordScope, { rowId, name }: AnnotationQueue, changes: readonly string[]): void {
  scope.note({ object: { type: 'AnnotationQueue', id: rowId, name }, changes });
}

function tooMany(what: string): AppError {
  return new AppError('failed_precondition', `${what}, which is the limit: delete one.`);
}

function noSuchRule(): AppError {
  return new AppError('not_found', 'There is no such rule of a review queue.');
}
