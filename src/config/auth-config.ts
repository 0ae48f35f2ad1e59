/** What the server is told about authentication and mail. */
import type { BlockList } from 'node:net';
import type { Secret } from '#base/secret';
import type { ApplicationsConfig } from './applications.ts';
import type { NamedAccount } from './auth-values.ts';
import type { ProviderConfig } from './provider-config.ts';
import type { LdapConfig } from './ldap-config.ts';

/** Who is asked for credentials, and what they are. */
export interface AuthConfig {
  /** Whether callers are asked for credentials. */
  readonly isEnabled: boolean;
  /** Signs tokens and encrypts secrets; there while authentication is on. */
  readonly secret: Secret | null;
  /** What it was before, for reading what was encrypted with it. */
  readonly previousSecret: Secret | null;
  /** A bearer token that acts as an administrator. */
  readonly adminSecret: Secret | null;
  /** Administrators to create. */
  readonly admins: readonly NamedAccount[];
  /** Of the built-in administrator; `null` makes one up and prints it. */
  readonly initialAdminPassword: Secret | null;
  readonly managementUrl: string | null;
  readonly passwords: PasswordConfig;
  /** That people can sign in with, by name. */
  readonly providers: readonly ProviderConfig[];
  /** A directory that people can sign in with; `null` where there is none. */
  readonly ldap: LdapConfig | null;
  readonly signIn: SignInConfig;
  readonly applications: ApplicationsConfig;
  /** Where a page of another host may send requests from, by host name; `null` asks nobody. */
  readonly csrfTrustedHosts: readonly string[] | null;
  /** Whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: BlockList | null;
}

/** Signing in with a password. */
export interface PasswordConfig {
  readonly isDisabled: boolean;
  readonly isStrong: boolean;
}

/** What follows from signing in, and what stands before it. */
export interface SignInConfig {
  readonly accessTokenUs: number;
  readonly refreshTokenUs: number;
  readonly resetTokenUs: number;
  /** From signing in, however often tokens are renewed. */
  readonly sessionUs: number;
  readonly cookies: { readonly isSecure: boolean; readonly path: string };
  /** Failed attempts in a row that lock an account; `null` never locks one. */
  readonly lockoutAttempts: number | null;
  readonly isRateLimited: boolean;
}

/** A server that mail is sent through. */
export interface MailConfig {
  readonly hostname: string;
  readonly port: number;
  /** Whether a connection is encrypted from its beginning, rather than by STARTTLS. */
  readonly isTlsImplicit: boolean;
  readonly username: string;
  readonly password: Secret;
  readonly from: string;
  readonly isVerified: boolean;
}
