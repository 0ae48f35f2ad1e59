import type { SqlDialect } from '../dialect/dialect.ts';

/** Creates the tables of review queues. */
export const name = '0016-add-annotation-queues';

export function statements({ define }: SqlDialect): readonly string[] {
  return STATEMENTS.map(define);
}

const STATEMENTS = [
  `CREATE TABLE annotation_queues (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    description TEXT,
    instructions TEXT,
    target TEXT NOT NULL CHECK (target IN ('span', 'trace', 'session')),
    reviews_per_item INTEGER NOT NULL,
    is_blind INTEGER NOT NULL,
    hold_minutes INTEGER NOT NULL,
    created_by_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
    created_at_us INTEGER NOT NULL,
    updated_at_us INTEGER NOT NULL
  )`,
  'CREATE UNIQUE INDEX annotation_queues_by_name ON annotation_queues (name)',
  'CREATE INDEX annotation_queues_of_creator ON annotation_queues (created_by_id)',
  `CREATE TABLE annotation_queue_configs (
    queue_id INTEGER NOT NULL REFERENCES annotation_queues (id) ON DELETE CASCADE,
    config_id INTEGER NOT NULL REFERENCES annotation_configs (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    PRIMARY KEY (queue_id, config_id)
  )`,
  'CREATE INDEX annotation_queues_of_config ON annotation_queue_configs (config_id)',
  `CREATE TABLE annotation_queue_items (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    queue_id INTEGER NOT NULL REFERENCES annotation_queues (id) ON DELETE CASCADE,
    target TEXT NOT NULL CHECK (target IN ('span', 'trace', 'session')),
    target_row_id INTEGER NOT NULL,
    completed_count INTEGER NOT NULL DEFAULT 0,
    is_done INTEGER NOT NULL DEFAULT 0,
    held_by TEXT,
    held_until_us INTEGER NOT NULL DEFAULT 0,
    added_by_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
    added_at_us INTEGER NOT NULL
  )`,
  'CREATE UNIQUE INDEX annotation_queue_items_of_queue ON annotation_queue_items (queue_id, target_row_id)',
  'CREATE INDEX annotation_queue_items_by_state ON annotation_queue_items (queue_id, is_done, id)',
  'CREATE INDEX annotation_queue_items_of_target ON annotation_queue_items (target, target_row_id)',
  'CREATE INDEX annotation_queue_items_held ON annotation_queue_items (queue_id, held_by) WHERE held_by IS NOT NULL',
  'CREATE INDEX annotation_queue_items_added_by ON annotation_queue_items (added_by_id)',
  `CREATE TABLE annotation_queue_reviews (
    item_id INTEGER NOT NULL REFERENCES annotation_queue_items (id) ON DELETE CASCADE,
    reviewer TEXT NOT NULL,
    queue_id INTEGER NOT NULL REFERENCES annotation_queues (id) ON DELETE CASCADE,
    user_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
    outcome TEXT NOT NULL CHECK (outcome IN ('completed', 'skipped')),
    at_us INTEGER NOT NULL,
    item_is_done INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (item_id, reviewer)
  )`,
  `CREATE INDEX annotation_queue_reviews_of_reviewer
    ON annotation_queue_reviews (queue_id, reviewer, item_is_done, item_id, at_us, outcome)`,
  'CREATE INDEX annotation_queue_reviews_of_user ON annotation_queue_reviews (user_id)',
  `CREATE TABLE annotation_queue_rules (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    queue_id INTEGER NOT NULL REFERENCES annotation_queues (id) ON DELETE CASCADE,
    project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    filter TEXT,
    sample_percent REAL NOT NULL,
    after_row_id INTEGER NOT NULL,
    before_row_id INTEGER NOT NULL,
    added_count INTEGER NOT NULL DEFAULT 0,
    error TEXT,
    created_at_us INTEGER NOT NULL
  )`,
  'CREATE INDEX annotation_queue_rules_of_queue ON annotation_queue_rules (queue_id)',
  'CREATE INDEX annotation_queue_rules_of_project ON annotation_queue_rules (project_id)',
];
