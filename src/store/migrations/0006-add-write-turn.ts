import type { SqlDialect } from '../dialect/dialect.ts';

/** Adds the row that the server which writes has locked. A data file has one server. */
export const name = '0006-add-write-turn';

export function statements({ name: engine }: SqlDialect): readonly string[] {
  return engine === 'postgres' ? [TABLE, 'INSERT INTO write_turn (id, turn) VALUES (1, 0)'] : [];
}

/** It changes with each commit, in its own page. */
const TABLE = `CREATE TABLE write_turn (
    id BIGINT PRIMARY KEY CHECK (id = 1),
    server_id TEXT,
    previous TEXT,
    turn BIGINT NOT NULL
  ) WITH (fillfactor = 10, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)`;
