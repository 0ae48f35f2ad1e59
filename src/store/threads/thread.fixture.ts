/** A worker for tests: echoes, fails in different ways, logs, and dies. */
import { type MessagePort, parentPort } from 'node:worker_threads';
import { currentSignal } from '#base/cancellation';
import { AppError } from '#base/errors';
import { StorageError } from '../engine/storage-error.ts';
import { openSqlite } from '../sqlite/connection.ts';
import { logFromThread, Moved, serveCalls } from './rpc.ts';

const port = parentPort as MessagePort;

const calls = {
  echo: (value: unknown) => value,
  length: (bytes: Uint8Array) => bytes.length,
  moved: (size: number) => {
    const bytes = new Uint8Array(size);
    return new Moved(bytes, [bytes.buffer]);
  },
  refuse: () => {
    throw new AppError('unavailable', 'Come again.', { retryAfterSeconds: 3 });
  },
  fail: () => {
    throw new TypeError('a fault of ours');
  },
  collide: () => {
    throw new StorageError('conflict', 'somebody else was faster', undefined);
  },
  fillDisk: () => {
    const database = openSqlite(':memory:', { readOnly: false });
    database.exec('PRAGMA max_page_count = 2; CREATE TABLE a (b); INSERT INTO a VALUES (zeroblob(100000))');
  },
  meetDamage: () => {
    throw new StorageError('damaged', 'database disk image is malformed', undefined);
  },
  log: () => logFromThread(port, 'warn', 'look here', new Error('why')),
  never: () => new Promise<void>(() => undefined),
  untilCancelled: () => {
    const signal = currentSignal();
    return new Promise((resolve) => {
      signal?.addEventListener('abort', () => {
        logFromThread(port, 'warn', 'cancelled');
        resolve(undefined);
      });
    });
  },
  die: () => process.exit(7),
  close: () => logFromThread(port, 'warn', 'closed'),
};

/** What it answers. */
export type FixtureCalls = typeof calls;

serveCalls(port, calls);
