/** The tables of accounts, their sign-ins and keys, of secrets, and of who did what, as Kysely sees them. */
import type { Generated } from 'kysely';
import type { AccountRole, AuthMethod } from '#domain/account';

/** See {@link UsersTable.role}. */
export type StoredRole = AccountRole;

/** Accounts. */
export interface UsersTable {
  id: Generated<number>;
  username: string;
  /** Trimmed, in lower case; null for accounts of a directory without e-mail. */
  email: string | null;
  /** One account has the role SYSTEM: the server's own, which nobody can sign in with. */
  role: StoredRole;
  auth_method: AuthMethod;
  /** Base64 of what the algorithm makes of password and salt; null, all three, unless `auth_method` is LOCAL. */
  password_hash: string | null;
  /** Base64. */
  password_salt: string | null;
  /** Name and parameters, see `credentials/passwords`. */
  password_algorithm: string | null;
  /** 1 where the password must be changed before anything else. */
  password_needs_reset: Generated<number>;
  profile_picture_url: string | null;
  /** Null until the account has signed in with a provider. */
  oauth2_issuer: string | null;
  oauth2_client_id: string | null;
  /** The subject, as the issuer names it. */
  oauth2_user_id: string | null;
  ldap_unique_id: string | null;
  /** 1 where it was made while authentication was off, so that anybody may have made it. */
  was_made_while_open: Generated<number>;
  created_at_us: number;
  updated_at_us: number;
}

/** A person's sign-in with one browser, with all tokens that followed from it. */
export interface SignInsTable {
  id: Generated<number>;
  user_id: number;
  created_at_us: number;
  /** However often its tokens are renewed. */
  expires_at_us: number;
}

/** Tokens of sign-ins. */
export interface SignInTokensTable {
  /** Of the token's text, see `credentials/tokens`. */
  hash: string;
  sign_in_id: number;
  kind: 'access' | 'refresh';
  expires_at_us: number;
  /** When a refresh token was used; using it again ends the sign-in. */
  spent_at_us: number | null;
}

/** States of sign-ins that came back from a provider: a state is good once. */
export interface SpentStatesTable {
  hash: string;
  /** When the state is good no longer, so that the row is of no use. */
  expires_at_us: number;
}

/** The newest token that an account may choose a new password with. */
export interface PasswordResetTokensTable {
  user_id: number;
  hash: string;
  expires_at_us: number;
}

/** Attempts to sign in that have not succeeded, by what is locked. */
export interface SignInAttemptsTable {
  /** See `credentials/attempts`. */
  subject: string;
  attempt_count: number;
  last_attempt_us: number;
  /** 0 while it is not locked. */
  locked_until_us: Generated<number>;
}

/** Keys of programs. */
export interface ApiKeysTable {
  id: Generated<number>;
  hash: string;
  /** Whose it is; null for a key of the system. */
  user_id: number | null;
  /** Who made it; null after that account was deleted, and where the administrator's secret made it. */
  created_by: number | null;
  name: string;
  description: string | null;
  /** What alone can be done with it; null for everything that its owner may do. */
  operations: 'read' | 'ingest' | null;
  /** 1 where it reaches the projects in `api_key_projects` alone. */
  is_limited_to_projects: Generated<number>;
  created_at_us: number;
  expires_at_us: number | null;
  /** To the minute. */
  last_used_at_us: number | null;
}

/** Which projects keys are limited to. */
export interface ApiKeyProjectsTable {
  api_key_id: number;
  project_id: number;
}

/** Values that people keep here for the server's use, encrypted. */
export interface SecretsTable {
  name: string;
  /** What `credentials/` made of the value. */
  value: string;
  /** Of the key that it is encrypted with. */
  key_id: string;
  user_id: number | null;
  created_at_us: number;
  updated_at_us: number;
}

/** Who did what. */
export interface AuditEventsTable {
  id: Generated<number>;
  occurred_at_us: number;
  outcome: 'done' | 'refused';
  /** As policies name it, as `users.create`. */
  operation: string;
  /** How often, for refusals that are summed. */
  event_count: Generated<number>;
  caller_kind: string;
  /** Of the account, or of the key for a key of the system. */
  caller_row_id: number | null;
  /** The name then. */
  caller_name: string | null;
  /** Of the key that an account acted by. */
  key_row_id: number | null;
  /** The name then. */
  key_name: string | null;
  address: string | null;
  /** As in global ids, as `User`. */
  object_type: string | null;
  object_id: string | null;
  /** The name then. */
  object_name: string | null;
  project_row_id: number | null;
  /** JSON: the names of the fields that changed. */
  changes: string | null;
}
