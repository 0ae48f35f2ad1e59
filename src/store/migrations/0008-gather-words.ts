import type { SqlDialect } from '../dialect/dialect.ts';

/**
 * Words of texts that are new wait in a short list of their index, and are taken into it many at a time: a common word is then
 * written once for hundreds of texts. Its length, in KiB, bounds what each part that a search looks at reads of it.
 * @see https://www.postgresql.org/docs/current/gin-implementation.html#GIN-FAST-UPDATE
 */
export const name = '0008-gather-words';

export function statements({ name: engine }: SqlDialect): readonly string[] {
  return engine === 'postgres' ? ['ALTER INDEX search_words SET (fastupdate = on, gin_pending_list_limit = 128)'] : [];
}
