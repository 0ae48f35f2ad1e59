/** The room that one worker holds, as the main thread keeps it: where the worker ends, all of it is free. */
import type { MemoryRoom, RoomShare } from '#base/memory-room';
import type { RoomAnswer, RoomMessage } from './thread-room.ts';

/** Answers one worker. */
export class WorkerRoom implements Disposable {
  readonly #room: MemoryRoom;
  readonly #answer: (answer: RoomAnswer) => void;
  readonly #held = new Map<number, RoomShare>();
  #isOver = false;

  constructor(room: MemoryRoom, answer: (answer: RoomAnswer) => void) {
    this.#room = room;
    this.#answer = answer;
  }

  hear(message: RoomMessage): void {
    if ('roomId' in message) return void this.#give(message);
    this.#held.get(message.freedRoomId)?.[Symbol.dispose]();
    this.#held.delete(message.freedRoomId);
  }

  [Symbol.dispose](): void {
    this.#isOver = true;
    for (const share of this.#held.values()) share[Symbol.dispose]();
    this.#held.clear();
  }

  async #give({ roomId, bytes, mayWait }: Extract<RoomMessage, { roomId: number }>): Promise<void> {
    const taken = mayWait ? this.#room.take(bytes).catch(() => undefined) : this.#room.tryTake(bytes);
    const share = await taken;
    if (this.#isOver) return share?.[Symbol.dispose]();
    if (share !== undefined) this.#held.set(roomId, share);
    this.#answer({ roomId, isGiven: share !== undefined });
  }
}
