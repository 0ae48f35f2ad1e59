import type { SqlDialect } from '../dialect/dialect.ts';

/** Creates the tables of accounts, their sign-ins and keys, of secrets, and of who did what. */
export const name = '0012-add-accounts';

export function statements({ define }: SqlDialect): readonly string[] {
  return TABLES.map(define);
}

const TABLES = [
  `CREATE TABLE users (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    username TEXT NOT NULL,
    email TEXT,
    role TEXT NOT NULL CHECK (role IN ('SYSTEM', 'ADMIN', 'MEMBER', 'VIEWER')),
    auth_method TEXT NOT NULL CHECK (auth_method IN ('LOCAL', 'OAUTH2', 'LDAP')),
    password_hash TEXT,
    password_salt TEXT,
    password_algorithm TEXT,
    password_needs_reset INTEGER NOT NULL DEFAULT 0,
    profile_picture_url TEXT,
    oauth2_issuer TEXT,
    oauth2_client_id TEXT,
    oauth2_user_id TEXT,
    ldap_unique_id TEXT,
    was_made_while_open INTEGER NOT NULL DEFAULT 0,
    created_at_us INTEGER NOT NULL,
    updated_at_us INTEGER NOT NULL,
    CHECK ((auth_method = 'LOCAL') = (password_hash IS NOT NULL)),
    CHECK ((password_hash IS NULL) = (password_salt IS NULL) AND (password_hash IS NULL) = (password_algorithm IS NULL)),
    CHECK (auth_method = 'OAUTH2' OR (oauth2_issuer IS NULL AND oauth2_client_id IS NULL AND oauth2_user_id IS NULL)),
    CHECK (auth_method = 'LDAP' OR ldap_unique_id IS NULL),
    CHECK (email IS NOT NULL OR (auth_method = 'LDAP' AND ldap_unique_id IS NOT NULL))
  )`,
  'CREATE UNIQUE INDEX users_by_username ON users (username)',
  'CREATE UNIQUE INDEX users_by_email ON users (email)',
  'CREATE UNIQUE INDEX users_by_oauth2_id ON users (oauth2_issuer, oauth2_client_id, oauth2_user_id) WHERE oauth2_user_id IS NOT NULL',
  'CREATE UNIQUE INDEX users_by_ldap_id ON users (ldap_unique_id) WHERE ldap_unique_id IS NOT NULL',
  `CREATE UNIQUE INDEX one_system_user ON users (role) WHERE role = 'SYSTEM'`,
  `CREATE TABLE sign_ins (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created_at_us INTEGER NOT NULL,
    expires_at_us INTEGER NOT NULL
  )`,
  'CREATE INDEX sign_ins_of_user ON sign_ins (user_id)',
  'CREATE INDEX sign_ins_by_expiry ON sign_ins (expires_at_us)',
  `CREATE TABLE sign_in_tokens (
    hash TEXT PRIMARY KEY,
    sign_in_id INTEGER NOT NULL REFERENCES sign_ins (id) ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK (kind IN ('access', 'refresh')),
    expires_at_us INTEGER NOT NULL,
    spent_at_us INTEGER
  )`,
  'CREATE INDEX tokens_of_sign_in ON sign_in_tokens (sign_in_id)',
  `CREATE TABLE password_reset_tokens (
    user_id INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    hash TEXT NOT NULL,
    expires_at_us INTEGER NOT NULL
  )`,
  'CREATE UNIQUE INDEX password_reset_tokens_by_hash ON password_reset_tokens (hash)',
  `CREATE TABLE sign_in_attempts (
    subject TEXT PRIMARY KEY,
    attempt_count INTEGER NOT NULL,
    last_attempt_us INTEGER NOT NULL,
    locked_until_us INTEGER NOT NULL DEFAULT 0
  )`,
  'CREATE INDEX sign_in_attempts_by_time ON sign_in_attempts (last_attempt_us)',
  `CREATE TABLE api_keys (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    hash TEXT NOT NULL,
    user_id INTEGER REFERENCES users (id) ON DELETE CASCADE,
    created_by INTEGER REFERENCES users (id) ON DELETE SET NULL,
    name TEXT NOT NULL,
    description TEXT,
    operations TEXT CHECK (operations IN ('read', 'ingest')),
    is_limited_to_projects INTEGER NOT NULL DEFAULT 0,
    created_at_us INTEGER NOT NULL,
    expires_at_us INTEGER,
    last_used_at_us INTEGER
  )`,
  'CREATE UNIQUE INDEX api_keys_by_hash ON api_keys (hash)',
  'CREATE INDEX api_keys_of_user ON api_keys (user_id, id)',
  'CREATE INDEX api_keys_by_maker ON api_keys (created_by)',
  `CREATE TABLE api_key_projects (
    api_key_id INTEGER NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
    project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    PRIMARY KEY (api_key_id, project_id)
  )`,
  'CREATE INDEX api_keys_of_project ON api_key_projects (project_id)',
  `CREATE TABLE secrets (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL,
    key_id TEXT NOT NULL,
    user_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
    created_at_us INTEGER NOT NULL,
    updated_at_us INTEGER NOT NULL
  )`,
  'CREATE INDEX secrets_by_maker ON secrets (user_id)',
  `CREATE TABLE audit_events (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    occurred_at_us INTEGER NOT NULL,
    outcome TEXT NOT NULL CHECK (outcome IN ('done', 'refused')),
    operation TEXT NOT NULL,
    event_count INTEGER NOT NULL DEFAULT 1,
    caller_kind TEXT NOT NULL,
    caller_row_id INTEGER,
    caller_name TEXT,
    key_row_id INTEGER,
    key_name TEXT,
    address TEXT,
    object_type TEXT,
    object_id TEXT,
    object_name TEXT,
    project_row_id INTEGER,
    changes TEXT
  )`,
  'CREATE INDEX audit_events_by_time ON audit_events (occurred_at_us, id)',
  'CREATE INDEX audit_events_of_caller ON audit_events (caller_kind, caller_row_id, occurred_at_us, id)',
  'CREATE INDEX audit_events_of_operation ON audit_events (operation, occurred_at_us, id)',
  'CREATE INDEX audit_events_of_object ON audit_events (object_type, object_id, occurred_at_us, id) WHERE object_id IS NOT NULL',
];
