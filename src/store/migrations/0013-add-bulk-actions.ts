import type { SqlDialect } from '../dialect/dialect.ts';

/** Lets several jobs of a kind be under way, each of a project, with the rows that it has yet to do. */
export const name = '0013-add-bulk-actions';

export function statements({ define }: SqlDialect): readonly string[] {
  return STATEMENTS.map(define);
}

const STATEMENTS = [
  'ALTER TABLE jobs ADD COLUMN project_id INTEGER',
  'DROP INDEX jobs_unfinished',
  'CREATE INDEX jobs_unfinished ON jobs (kind) WHERE finished_at_us IS NULL',
  "CREATE UNIQUE INDEX jobs_alone ON jobs (kind) WHERE finished_at_us IS NULL AND kind <> 'bulk'",
  'CREATE INDEX jobs_of_project ON jobs (project_id, id) WHERE project_id IS NOT NULL',
  `CREATE TABLE job_items (
    job_id INTEGER NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
    row_id INTEGER NOT NULL,
    PRIMARY KEY (job_id, row_id)
  )`,
  'ALTER TABLE deletions ADD COLUMN job_id INTEGER',
];
