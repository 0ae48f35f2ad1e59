import type { SqlDialect } from '../dialect/dialect.ts';

/** On SQLite, whose triggers fire for each row, inserted spans are summed where they are inserted, all of one insert at once. */
export const name = '0030-sum-spans-of-statements';

export function statements({ name: engine }: SqlDialect): readonly string[] {
  return engine === 'sqlite' ? ['DROP TRIGGER span_sums_by_insert'] : [];
}
