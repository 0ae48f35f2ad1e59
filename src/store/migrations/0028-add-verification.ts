import type { SqlDialect } from '../dialect/dialect.ts';

/** Adds the standing job that verifies everything that is stored, bit by bit. */
export const name = '0028-add-verification';

export function statements({ define }: SqlDialect): readonly string[] {
  return [
    `INSERT INTO jobs (kind, input, progress, state, started_at_us)
      VALUES ('verification', '{}', '{"position":null,"startedAtUs":null,"differingCount":0,"endedAtUs":null}', 'running', 0)`,
  ].map(define);
}
