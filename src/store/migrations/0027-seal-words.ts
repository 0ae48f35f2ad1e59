import type { SqlDialect } from '../dialect/dialect.ts';

/**
 * Gives segments of the search index checksums, numbers that are used once, and a list of the parts that are to be mended. Segments without
 * checksums are dropped, and all spans wait to be indexed.
 */
export const name = '0027-seal-words';

export function statements({ define }: SqlDialect): readonly string[] {
  return [
    ...TABLES.map((table) => `DELETE FROM ${table}`),
    define('CREATE TABLE search_suspect_parts (part INTEGER PRIMARY KEY)'),
    'ALTER TABLE search_progress ADD COLUMN next_segment_number BIGINT NOT NULL DEFAULT 1',
    `UPDATE search_progress SET next_span_row_id = coalesce((SELECT min(id) FROM spans), next_span_row_id),
      rebuild_next_span_row_id = NULL, rebuild_end_span_row_id = NULL, failed_count = 0, change_count = change_count + 1`,
  ];
}

const TABLES = ['search_leaves', 'search_segments', 'search_spans', 'search_parts', 'search_queue'];
