/** Queues, and what belongs to them, read for all that an answer names at once. Where changes are seen at once. */
import type { Loader } from '#api/graphql/loader';
import { defineQuestionLoader, defineRowLoader, type RowLoader } from '#api/graphql/row-loader';
import type { Account } from '#domain/account';
import type { AnnotationConfig } from '#domain/annotation-config';
import type { AnnotationQueue, QueueItem, QueueProgress, QueueReview, QueueRule } from '#domain/annotation-queue';
import type { Services } from '../slice.ts';
import { findAccounts } from '../users/queries.ts';
import {
  countReviewedOpen,
  findConfigsOfQueues,
  findItems,
  findProgress,
  findQueues,
  findReviewersOfQueues,
  findReviewsOfItems,
  findRules,
  findRulesOfQueues,
  type QueueReviewer,
} from './queries.ts';

/** The loaders; `undefined` where there is nothing. */
export interface AnnotationQueueLoaders {
  readonly queue: RowLoader<AnnotationQueue>;
  readonly item: RowLoader<QueueItem>;
  readonly rule: RowLoader<QueueRule>;
  readonly configsOfQueue: RowLoader<readonly AnnotationConfig[]>;
  readonly rulesOfQueue: RowLoader<readonly QueueRule[]>;
  readonly progress: RowLoader<QueueProgress>;
  /** How many items that are not done a reviewer has reviewed. */
  readonly reviewedOpenCount: Loader<{ readonly rowId: number; readonly reviewer: string }, number | undefined>;
  readonly reviewersOfQueue: RowLoader<readonly QueueReviewer[]>;
  readonly reviewsOfItem: RowLoader<readonly QueueReview[]>;
  readonly account: RowLoader<Account>;
}

/** The loaders on a handle. */
export function createQueueLoaders(read: Services['read']): AnnotationQueueLoaders {
  return {
    queue: defineRowLoader((caller, rowIds) => findQueues(read(caller), rowIds)),
    item: defineRowLoader((caller, rowIds) => findItems(read(caller), rowIds)),
    rule: defineRowLoader((caller, rowIds) => findRules(read(caller), rowIds)),
    configsOfQueue: defineRowLoader((caller, rowIds) => findConfigsOfQueues(read(caller), rowIds)),
    rulesOfQueue: defineRowLoader((caller, rowIds) => findRulesOfQueues(read(caller), rowIds)),
    progress: defineRowLoader((caller, rowIds) => findProgress(read(caller), rowIds, Date.now() * 1000)),
    reviewedOpenCount: defineQuestionLoader((caller, rowIds, { reviewer }) =>
      countReviewedOpen(read(caller), rowIds, reviewer),
    ),
    reviewersOfQueue: defineRowLoader((caller, rowIds) => findReviewersOfQueues(read(caller), rowIds)),
    reviewsOfItem: defineRowLoader((caller, rowIds) => findReviewsOfItems(read(caller), rowIds)),
    account: defineRowLoader((caller, rowIds) => findAccounts(read(caller), rowIds)),
  };
}
