/** Transactions over ordinary records, as an engine runs them. */
import type { Kysely } from 'kysely';
import type { SqlDialect } from '../dialect/dialect.ts';
import type { Tables } from '../schema/tables.ts';
import type { TouchedProject } from './touched-project.ts';

/** A transaction that is open. */
export interface RecordTransaction {
  readonly db: Kysely<Tables>;
  readonly dialect: SqlDialect;
  /**
   * Waits until no other transaction holds the lock of that name, and holds it until this transaction ends. For rules over
   * several rows, such as the greatest number of them; unique constraints and row locks serve the others.
   */
  readonly lock: (name: string) => Promise<void>;
  /** Other servers hear what the transaction touched when it commits, and not otherwise. */
  readonly tell: (touched: readonly TouchedProject[]) => Promise<void>;
}

/** Runs such transactions. */
export interface RecordEngine {
  /** Whether they use the connection that writes spans: the caller keeps others from it meanwhile. */
  readonly isOnWriteConnection: boolean;
  /**
   * The result of `work`, whose changes are committed and synced by then, or all undone. `work` may run several times, where other
   * transactions are in its way.
   * @throws StorageError `outdated` where a newer version has changed the schema
   */
  transact<T>(work: (transaction: RecordTransaction) => Promise<T>): Promise<T>;
  /** Lets go of a connection of its own. */
  close(): Promise<void>;
}
