/**
 * How a worker takes room for what it reads: from a little that is its own, so that ordinary reads ask nobody, and else from
 * the main thread, which knows what all threads hold.
 */
import type { MessagePort } from 'node:worker_threads';
import { currentAsker } from '#base/asker';
import { currentSignal } from '#base/cancellation';
import { collectDroppedBuffers } from '#base/collect-garbage';
import { noMemory } from '#base/memory-room';
import { outOfTurn } from './fair-turns.ts';

/**
 * For what a worker takes room. A question that holds a batch may wait for an inner batch or for originals, and one that holds an inner
 * batch may wait for originals, but never the other way round.
 */
export type RoomPurpose = 'batches' | 'innerBatches' | 'originals';

/** A worker asks the main thread for room, or gives back what it got or waits for. */
export type RoomMessage =
  | {
      readonly roomId: number;
      readonly purpose: RoomPurpose;
      readonly bytes: number;
      readonly mayWait: boolean;
      readonly holder: string;
    }
  | { readonly freedRoomId: number };

/** What the main thread answers. */
export interface RoomAnswer {
  readonly roomId: number;
  readonly isGiven: boolean;
}

/** Where a thread takes room, until it is disposed of; `undefined` where there is none and the caller would not wait. */
type TakeRoom = (bytes: number, mayWait: boolean, purpose: RoomPurpose) => Promise<Disposable | undefined>;

const NOTHING: Disposable = { [Symbol.dispose]: () => undefined };

let take: TakeRoom = async () => NOTHING;

/**
 * Room for so many bytes that this thread is going to allocate. Where there is none, it waits: only who holds nothing large may
 * do so, or those who hold something would wait for each other.
 * @throws AppError `unavailable` where there was none for too long; the reason of the caller's signal when that ends the wait
 */
export async function takeRoom(bytes: number, purpose: RoomPurpose = 'originals'): Promise<Disposable> {
  const share = await outOfTurn(take(bytes, true, purpose));
  if (share === undefined) throw noMemory();
  return share;
}

/** The same if there is room now, for who holds something already. */
export function tryTakeRoom(bytes: number): Promise<Disposable | undefined> {
  return take(bytes, false, 'originals');
}

/** Room for what is gathered for one answer, as it grows. */
export class GatheringRoom implements Disposable {
  readonly #maxBytes: number;
  readonly #shares = new DisposableStack();
  #bytes = 0;
  #takenBytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Whether so many bytes may be added: the first always, the others while there is room for them. */
  async add(bytes: number): Promise<boolean> {
    const isFirst = this.#bytes === 0;
    if (!isFirst && this.#bytes + bytes > this.#maxBytes) return false;
    this.#bytes += bytes;
    const missing = this.#bytes - this.#takenBytes;
    if (missing <= 0) return true;
    const step = Math.max(missing, GATHERING_STEP_BYTES);
    const share = await tryTakeRoom(step);
    if (share === undefined) return isFirst;
    this.#shares.use(share);
    this.#takenBytes += step;
    return true;
  }

  [Symbol.dispose](): void {
    this.#shares.dispose();
  }
}

const GATHERING_STEP_BYTES = 512 * 1024;

/** What a thread may take without asking. */
const OWN_BYTES = 4 * 1024 * 1024;

/** Lets this thread take room of the main thread, which sends its answers to the function that is returned. */
export function takeRoomFrom(port: MessagePort): (answer: RoomAnswer) => void {
  const asked = new Map<number, (isGiven: boolean) => void>();
  let lastId = 0;
  let ownBytes = 0;
  take = async (bytes, mayWait, purpose) => {
    if (ownBytes + bytes <= OWN_BYTES) {
      ownBytes += bytes;
      return once(() => (ownBytes -= bytes));
    }
    const signal = currentSignal();
    signal?.throwIfAborted();
    const roomId = ++lastId;
    const give = () => port.postMessage({ freedRoomId: roomId } satisfies RoomMessage);
    const { promise, resolve, reject } = Promise.withResolvers<boolean>();
    const leave = () => {
      asked.delete(roomId);
      give();
      reject(signal?.reason as Error);
    };
    signal?.addEventListener('abort', leave, { once: true });
    asked.set(roomId, resolve);
    const [holder = ''] = currentAsker()?.shares ?? [];
    port.postMessage({ roomId, purpose, bytes, mayWait, holder } satisfies RoomMessage);
    const isGiven = await promise.finally(() => signal?.removeEventListener('abort', leave));
    return isGiven ? once(give) : undefined;
  };
  return ({ roomId, isGiven }) => {
    asked.get(roomId)?.(isGiven);
    asked.delete(roomId);
  };
}

function once(give: () => void): Disposable {
  let isTaken = true;
  return {
    [Symbol.dispose]: () => {
      if (!isTaken) return;
      isTaken = false;
      // What took the room was dropped, but is there until it is collected.
      collectDroppedBuffers();
      give();
    },
  };
}
