import type { LogLevel } from '#base/log';
import type { Secret } from '#base/secret';
import type { AuthConfig, MailConfig } from './auth-config.ts';
import type { PostgresConfig } from './postgres-config.ts';

/** Everything that the server is told from outside. */
export interface Config {
  /**
   * Addresses to listen on, for every port. The first one must be there; the others are used where the machine has
   * them. Never empty.
   */
  readonly addresses: readonly [string, ...string[]];
  /** Whether no other machine can reach the addresses. */
  readonly isLoopbackOnly: boolean;
  readonly http: ListenerConfig;
  readonly grpc: ListenerConfig;
  /** A second HTTP listener for OTLP alone, with the TLS of the first; `null` when it is off. */
  readonly otlpHttp: ListenerConfig | null;
  /** A listener for `/metrics` alone, in clear and without credentials; `null` when it is off. */
  readonly metrics: { readonly addresses: Config['addresses']; readonly port: number } | null;
  /** Begins with a slash and does not end with one; empty when the server has its host for itself. */
  readonly rootPath: string;
  /** Where people reach the server, without a trailing slash; `null` when that is where it listens. */
  readonly rootUrl: string | null;
  /** Origins beside the server's own whose pages may call it. */
  readonly allowedOrigins: readonly string[];
  /** Names, in lower case, that a request may address the server by; IP addresses always may and are not listed. */
  readonly allowedHosts: readonly string[];
  /** The folder of everything that the server keeps; it may not exist yet. */
  readonly workingDirectory: string;
  readonly database: DatabaseConfig;
  readonly storageGuard: StorageGuardConfig | null;
  readonly migrations: MigrationConfig;
  /** Days for which a new data file keeps traces where nothing else is said; 0 for ever. */
  readonly defaultRetentionDays: number;
  /** Days for which the audit log keeps its rows; 0 for ever. */
  readonly auditRetentionDays: number;
  /** The project of telemetry that names none. */
  readonly defaultProjectName: string;
  /** Bytes of memory that the process may take. */
  readonly maxMemoryBytes: number;
  /** Largest OTLP request, after decompression. */
  readonly otlpMaxBytes: number;
  /** Patterns of attribute keys whose values are masked; `*` stands for any characters. */
  readonly redactAttributes: readonly string[];
  readonly auth: AuthConfig;
  /** What commands show to a running server. */
  readonly clientKey: Secret | null;
  readonly mail: MailConfig | null;
  readonly log: LogConfig;
}

/** One port. */
export interface ListenerConfig {
  /** 0 takes any free port. */
  readonly port: number;
  /** `null` speaks in clear. */
  readonly tls: TlsConfig | null;
}

/** Files for TLS, read and known to fit together. */
export interface TlsConfig {
  readonly certificatePem: string;
  readonly keyPem: Secret;
  readonly keyPassword: Secret | null;
  /** Authorities, when every client must show a certificate; `null` asks nobody for one. */
  readonly clientCaPem: string | null;
}

/** Where the data lies. */
export type DatabaseConfig = SqliteConfig | PostgresConfig;

/** One file. */
export interface SqliteConfig {
  readonly engine: 'sqlite';
  /** Absolute. Neither the file nor its folder need exist. */
  readonly path: string;
  /** Whether the file's folder belongs to the server alone and is deleted when it stops. */
  readonly isTemporary: boolean;
}

/** What a start does where the schema of the data is older than this version. */
export interface MigrationConfig {
  /** Whether it refuses to start instead. */
  readonly isDisabled: boolean;
  readonly isLogged: boolean;
  /** Whether PostgreSQL builds the indexes of existing tables while servers write. */
  readonly buildsConcurrently: boolean;
}

/** When new data is refused for want of room. */
export interface StorageGuardConfig {
  readonly capacityBytes: number;
  /** Data is refused while more than this is in use. */
  readonly blockAboveBytes: number;
}

/** How log lines are written. */
export interface LogConfig {
  readonly level: LogLevel;
  readonly isStructured: boolean;
}
