import { expect, it } from 'vitest';
import { MemoryRoom, type RoomShare } from './memory-room.ts';

const give = (share: RoomShare | undefined) => share?.[Symbol.dispose]();

it('gives room until there is none, and what was given back once more', async () => {
  const room = new MemoryRoom({ maxBytes: 10, waitMs: 1000 });
  const first = await room.take(6);
  expect(room.tryTake(5)).toBeUndefined();
  const second = room.tryTake(4);
  expect([second !== undefined, room.takenBytes]).toEqual([true, 10]);
  give(first);
  give(first);
  expect(room.takenBytes).toBe(4);
});

it('lets those that wait have it in their order, and nobody pass them', async () => {
  const room = new MemoryRoom({ maxBytes: 10, waitMs: 1000 });
  const first = await room.take(9);
  const order: string[] = [];
  const large = room.take(8).then((share) => (order.push('large'), share));
  const small = room.take(1).then((share) => (order.push('small'), share));
  expect(room.tryTake(1)).toBeUndefined();
  give(first);
  await Promise.all([large, small]);
  expect([order, room.takenBytes]).toEqual([['large', 'small'], 9]);
});

it('gives more than there is to one that is alone', async () => {
  const room = new MemoryRoom({ maxBytes: 10, waitMs: 1000 });
  const huge = await room.take(500);
  expect([room.takenBytes, room.tryTake(1)]).toEqual([10, undefined]);
  give(huge);
  expect(room.takenBytes).toBe(0);
});

it('refuses one that waits too long, with a time to come back, and those behind it go on', async () => {
  const room = new MemoryRoom({ maxBytes: 10, waitMs: 20 });
  await room.take(5);
  const refused = room.take(8);
  const behind = room.take(3);
  await expect(refused).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 1 });
  await behind;
  expect(room.takenBytes).toBe(8);
});
