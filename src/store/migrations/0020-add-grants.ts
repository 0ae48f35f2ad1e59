import type { SqlDialect } from '../dialect/dialect.ts';

/**
 * Adds what people let applications do in their name. A grant is a sign-in that an application holds: what ends sign-ins ends grants and the
 * codes that lead to them, too.
 */
export const name = '0020-add-grants';

export function statements({ define }: SqlDialect): readonly string[] {
  return TABLES.map(define);
}

const TABLES = [
  `CREATE TABLE oauth2_clients (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    client_id TEXT NOT NULL,
    name TEXT NOT NULL,
    redirect_uris TEXT NOT NULL,
    registered_from TEXT NOT NULL,
    created_at_us INTEGER NOT NULL,
    last_used_at_us INTEGER
  )`,
  'CREATE UNIQUE INDEX oauth2_clients_by_client_id ON oauth2_clients (client_id)',
  'CREATE INDEX oauth2_clients_by_origin ON oauth2_clients (registered_from, created_at_us)',
  'CREATE INDEX oauth2_clients_by_age ON oauth2_clients (created_at_us)',
  `CREATE TABLE oauth2_codes (
    hash TEXT PRIMARY KEY,
    sign_in_id INTEGER NOT NULL REFERENCES sign_ins (id) ON DELETE CASCADE,
    client_id TEXT NOT NULL,
    client_name TEXT NOT NULL,
    redirect_uri TEXT NOT NULL,
    challenge TEXT NOT NULL,
    audience TEXT NOT NULL CHECK (audience IN ('server', 'mcp')),
    expires_at_us INTEGER NOT NULL
  )`,
  'CREATE INDEX oauth2_codes_of_sign_in ON oauth2_codes (sign_in_id)',
  'CREATE INDEX oauth2_codes_by_expiry ON oauth2_codes (expires_at_us)',
  `CREATE TABLE oauth2_grants (
    sign_in_id INTEGER PRIMARY KEY REFERENCES sign_ins (id) ON DELETE CASCADE,
    client_id TEXT NOT NULL,
    client_name TEXT NOT NULL,
    audience TEXT NOT NULL CHECK (audience IN ('server', 'mcp')),
    code_hash TEXT NOT NULL,
    challenge TEXT NOT NULL,
    last_used_at_us INTEGER NOT NULL
  )`,
  'CREATE UNIQUE INDEX oauth2_grants_by_code ON oauth2_grants (code_hash)',
  'CREATE INDEX oauth2_grants_of_client ON oauth2_grants (client_id)',
];
