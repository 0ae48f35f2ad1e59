/** The room that one worker holds, as the main thread keeps it: where the worker ends, all of it is free. */
import type { RoomPart, RoomShare } from '#base/memory-room';
import type { RoomAnswer, RoomMessage, RoomPurpose } from './thread-room.ts';

/** Where a worker takes room, by purpose. */
export type WorkerRooms = Readonly<Record<RoomPurpose, RoomPart>>;

/** Answers one worker. */
export class WorkerRoom implements Disposable {
  readonly #rooms: WorkerRooms;
  readonly #answer: (answer: RoomAnswer) => void;
  readonly #held = new Map<number, RoomShare>();
  readonly #waiting = new Map<number, AbortController>();

  constructor(rooms: WorkerRooms, answer: (answer: RoomAnswer) => void) {
    this.#rooms = rooms;
    this.#answer = answer;
  }

  hear(message: RoomMessage): void {
    if ('roomId' in message) return void this.#give(message);
    const { freedRoomId } = message;
    this.#waiting.get(freedRoomId)?.abort();
    this.#held.get(freedRoomId)?.[Symbol.dispose]();
    this.#held.delete(freedRoomId);
  }

  [Symbol.dispose](): void {
    for (const waiting of this.#waiting.values()) waiting.abort();
    for (const share of this.#held.values()) share[Symbol.dispose]();
    this.#held.clear();
  }

  async #give({ roomId, purpose, bytes, mayWait, holder }: Extract<RoomMessage, { roomId: number }>): Promise<void> {
    const room = this.#rooms[purpose];
    const share = mayWait ? await this.#wait(roomId, room, bytes, holder) : room.tryTake(bytes, holder);
    if (share !== undefined) this.#held.set(roomId, share);
    this.#answer({ roomId, isGiven: share !== undefined });
  }

  async #wait(roomId: number, room: RoomPart, bytes: number, holder: string): Promise<RoomShare | undefined> {
    const waiting = new AbortController();
    this.#waiting.set(roomId, waiting);
    try {
      const share = await room.take(bytes, waiting.signal, holder);
      // It may have been given in the moment in which the worker ended, or gave it back.
      if (!waiting.signal.aborted) return share;
      share[Symbol.dispose]();
    } catch {
      // There was none for too long, or nobody waits for it any more.
    } finally {
      this.#waiting.delete(roomId);
    }
    return undefined;
  }
}
