import type { SqlDialect } from '../dialect/dialect.ts';

/**
 * Says of annotations whether a span carried them, and of spans what they carry; notes the targets that have arrived while more waits
 * for them than one commit stores; and orders the annotations of a name by their row ids, so that a deletion continues where it stopped.
 */
export const name = '0018-mend-annotations';

export function statements({ define }: SqlDialect): readonly string[] {
  return STATEMENTS.map(define);
}

const STATEMENTS = [
  'ALTER TABLE annotations ADD COLUMN is_carried INTEGER NOT NULL DEFAULT 0',
  'CREATE TABLE carried_annotations (span_row_id INTEGER PRIMARY KEY, digests TEXT NOT NULL)',
  `CREATE TABLE arrived_targets (
    target TEXT NOT NULL CHECK (target IN ('span', 'trace', 'session', 'document')),
    target_key TEXT NOT NULL,
    PRIMARY KEY (target, target_key)
  )`,
  'DROP INDEX annotations_of_project',
  'CREATE INDEX annotations_of_project ON annotations (project_id, target, name, id)',
];
