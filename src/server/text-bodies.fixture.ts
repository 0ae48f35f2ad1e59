import { MemoryRoom } from '#base/memory-room';
import { TextBodies } from './text-bodies.ts';

/** Reads bodies as a server with ample memory does. */
export function ampleBodies(): TextBodies {
  const room = new MemoryRoom({ maxBytes: Number.MAX_SAFE_INTEGER, waitMs: 0 });
  return new TextBodies({ maxBytes: 64 * 1024 * 1024, room: room.part() });
}
