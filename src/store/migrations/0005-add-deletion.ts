import type { SqlDialect } from '../dialect/dialect.ts';

/** Creates what deletion and retention keep. Index names say the question that they answer. */
export const name = '0005-add-deletion';

export function statements({ define }: SqlDialect): readonly string[] {
  return TABLES.map(define);
}

const TABLES = [
  `CREATE TABLE deletions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    project_id INTEGER NOT NULL,
    project_name TEXT NOT NULL,
    reason TEXT NOT NULL,
    policy_id INTEGER,
    selection TEXT,
    state TEXT NOT NULL,
    trace_count INTEGER NOT NULL,
    span_count INTEGER NOT NULL,
    erased_span_count INTEGER NOT NULL,
    started_at_us INTEGER NOT NULL,
    hidden_at_us INTEGER,
    finished_at_us INTEGER
  )`,
  "CREATE INDEX deletions_unfinished ON deletions (id) WHERE state <> 'finished'",
  'CREATE INDEX deletions_of_project ON deletions (project_id, id)',
  'CREATE INDEX deletions_of_policy ON deletions (policy_id, id) WHERE policy_id IS NOT NULL',
  `CREATE TABLE unlisted_traces (
    trace_row_id INTEGER PRIMARY KEY,
    deletion_id INTEGER
  )`,
  'CREATE INDEX traces_being_moved ON unlisted_traces (trace_row_id) WHERE deletion_id IS NULL',
  `CREATE TABLE retention_policies (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    cron TEXT NOT NULL,
    max_days REAL,
    max_count INTEGER,
    looked_at_us INTEGER NOT NULL
  )`,
  `INSERT INTO retention_policies (id, name, cron, max_days, max_count, looked_at_us)
    VALUES (0, 'Default', '0 0 * * 0', 0, NULL, 0)`,
  `CREATE TABLE project_retention (
    project_id INTEGER PRIMARY KEY,
    policy_id INTEGER NOT NULL
  )`,
  'CREATE INDEX projects_of_policy ON project_retention (policy_id, project_id)',
];
