import type { SqlDialect } from '../dialect/dialect.ts';

/** Adds the row that counts transactions over ordinary records, as `write_turn` counts those over spans. A data file has one server. */
export const name = '0009-add-record-turn';

export function statements({ name: engine }: SqlDialect): readonly string[] {
  return engine === 'postgres' ? [TABLE, 'INSERT INTO record_turn (id, turn) VALUES (1, 0)'] : [];
}

/** It changes with each commit, in its own page. */
const TABLE = `CREATE TABLE record_turn (
    id BIGINT PRIMARY KEY CHECK (id = 1),
    turn BIGINT NOT NULL
  ) WITH (fillfactor = 10, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)`;
