/** A database as a whole, as whoever runs it wants to see it. */
import type { Contents } from './contents.ts';
import type { SchemaStatus } from './schema-status.ts';

/** How things stand. */
export interface DatabaseStatus {
  readonly engine: 'sqlite' | 'postgres';
  /** Of the data file; of a server its address, without a password. */
  readonly location: string;
  /** Servers that use it now. */
  readonly serverCount: number;
  /** Their processes on this machine, where that is known. */
  readonly serverPids: readonly number[];
  readonly schema: SchemaStatus;
  readonly storage: StorageStatus;
  /** `null` where the schema is another version's. */
  readonly contents: Contents | null;
}

/** What it takes on disk, in bytes. */
export interface StorageStatus {
  readonly dataBytes: number;
  /** Of them, what nothing is in; `null` where the engine does not say. */
  readonly freeBytes: number | null;
  /** Of the write-ahead log beside them; `null` where others keep it. */
  readonly logBytes: number | null;
}
