/** What a relational engine is to those who read and write with it. A thread opens one for itself. */
import type { Kysely } from 'kysely';
import type { AppError } from '#base/errors';
import type { SqlDialect } from '../dialect/dialect.ts';
import type { Tables } from '../schema/tables.ts';
import type { TableCheck, TablePlace } from './table-check.ts';
import type { TouchedProject } from './touched-project.ts';
import type { RecordEngine } from './records.ts';
import type { BulkInsert, BulkUpdate, RunStatement } from '../schema/statements.ts';

/** Reads alone. Whatever fails throws a `StorageError`. */
export interface ReadEngine {
  readonly db: Kysely<Tables>;
  readonly dialect: SqlDialect;
  /** Gives back memory that only makes later statements faster; absent where there is none. */
  readonly dropCaches?: () => void;
  /** Those of the tables that have damaged pages, their indexes included; reads all of them. Absent where the engine cannot tell. */
  readonly findDamagedTables?: (tables: readonly string[]) => readonly string[];
  /** Compares the next rows with the entries of their indexes; `null` for the first. Absent where the engine cannot. */
  readonly checkTables?: (place: TablePlace | null) => TableCheck;
  close(): Promise<void>;
}

/** Reads what another engine wrote, a moment later. */
export interface ReplicaEngine extends ReadEngine {
  /**
   * Runs reads that see all that was acknowledged when this was called.
   * @throws StorageError `unavailable` where the replica is too far behind, or cannot be used
   */
  asOfNow<T>(read: () => Promise<T>): Promise<T>;
  /**
   * How long it takes until the replica has what there is now, in milliseconds.
   * @throws StorageError like {@link ReplicaEngine.asOfNow}
   */
  measureLag(): Promise<number>;
}

/** Reads and writes on one connection. */
export interface WriteEngine extends ReadEngine {
  /** In the same transaction as `db`. */
  readonly run: RunStatement;
  /** In the same transaction as `db`. */
  readonly bulkInsert: BulkInsert;
  /** In the same transaction as `db`. */
  readonly bulkUpdate: BulkUpdate;
  /**
   * In the same transaction as `db`: puts an empty table in the place of each, which may be too damaged to be emptied or dropped. Absent where
   * the engine cannot.
   */
  readonly replaceTables?: (tables: readonly string[]) => void;
  /**
   * Copies the rows of a table that can be read into a new one with the same columns, in transactions of its own: what cannot be read may end
   * one. Says whether any rows are lost. Absent where the engine cannot.
   */
  readonly salvageRows?: (table: string, into: string) => boolean;
  /** In the same transaction as `db`: makes an index, or all of a table, again from the rows. Absent where the engine cannot. */
  readonly rebuildIndexes?: (name: string) => void;
  /**
   * First of all in each transaction that writes: waits until nobody else does; says whether nobody else did since this engine did
   * last, and all that it wrote is there, so that what it remembers still holds.
   */
  takeTurn(): Promise<boolean>;
  /** Within a transaction: other servers hear what it touched when it commits, and not otherwise. */
  tell(touched: readonly TouchedProject[]): Promise<void>;
  /** Transactions over ordinary records. */
  readonly records: RecordEngine;
  /** Brings the schema to that of this version, before all else; after a failure it may be tried again. */
  prepare(): Promise<void>;
  /**
   * To be called before data is written.
   * @throws AppError `insufficient_storage` while there is no room
   */
  assertRoom(): Promise<void>;
  /**
   * To be called after a commit, and before it is acknowledged.
   * @throws AppError `unavailable` where those who come later will not find it
   */
  assertKept(): void;
  /** On a full disk: makes room for what deletes, of what was set aside; says whether there may be some now. */
  makeRoom(): boolean;
  /**
   * To be called before what grows by itself: nothing takes room that was given up for deleting.
   * @throws AppError `insufficient_storage`
   */
  assertReserve(): void;
  /** To be called between transactions: keeps what the engine notes for itself small. */
  tidy(): void;
  /**
   * To be called between transactions while nobody waits: one step of making what lies on disk smaller.
   * @param isIdle whether nothing was written since the step before
   * @returns whether something is left to do
   */
  rest(isIdle: boolean): boolean;
  /** Gives room that nothing fills back to the system, `maxPages` at most; returns how many pages are left. */
  giveBackPages(maxPages: number): Promise<number>;
}

/** A database that this process may open. */
export interface DatabaseClaim {
  release(): void;
  /** What to tell whoever started the process when it cannot be opened after all: `failed_precondition` with what to do. */
  refusal(why: string, cause: unknown): AppError;
}

/** What a database may be beside ours, or empty. */
export interface ClaimOptions {
  /** A copy that is not whole, to be finished. */
  readonly mayBeUnfinished?: boolean;
  /** An argument of a command names it, and no setting. */
  readonly isArgument?: boolean;
  /** Whether to refuse one whose user may not write to its tables, or not make those that are absent. */
  readonly willWrite?: boolean;
}
