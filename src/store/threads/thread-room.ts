/**
 * How a worker takes room for what it reads: from a little that is its own, so that ordinary reads ask nobody, and else from
 * the main thread, which knows what all threads hold.
 */
import type { MessagePort } from 'node:worker_threads';
import { noMemory, type RoomShare } from '#base/memory-room';
import { outOfTurn } from './fair-turns.ts';

/** A worker asks the main thread for room, or gives what it got back. */
export type RoomMessage =
  | { readonly roomId: number; readonly bytes: number; readonly mayWait: boolean }
  | { readonly freedRoomId: number };

/** What the main thread answers. */
export interface RoomAnswer {
  readonly roomId: number;
  readonly isGiven: boolean;
}

/** Where a thread takes room; `undefined` where there is none and the caller would not wait. */
type TakeRoom = (bytes: number, mayWait: boolean) => Promise<RoomShare | undefined>;

const NOTHING: RoomShare = { [Symbol.dispose]: () => undefined };

let take: TakeRoom = async () => NOTHING;

/**
 * Room for so many bytes that this thread is going to allocate. Where there is none, it waits: only who holds nothing large may
 * do so, or those who hold something would wait for each other.
 * @throws AppError `unavailable` where there was none for too long
 */
export async function takeRoom(bytes: number): Promise<RoomShare> {
  const share = await outOfTurn(take(bytes, true));
  if (share === undefined) throw noMemory();
  return share;
}

/** The same if there is room now, for who holds something already. */
export function tryTakeRoom(bytes: number): Promise<RoomShare | undefined> {
  return take(bytes, false);
}

/** What a thread may take without asking. */
const OWN_BYTES = 4 * 1024 * 1024;

/** Lets this thread take room of the main thread, which sends its answers to the function that is returned. */
export function takeRoomFrom(port: MessagePort): (answer: RoomAnswer) => void {
  const asked = new Map<number, (isGiven: boolean) => void>();
  let lastId = 0;
  let ownBytes = 0;
  take = async (bytes, mayWait) => {
    if (ownBytes + bytes <= OWN_BYTES) {
      ownBytes += bytes;
      return once(() => (ownBytes -= bytes));
    }
    const roomId = ++lastId;
    const isGiven = await new Promise<boolean>((resolve) => {
      asked.set(roomId, resolve);
      port.postMessage({ roomId, bytes, mayWait } satisfies RoomMessage);
    });
    return isGiven ? once(() => port.postMessage({ freedRoomId: roomId } satisfies RoomMessage)) : undefined;
  };
  return ({ roomId, isGiven }) => {
    asked.get(roomId)?.(isGiven);
    asked.delete(roomId);
  };
}

function once(give: () => void): RoomShare {
  let isTaken = true;
  return {
    [Symbol.dispose]: () => {
      if (isTaken) give();
      isTaken = false;
    },
  };
}
