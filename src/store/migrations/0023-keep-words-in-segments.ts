import type { SqlDialect } from '../dialect/dialect.ts';

/**
 * Keeps the words of texts in segments of the store itself, on every engine, in place of FTS5 and of tsvectors: without the places of words,
 * which originals tell. All spans wait to be indexed; the server does that in the background, as for spans that arrive.
 */
export const name = '0023-keep-words-in-segments';

export function statements({ name: engine, define }: SqlDialect): readonly string[] {
  return [
    'DROP TABLE search_index',
    'DROP TABLE search_vocabularies',
    'DELETE FROM search_spans',
    'DELETE FROM search_parts',
    'DELETE FROM search_queue',
    ...TABLES.map(define),
    ...(engine === 'postgres' ? OF_POSTGRES : []),
    `UPDATE search_progress SET next_span_row_id = coalesce((SELECT min(id) FROM spans), next_span_row_id),
      rebuild_next_span_row_id = NULL, rebuild_end_span_row_id = NULL, failed_count = 0, change_count = change_count + 1`,
  ];
}

const TABLES = [
  `CREATE TABLE search_segments (
    part INTEGER NOT NULL,
    number INTEGER NOT NULL,
    text_count INTEGER NOT NULL,
    size INTEGER NOT NULL,
    vocabulary_size INTEGER NOT NULL,
    removed_count INTEGER NOT NULL,
    removed_ms INTEGER,
    removed BLOB,
    texts BLOB NOT NULL,
    lengths BLOB NOT NULL,
    vocabulary BLOB NOT NULL,
    PRIMARY KEY (part, number)
  )`,
  'CREATE INDEX search_segments_with_removed ON search_segments (removed_ms) WHERE removed_count > 0',
  `CREATE TABLE search_leaves (
    part INTEGER NOT NULL,
    number INTEGER NOT NULL,
    first_word TEXT NOT NULL,
    lists BLOB NOT NULL,
    PRIMARY KEY (part, number, first_word)
  )`,
];

/** What is packed already is not compressed once more. */
const OF_POSTGRES = [
  'ALTER TABLE search_leaves ALTER COLUMN lists SET STORAGE EXTERNAL',
  ...['removed', 'texts', 'lengths', 'vocabulary'].map(
    (column) => `ALTER TABLE search_segments ALTER COLUMN ${column} SET STORAGE EXTERNAL`,
  ),
];
