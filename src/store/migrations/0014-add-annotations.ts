import type { SqlDialect } from '../dialect/dialect.ts';

/** Creates the tables of annotations, of those that wait for their target, and of what annotations may say. */
export const name = '0014-add-annotations';

export function statements({ define }: SqlDialect): readonly string[] {
  return STATEMENTS.map(define);
}

const STATEMENTS = [
  `CREATE TABLE annotation_configs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('CATEGORICAL', 'CONTINUOUS', 'FREEFORM')),
    description TEXT,
    optimization_direction TEXT CHECK (optimization_direction IN ('MINIMIZE', 'MAXIMIZE', 'NONE')),
    content TEXT NOT NULL,
    is_strict INTEGER NOT NULL DEFAULT 0
  )`,
  'CREATE UNIQUE INDEX annotation_configs_by_name ON annotation_configs (name)',
  `INSERT INTO annotation_configs (name, kind, optimization_direction, content) VALUES ('user_feedback', 'CATEGORICAL', 'MAXIMIZE',
    '{"values":[{"label":"positive","score":1},{"label":"negative","score":0}]}')`,
  `CREATE TABLE project_annotation_configs (
    project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    config_id INTEGER NOT NULL REFERENCES annotation_configs (id) ON DELETE CASCADE,
    PRIMARY KEY (project_id, config_id)
  )`,
  'CREATE INDEX projects_of_annotation_config ON project_annotation_configs (config_id)',
  `CREATE TABLE annotations (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    target TEXT NOT NULL CHECK (target IN ('span', 'trace', 'session', 'document')),
    target_row_id INTEGER NOT NULL,
    document_position INTEGER NOT NULL DEFAULT -1,
    project_id INTEGER NOT NULL,
    name TEXT NOT NULL,
    identifier TEXT NOT NULL DEFAULT '',
    annotator_kind TEXT NOT NULL CHECK (annotator_kind IN ('HUMAN', 'LLM', 'CODE')),
    label TEXT,
    score REAL,
    explanation TEXT,
    metadata TEXT NOT NULL,
    source TEXT NOT NULL CHECK (source IN ('API', 'APP')),
    user_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
    created_at_us INTEGER NOT NULL,
    updated_at_us INTEGER NOT NULL,
    CHECK ((target = 'document') = (document_position >= 0))
  )`,
  'CREATE UNIQUE INDEX annotations_of_target ON annotations (target, target_row_id, name, identifier, document_position)',
  'CREATE INDEX annotations_of_name ON annotations (target, name, target_row_id, project_id, score, label)',
  'CREATE INDEX annotations_of_project ON annotations (project_id, target, name)',
  `CREATE INDEX annotations_of_identifier ON annotations (target, identifier, id) WHERE identifier <> ''`,
  'CREATE INDEX annotations_of_user ON annotations (user_id)',
  `CREATE TABLE waiting_annotations (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    target TEXT NOT NULL CHECK (target IN ('span', 'trace', 'session', 'document')),
    target_key TEXT NOT NULL,
    document_position INTEGER NOT NULL DEFAULT -1,
    name TEXT NOT NULL,
    identifier TEXT NOT NULL DEFAULT '',
    content TEXT NOT NULL,
    user_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
    is_carried INTEGER NOT NULL,
    at_us INTEGER NOT NULL,
    received_at_us INTEGER NOT NULL,
    digest TEXT NOT NULL
  )`,
  'CREATE UNIQUE INDEX waiting_annotations_by_digest ON waiting_annotations (digest)',
  'CREATE INDEX waiting_annotations_of_target ON waiting_annotations (target, target_key)',
  'CREATE INDEX waiting_annotations_by_time ON waiting_annotations (received_at_us, id)',
  'CREATE INDEX waiting_annotations_of_user ON waiting_annotations (user_id, is_carried)',
];
