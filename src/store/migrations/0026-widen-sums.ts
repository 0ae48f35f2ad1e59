import type { SqlDialect } from '../dialect/dialect.ts';

/**
 * Lets sums of what spans claim leave the exact integers, as numbers of the writer do: PostgreSQL refuses what its columns cannot hold. A
 * column of SQLite holds both.
 */
export const name = '0026-widen-sums';

export function statements({ name: engine, define }: SqlDialect): readonly string[] {
  if (engine === 'sqlite') return [];
  const changes = SUMS.map((column) => `ALTER COLUMN ${column} TYPE REAL`).join(', ');
  return ['traces', 'sessions', 'trace_sums'].map((table) => define(`ALTER TABLE ${table} ${changes}`));
}

const SUMS = ['prompt_tokens', 'completion_tokens', 'cost_nanousd', 'prompt_cost_nanousd', 'completion_cost_nanousd'];
