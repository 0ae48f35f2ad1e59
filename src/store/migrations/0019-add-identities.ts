import type { SqlDialect } from '../dialect/dialect.ts';

/**
 * A person of a provider is an issuer and a subject, whichever client they came through; what an administrator prepares names no issuer.
 * Adds the states of sign-ins that came back from a provider, each of which is good once.
 */
export const name = '0019-add-identities';

export function statements({ define }: SqlDialect): readonly string[] {
  return STATEMENTS.map(define);
}

const STATEMENTS = [
  'DROP INDEX users_by_oauth2_id',
  'CREATE UNIQUE INDEX users_by_identity ON users (oauth2_issuer, oauth2_user_id) WHERE oauth2_issuer IS NOT NULL',
  'CREATE INDEX users_by_prepared_identity ON users (oauth2_user_id) WHERE oauth2_issuer IS NULL AND oauth2_user_id IS NOT NULL',
  `CREATE TABLE spent_states (
    hash TEXT PRIMARY KEY,
    expires_at_us INTEGER NOT NULL
  )`,
  'CREATE INDEX spent_states_by_expiry ON spent_states (expires_at_us)',
];
