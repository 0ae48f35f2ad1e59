/** What the configuration says of PostgreSQL. */
import type { Secret } from '#base/secret';

/** Data that lies on a PostgreSQL server. */
export interface PostgresConfig {
  readonly engine: 'postgres';
  readonly primary: PostgresServerConfig;
  /** Answers reads, where there is one. */
  readonly replica: PostgresServerConfig | null;
  /** The schema of the tables; `null` for what the user's search path says. */
  readonly schema: string | null;
}

/** One server, and how to log in there. */
export interface PostgresServerConfig {
  /** A name, an IP address, or the absolute path of the folder of a socket. */
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly login: PostgresLoginConfig;
  readonly tls: PostgresTlsConfig;
}

/** A password, or a cloud that gives one for each connection; its variables tell a program who it is. */
export type PostgresLoginConfig =
  | { readonly kind: 'password'; readonly password: Secret | null }
  | { readonly kind: 'azure'; readonly scope: string; readonly environment: Readonly<Record<string, Secret>> }
  | { readonly kind: 'aws'; readonly environment: Readonly<Record<string, Secret>> };

/** libpq's `sslmode`, and paths of PEM files. */
export interface PostgresTlsConfig {
  readonly mode: 'disable' | 'allow' | 'prefer' | 'require' | 'verify-ca' | 'verify-full';
  readonly rootCertificate: string | null;
  readonly certificate: string | null;
  readonly key: string | null;
  readonly keyPassword: Secret | null;
  /** A list of revoked certificates, or a folder of such lists. */
  readonly revoked: string | null;
}
