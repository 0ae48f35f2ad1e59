/** The tables of applications that people let act in their name. */
import type { Generated } from 'kysely';

/** Applications that registered themselves. */
export interface Oauth2ClientsTable {
  id: Generated<number>;
  client_id: string;
  /** What the application calls itself; nobody has checked it. */
  name: string;
  /** JSON: a list of texts. */
  redirect_uris: string;
  /** The network that registered it; empty where that is unknown. */
  registered_from: string;
  created_at_us: number;
  /** When somebody let it in last. */
  last_used_at_us: number | null;
}

/** What a token is for: this server as a whole, or its tools for agents alone. */
export type StoredAudience = 'server' | 'mcp';

/** Codes that an application exchanges for tokens, once. */
export interface Oauth2CodesTable {
  /** Of the code's text, see `credentials/tokens`. */
  hash: string;
  /** In which the person let the application in. */
  sign_in_id: number;
  client_id: string;
  client_name: string;
  redirect_uri: string;
  /** SHA-256 of the verifier that the application must show. */
  challenge: string;
  audience: StoredAudience;
  expires_at_us: number;
}

/** What makes a sign-in the grant of an application. */
export interface Oauth2GrantsTable {
  sign_in_id: number;
  client_id: string;
  /** The name that the person saw. */
  client_name: string;
  audience: StoredAudience;
  /** Of the code that it was made with, which is known again by it. */
  code_hash: string;
  challenge: string;
  last_used_at_us: number;
}
