/** Has the thread of a test take room as workers do. */
import { MessageChannel } from 'node:worker_threads';
import { onTestFinished } from 'vitest';
import { MemoryRoom, type RoomPart } from '#base/memory-room';
import { type RoomMessage, takeRoomFrom } from './thread-room.ts';
import { WorkerRoom } from './worker-room.ts';

/** Until the test ends, this thread takes room of what is returned; other files of tests run in this thread afterwards. */
export function takeRoomHere(maxBytes: number, waitMs = 20): RoomPart {
  onTestFinished(() => void takeRoomOf(Infinity, waitMs));
  return takeRoomOf(maxBytes, waitMs);
}

function takeRoomOf(maxBytes: number, waitMs: number): RoomPart {
  const room = new MemoryRoom({ maxBytes, waitMs }).part();
  const { port1, port2 } = new MessageChannel();
  port1.on('message', takeRoomFrom(port1)).unref();
  const held = new WorkerRoom({ batches: room, innerBatches: room, originals: room }, (answer) =>
    port2.postMessage(answer),
  );
  port2.on('message', (message: RoomMessage) => held.hear(message)).unref();
  return room;
}
