/** A worker for tests: echoes, fails in different ways, logs, and dies. */
import { type MessagePort, parentPort, threadId } from 'node:worker_threads';
import { currentSignal } from '#base/cancellation';
import { collectYoungGarbage } from '#base/collect-garbage';
import { AppError } from '#base/errors';
import { StorageError } from '../engine/storage-error.ts';
import { openSqlite } from '../sqlite/connection.ts';
import { FairTurns, giveWay } from './fair-turns.ts';
import { logFromThread, Moved, serveCalls } from './rpc.ts';
import { takeRoom } from './thread-room.ts';

const port = parentPort as MessagePort;

let [begunCount, mostBegun] = [0, 0];
const held: Disposable[] = [];
let dropped: WeakRef<object> | undefined;

const calls = {
  echo: (value: unknown) => value,
  length: (bytes: Uint8Array) => bytes.length,
  moved: (size: number) => {
    const bytes = new Uint8Array(size);
    return new Moved(bytes, [bytes.buffer]);
  },
  /** Drops something small, which nothing collects for its size. */
  drop: () => void (dropped = new WeakRef({})),
  isDroppedThere: () => dropped?.deref() !== undefined,
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
  /** Does nothing else for so long, and says in which thread. */
  block: (milliseconds: number) => {
    for (const endsMs = performance.now() + milliseconds; performance.now() < endsMs; );
    return threadId;
  },
  /** Takes so many pieces of ten milliseconds, counts them, and returns how many there were when it began. */
  work: async (counted: SharedArrayBuffer, pieces: number) => {
    const count = new Int32Array(counted);
    const before = count[0] ?? 0;
    mostBegun = Math.max(mostBegun, ++begunCount);
    for (let piece = 0; piece < pieces; piece++) {
      for (const endsMs = performance.now() + 10; performance.now() < endsMs; );
      Atomics.add(count, 0, 1);
      Atomics.notify(count, 0);
      currentSignal()?.throwIfAborted();
      await giveWay();
    }
    begunCount--;
    return before;
  },
  /** Of the calls above, how many had begun and not ended at a time. */
  mostBegun: () => mostBegun,
  hold: async (bytes: number) => void held.push(await takeRoom(bytes)),
  giveAll: () => {
    for (const share of held.splice(0)) share[Symbol.dispose]();
  },
  /** Takes room for so many buffers, one after the other, each of which it drops once garbage was collected twice, and returns the most bytes of buffers that there were. */
  dropAll: async (count: number) => {
    let most = 0;
    for (let place = 0; place < count; place++) {
      using _ = await takeRoom(5_000_000);
      const buffer = new Uint8Array(5_000_000);
      for (let time = 0; time < 2; time++) collectYoungGarbage();
      most = Math.max(most, process.memoryUsage().arrayBuffers, buffer.length);
    }
    return most;
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

serveCalls(port, calls, { turns: new FairTurns() });
