/** Engines as tests of the store have them. */
import type { RawBuilder } from 'kysely';
import type { ReadEngine, WriteEngine } from './engine.ts';

/** Text, or a statement with values. */
export type TestStatement = string | RawBuilder<unknown>;

/** A row as the engine gives it. */
export type StoredRow = Readonly<Record<string, unknown>>;

/** What stores are made on; closed when the test has ended that opened it. */
export interface TestEngine
  extends Omit<WriteEngine, 'prepare' | 'assertRoom' | 'assertReserve' | 'makeRoom' | 'assertKept' | 'tidy' | 'rest'> {
  /** The rows of a query. */
  readonly rows: (query: TestStatement) => Promise<readonly StoredRow[]>;
  /** Runs statements. */
  readonly exec: (statements: TestStatement) => Promise<void>;
}

/** Connections to one database as a server has them. */
export interface TestEngines {
  readonly write: WriteEngine;
  readonly read: ReadEngine;
  close(): Promise<void>;
}
