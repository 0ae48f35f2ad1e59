/** Where a PostgreSQL database is, and how to log in; plain data that threads are handed. */

/** One database on one server. */
export interface PostgresAddress {
  /** A name, an IP address, or the absolute path of the folder of a socket. */
  readonly host: string;
  /** With a socket it is part of the socket's name. */
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly login: PostgresLogin;
  readonly tls: PostgresTls;
  /** The schema of all tables; `null` for what the user's search path says. */
  readonly schema: string | null;
}

/** Where it is, for people: without what proves who one is. */
export function describeAddress({
  host,
  port,
  database,
  schema,
}: Pick<PostgresAddress, 'host' | 'port' | 'database' | 'schema'>): string {
  const server = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  return `${server}/${database}${schema === null ? '' : ` (schema ${schema})`}`;
}

/** What proves who the user is: of what changes, a new one is fetched for each connection. */
export type PostgresLogin =
  | { readonly kind: 'password'; readonly password: string | null }
  | { readonly kind: 'azure'; readonly scope: string; readonly environment: CloudEnvironment }
  | { readonly kind: 'aws'; readonly environment: CloudEnvironment };

/** Variables by which a cloud tells a program who it is: those that begin with `AWS_`, `AZURE_` or `IDENTITY_`. */
export type CloudEnvironment = Readonly<Record<string, string>>;

/** How much of the connection must be safe: libpq's words. */
export type TlsMode = 'disable' | 'allow' | 'prefer' | 'require' | 'verify-ca' | 'verify-full';

/** Encryption; paths of PEM files, which are read for each connection, so that renewed ones are used. */
export interface PostgresTls {
  readonly mode: TlsMode;
  /** Whom to trust; `null` for those whom Node trusts, and with `require` for anybody. */
  readonly rootCertificate: string | null;
  readonly certificate: string | null;
  readonly key: string | null;
  readonly keyPassword: string | null;
  /** Revoked certificates: one file, or all files of a folder. */
  readonly revoked: string | null;
}

/** Neither encrypted nor checked: sockets of this machine, and tests. */
export const NO_TLS: PostgresTls = {
  mode: 'disable',
  rootCertificate: null,
  certificate: null,
  key: null,
  keyPassword: null,
  revoked: null,
};
