import type { SqlDialect } from '../dialect/dialect.ts';

/** Chunks of columns are compressed already: PostgreSQL need not try it again with each, and take it apart for each reader. */
export const name = '0007-store-columns-as-they-are';

export function statements({ name: engine }: SqlDialect): readonly string[] {
  return engine === 'postgres' ? ['ALTER TABLE span_segment_columns ALTER COLUMN data SET STORAGE EXTERNAL'] : [];
}
