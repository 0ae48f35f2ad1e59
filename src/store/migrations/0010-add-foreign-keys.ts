import type { SqlDialect } from '../dialect/dialect.ts';

/**
 * Adds foreign keys to the tables of policies. Deletions keep the number of their project without a key: what is hidden is found by
 * it after the project is gone.
 */
export const name = '0010-add-foreign-keys';

export function statements({ name: engine }: SqlDialect): readonly string[] {
  return OF_ENGINE[engine];
}

/** Rows that no reader found: a project whose policy is gone has the default policy. */
const WITHOUT_ORPHANS = [
  `DELETE FROM project_retention
    WHERE NOT EXISTS (SELECT 1 FROM projects WHERE projects.id = project_retention.project_id)
      OR NOT EXISTS (SELECT 1 FROM retention_policies WHERE retention_policies.id = project_retention.policy_id)`,
  `UPDATE deletions SET policy_id = NULL
    WHERE policy_id IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM retention_policies WHERE retention_policies.id = deletions.policy_id)`,
];

const OF_ENGINE: Readonly<Record<SqlDialect['name'], readonly string[]>> = {
  // SQLite adds a key to a table only by making the table again.
  sqlite: [
    ...WITHOUT_ORPHANS,
    'ALTER TABLE project_retention RENAME TO earlier_project_retention',
    `CREATE TABLE project_retention (
    project_id INTEGER PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
    policy_id INTEGER NOT NULL REFERENCES retention_policies (id) ON DELETE CASCADE
  )`,
    'INSERT INTO project_retention (project_id, policy_id) SELECT project_id, policy_id FROM earlier_project_retention',
    'DROP TABLE earlier_project_retention',
    'CREATE INDEX projects_of_policy ON project_retention (policy_id, project_id)',
    'ALTER TABLE deletions RENAME TO earlier_deletions',
    `CREATE TABLE deletions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    project_id INTEGER NOT NULL,
    project_name TEXT NOT NULL,
    reason TEXT NOT NULL,
    policy_id INTEGER REFERENCES retention_policies (id) ON DELETE SET NULL,
    selection TEXT,
    state TEXT NOT NULL,
    trace_count INTEGER NOT NULL,
    span_count INTEGER NOT NULL,
    erased_span_count INTEGER NOT NULL,
    started_at_us INTEGER NOT NULL,
    hidden_at_us INTEGER,
    finished_at_us INTEGER
  )`,
    `INSERT INTO deletions (id, project_id, project_name, reason, policy_id, selection, state, trace_count, span_count,
      erased_span_count, started_at_us, hidden_at_us, finished_at_us)
    SELECT id, project_id, project_name, reason, policy_id, selection, state, trace_count, span_count,
      erased_span_count, started_at_us, hidden_at_us, finished_at_us FROM earlier_deletions`,
    // Numbers of deletions stand for hidden projects: one that was given is never given again.
    "DELETE FROM sqlite_sequence WHERE name = 'deletions'",
    `INSERT INTO sqlite_sequence (name, seq)
    SELECT 'deletions', seq FROM sqlite_sequence WHERE name = 'earlier_deletions'`,
    'DROP TABLE earlier_deletions',
    "CREATE INDEX deletions_unfinished ON deletions (id) WHERE state <> 'finished'",
    'CREATE INDEX deletions_of_project ON deletions (project_id, id)',
    'CREATE INDEX deletions_of_policy ON deletions (policy_id, id) WHERE policy_id IS NOT NULL',
  ],
  postgres: [
    // Servers of the version before may still change policies: no orphan may come between removing them and adding the keys.
    'LOCK TABLE projects, retention_policies, project_retention, deletions IN SHARE ROW EXCLUSIVE MODE',
    ...WITHOUT_ORPHANS,
    `ALTER TABLE project_retention
      ADD FOREIGN KEY (project_id) REFERENCES projects (id) ON DELETE CASCADE,
      ADD FOREIGN KEY (policy_id) REFERENCES retention_policies (id) ON DELETE CASCADE`,
    'ALTER TABLE deletions ADD FOREIGN KEY (policy_id) REFERENCES retention_policies (id) ON DELETE SET NULL',
  ],
};
