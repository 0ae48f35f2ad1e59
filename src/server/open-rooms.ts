/** The rooms that large allocations take, shared out by purpose, see docs/decisions/0092-shares-of-memory.md. */
import { collectInAllThreads } from '#base/collect-together';
import { MemoryPressure } from '#base/memory-pressure';
import { MemoryRoom } from '#base/memory-room';
import type { MemorySizes } from './memory-sizes.ts';

/** The room of each purpose, and whether memory is short all the same, which begins to be looked at once `pressure` is started. */
export function openRooms(memory: MemorySizes) {
  const pressure = new MemoryPressure({
    fromBytes: memory.shortFrom,
    onHigh: collectInAllThreads,
    onRelief: () => {
      for (const each of [room, batches, innerBatches]) each.reconsider();
    },
  });
  const shared = { waitMs: ROOM_WAIT_MS, isShort: () => pressure.isHigh() };
  const room = new MemoryRoom({ maxBytes: memory.room, ...shared });
  const batches = new MemoryRoom({ maxBytes: memory.batches, ...shared });
  const innerBatches = new MemoryRoom({ maxBytes: memory.batches, ...shared });
  const rooms = {
    storing: room.part(memory.reserves.storing),
    reading: room.part(memory.reserves.reading),
    background: room.part(memory.reserves.background, BACKGROUND_WAIT_MS),
    // Large requests hold room while they wait for the writer.
    writing: room.ownPart(memory.reserves.writing),
  };
  const columns = { batches: batches.part(), innerBatches: innerBatches.part() };
  return { rooms, columns, pressure, close: () => room.close() };
}

/** How long a read, or a large request, waits for memory: each of those before it takes a fraction of a second. */
const ROOM_WAIT_MS = 5000;
const BACKGROUND_WAIT_MS = 60_000;
