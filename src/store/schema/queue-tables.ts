/** The tables of review queues, as Kysely sees them. */
import type { Generated } from 'kysely';
import type { QueueTarget } from '#domain/annotation-queue';

/** What is judged together, and how. */
export interface AnnotationQueuesTable {
  id: Generated<number>;
  /** Unique. */
  name: string;
  description: string | null;
  /** Markdown. */
  instructions: string | null;
  /** What its items are. */
  target: QueueTarget;
  reviews_per_item: number;
  /** 1 where nobody sees what others said of an item before their own review. */
  is_blind: number;
  /** How long an item stays with the person who opened it. */
  hold_minutes: number;
  created_by_id: number | null;
  created_at_us: number;
  updated_at_us: number;
}

/** What a queue asks, in the order of `position`. */
export interface AnnotationQueueConfigsTable {
  queue_id: number;
  config_id: number;
  position: number;
}

/** A row that waits for reviews, or has had them. */
export interface AnnotationQueueItemsTable {
  id: Generated<number>;
  queue_id: number;
  /** That of the queue. */
  target: QueueTarget;
  /** Of a span, a trace or a session. */
  target_row_id: number;
  completed_count: Generated<number>;
  /** 1 once it has as many complete reviews as the queue wants. */
  is_done: Generated<number>;
  /** The reviewer who opened it last, as in reviews, until `held_until_us`. */
  held_by: string | null;
  held_until_us: Generated<number>;
  added_by_id: number | null;
  added_at_us: number;
}

/** What a reviewer did with an item. */
export interface AnnotationQueueReviewsTable {
  item_id: number;
  /** `user:` or `key:` and the row id of the account or the system's key, or `browser:` and the key of a browser while authentication is off. */
  reviewer: string;
  /** That of the item. */
  queue_id: number;
  user_id: number | null;
  outcome: 'completed' | 'skipped';
  at_us: number;
  /** A copy of `is_done` of the item, so that open reviews of one reviewer are counted by an index. */
  item_is_done: Generated<number>;
}

/** What adds to a queue what arrives in a project. */
export interface AnnotationQueueRulesTable {
  id: Generated<number>;
  queue_id: number;
  project_id: number;
  /** In the filter language of the queue's rows; null for all rows. */
  filter: string | null;
  sample_percent: number;
  /** Rows up to this id have been looked at. */
  after_row_id: number;
  /** Rows below this id were there at the last look, and are looked at next. */
  before_row_id: number;
  added_count: Generated<number>;
  error: string | null;
  created_at_us: number;
}
