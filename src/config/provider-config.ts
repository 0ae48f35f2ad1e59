/** What the server is told about providers of identities (OpenID Connect). */
import type { Expression } from '#base/expression';
import type { Secret } from '#base/secret';
import type { PersonRole } from '#domain/account';

/** How the server proves at the token endpoint which client it is. */
export type ClientAuthMethod = 'client_secret_basic' | 'client_secret_post' | 'none';

/** One provider that people can sign in with. */
export interface ProviderConfig {
  /** In lower case, as in the paths of its routes. */
  readonly name: string;
  readonly displayName: string;
  /** Where it describes itself. */
  readonly configUrl: string;
  readonly clientId: string;
  /** `null` for a public client. */
  readonly clientSecret: Secret | null;
  readonly clientAuth: ClientAuthMethod;
  readonly usesPkce: boolean;
  /** All that are asked for. */
  readonly scopes: readonly string[];
  /** Whether people without an account get one. */
  readonly allowsSignUp: boolean;
  /** Whether the sign-in page leads here at once. */
  readonly isAutomatic: boolean;
  readonly emailPath: Expression;
  /** Who may sign in; `null` where everybody may whom the provider knows. */
  readonly groups: { readonly path: Expression; readonly allowed: ReadonlySet<string> } | null;
  /** Which role people have; `null` where the provider does not decide that. */
  readonly roles: RoleConfig | null;
}

/** How the role of an account follows from claims. */
export interface RoleConfig {
  readonly path: Expression;
  /** Roles here by roles there; `null` where they have the same names. */
  readonly mapping: ReadonlyMap<string, PersonRole> | null;
  /** Whether people without a role are refused rather than viewers. */
  readonly isStrict: boolean;
  /** Whether each sign-in sets the role again. */
  readonly isKeptInStep: boolean;
}
