/** A server of a run, and what is measured of the data that it keeps. */
import type { MeasuredSpace } from './disk/space.ts';
import type { DiskUsage } from './disk-usage.ts';
import type { BenchServer } from './server-process.ts';

/** The server with its data. */
export interface MeasuredServer {
  readonly server: BenchServer;
  /** Changes what is stored behind the server's back, while it runs. */
  change(statement: string): Promise<void>;
  /** Transactions that it committed so far, modulo 2^32. */
  countCommits(): Promise<number>;
  /** Of the processes of the database, apart from the server's; 0 where there are none. */
  readDatabaseCpuSeconds(): number;
  /** To be asked once the server has ended. */
  measureDisk(): Promise<DiskUsage>;
  /** Everything that lies on disk, also while the server runs. */
  measureSpace(): Promise<MeasuredSpace>;
  /**
   * How many spans a second the database takes of the very rows that were written, from a bare loop. To be asked once the server
   * has ended, and last of all.
   * @param commitCount transactions that the rows are spread over
   */
  measureCeiling(commitCount: number): Promise<number>;
  /** Deletes all that it had. */
  remove(): Promise<void>;
}

/** How it is started. */
export interface MeasuredServerPlan {
  /** The data file to begin with; `undefined` for an empty database. */
  readonly base: string | undefined;
  readonly nodeOptions: readonly string[];
}
