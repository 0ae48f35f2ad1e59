import type { ReaderCalls } from './reader-calls.ts';
import type { ReaderPool } from './threads/reader-pool.ts';
import type { Thread } from './threads/thread.ts';
import type { WriterCalls } from './writer-calls.ts';

/** The threads of a database, as its main thread calls them. */
export interface StoreThreads {
  readonly writer: Thread<WriterCalls>;
  readonly readers: ReaderPool<ReaderCalls>;
  /** A reader for the server's own work, which gets the processor only when nobody else wants it. */
  readonly background: Thread<ReaderCalls>;
}
