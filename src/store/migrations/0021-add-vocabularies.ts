import type { SqlDialect } from '../dialect/dialect.ts';

/** Creates what filters need of the search index: the words of each part, and the spans whose words it does not know. */
export const name = '0021-add-vocabularies';

export function statements({ define }: SqlDialect): readonly string[] {
  return [
    `CREATE TABLE search_vocabularies (
      part INTEGER NOT NULL,
      number INTEGER NOT NULL,
      size INTEGER NOT NULL,
      words BLOB NOT NULL,
      PRIMARY KEY (part, number)
    ) WITHOUT ROWID`,
    'ALTER TABLE search_spans ADD COLUMN doubts INTEGER NOT NULL DEFAULT 0',
    'CREATE INDEX search_spans_in_doubt ON search_spans (span_row_id) WHERE doubts <> 0',
  ].map(define);
}
