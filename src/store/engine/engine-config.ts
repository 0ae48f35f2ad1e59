/** Which engine holds the data, and where; threads are handed it. */
import type { PostgresAddress } from './postgres-address.ts';

/** One file, which one server has open. */
export interface SqliteConfig {
  readonly engine: 'sqlite';
  /** Of the data file. */
  readonly path: string;
  /** `null` while the data may grow as it likes. */
  readonly blockAboveBytes: number | null;
  /** What a reader keeps of the file in memory, and the writer twice; 16 MiB if absent. */
  readonly cacheBytes?: number | undefined;
}

/** A database that several servers may have open. */
export interface PostgresConfig {
  readonly engine: 'postgres';
  readonly address: PostgresAddress;
  /** Tells this server from the others. */
  readonly serverId: string;
  /** `null` while the data may grow as it likes. */
  readonly blockAboveBytes: number | null;
}

/** Any of them. */
export type EngineConfig = SqliteConfig | PostgresConfig;
