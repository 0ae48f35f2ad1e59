/** Lets a question notice that what it read of the search index in several statements may not belong together. */
export const name = '0022-count-changes-of-the-index';

export function statements(): readonly string[] {
  return ['ALTER TABLE search_progress ADD COLUMN change_count BIGINT NOT NULL DEFAULT 0'];
}
