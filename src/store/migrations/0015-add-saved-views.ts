import type { SqlDialect } from '../dialect/dialect.ts';

/**
 * Creates the tables of saved views and of the view that a person's table opens with. A personal view goes with its owner's account; a
 * shared one stays, and belongs to nobody from then on.
 */
export const name = '0015-add-saved-views';

export function statements({ define }: SqlDialect): readonly string[] {
  return STATEMENTS.map(define);
}

const STATEMENTS = [
  `CREATE TABLE saved_views (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    table_name TEXT NOT NULL CHECK (table_name IN ('traces', 'spans', 'sessions')),
    name TEXT NOT NULL,
    owner_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
    seen_by_id INTEGER REFERENCES users (id) ON DELETE CASCADE,
    content TEXT NOT NULL,
    is_default INTEGER NOT NULL DEFAULT 0,
    created_at_us INTEGER NOT NULL,
    updated_at_us INTEGER NOT NULL
  )`,
  'CREATE UNIQUE INDEX saved_views_by_name ON saved_views (project_id, table_name, owner_id, name)',
  'CREATE UNIQUE INDEX saved_views_by_default ON saved_views (project_id, table_name) WHERE is_default = 1',
  'CREATE INDEX saved_views_of_owner ON saved_views (owner_id)',
  'CREATE INDEX saved_views_seen_by ON saved_views (seen_by_id)',
  `CREATE TABLE own_default_views (
    user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    table_name TEXT NOT NULL CHECK (table_name IN ('traces', 'spans', 'sessions')),
    view_id INTEGER NOT NULL REFERENCES saved_views (id) ON DELETE CASCADE,
    PRIMARY KEY (user_id, project_id, table_name)
  )`,
  'CREATE INDEX own_default_views_of_project ON own_default_views (project_id)',
  'CREATE INDEX own_default_views_of_view ON own_default_views (view_id)',
];
