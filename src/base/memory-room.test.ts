import { describe, expect, it } from 'vitest';
import { MemoryRoom, type RoomShare } from './memory-room.ts';

const give = (share: RoomShare | undefined) => share?.[Symbol.dispose]();

describe('one purpose', () => {
  it('has room until there is none, and what was given back once more', async () => {
    const room = new MemoryRoom({ maxBytes: 10, waitMs: 1000 }).part();
    const first = await room.take(6);
    expect(room.tryTake(5)).toBeUndefined();
    const second = room.tryTake(4);
    expect([second !== undefined, room.takenBytes]).toEqual([true, 10]);
    give(first);
    give(first);
    expect(room.takenBytes).toBe(4);
  });

  it('lets those that wait have it in their order, and nobody pass them', async () => {
    const room = new MemoryRoom({ maxBytes: 10, waitMs: 1000 }).part();
    const first = await room.take(9);
    const order: string[] = [];
    const large = room.take(8).then((share) => (order.push('large'), share));
    const small = room.take(1).then((share) => (order.push('small'), share));
    expect([room.tryTake(1), room.waitingCount]).toEqual([undefined, 2]);
    give(first);
    await Promise.all([large, small]);
    expect([order, room.takenBytes]).toEqual([['large', 'small'], 9]);
  });

  it('goes to the waiter whose holder has least, even if that waiter came last', async () => {
    const room = new MemoryRoom({ maxBytes: 10, waitMs: 1000 }).part();
    const [first, second] = [await room.take(5, undefined, 'greedy'), await room.take(5, undefined, 'greedy')];
    const order: string[] = [];
    const wait = (holder: string) => room.take(5, undefined, holder).then((share) => (order.push(holder), share));
    const waiting = [wait('greedy'), wait('greedy'), wait('modest')];
    give(first);
    give(await waiting[2]);
    give(second);
    await Promise.all(waiting);
    expect(order).toEqual(['modest', 'greedy', 'greedy']);
  });

  it('is given at once to one that holds less than those that wait, where it fits', async () => {
    const room = new MemoryRoom({ maxBytes: 10, waitMs: 1000 }).part();
    const first = await room.take(8, undefined, 'greedy');
    const large = room.take(8, undefined, 'greedy');
    give(await room.take(2, undefined, 'modest'));
    expect(room.takenBytes).toBe(8);
    give(first);
    give(await large);
  });

  it('is given what there is where it wants more, once it holds nothing else', async () => {
    const room = new MemoryRoom({ maxBytes: 10, waitMs: 1000 }).part();
    const huge = await room.take(500);
    expect([room.takenBytes, room.tryTake(1)]).toEqual([10, undefined]);
    give(huge);
    expect(room.takenBytes).toBe(0);
  });

  it('takes no more than its reserve where it must not wait for others', async () => {
    const room = new MemoryRoom({ maxBytes: 10, waitMs: 20 });
    const [own, other] = [room.ownPart(4), room.part()];
    const large = await other.take(10);
    expect([other.takenBytes, own.maxBytes]).toEqual([6, 4]);
    const share = own.tryTake(8);
    expect([own.takenBytes, own.tryTake(1)]).toEqual([4, undefined]);
    give(share);
    give(large);
    expect([own.tryTake(8) !== undefined, own.takenBytes]).toEqual([true, 4]);
  });

  it('holds a quarter of its share or one allocation while memory is short, and more once it is not', async () => {
    let isShort = true;
    // Of 17 bytes beside the other reserves, four are a quarter.
    const room = new MemoryRoom({ maxBytes: 22, waitMs: 1000, isShort: () => isShort });
    const [part, other, own] = [room.part(), room.part(2), room.ownPart(3)];
    const [small, smaller] = [await part.take(3), await part.take(1)];
    expect(part.tryTake(1)).toBeUndefined();
    give(small);
    give(smaller);
    const first = await part.take(6);
    const second = part.take(6);
    expect([part.tryTake(1), part.waitingCount]).toEqual([undefined, 1]);
    await Promise.all([other.take(1), own.take(1), own.take(1)]);
    give(first);
    give(await second);
    await part.take(6);
    const third = part.take(6);
    isShort = false;
    room.reconsider();
    await third;
  });

  it('holds a large allocation while memory is short only if no other purpose does', async () => {
    let isShort = true;
    const room = new MemoryRoom({ maxBytes: 24, waitMs: 1000, isShort: () => isShort });
    const [part, other] = [room.part(), room.part()];
    const [first, small] = [await part.take(8), await other.take(6)];
    give(small);
    const second = other.take(8);
    expect(other.waitingCount).toBe(1);
    give(first);
    await second;
    const third = part.take(8);
    expect(part.waitingCount).toBe(1);
    isShort = false;
    room.reconsider();
    await third;
  });

  it('is given its reserve while memory is short, though another purpose holds a large allocation', async () => {
    const room = new MemoryRoom({ maxBytes: 24, waitMs: 1000, isShort: () => true });
    const [part, other] = [room.part(), room.part(8)];
    await part.take(16);
    await other.take(5);
    await other.take(3);
    expect(other.tryTake(1)).toBeUndefined();
  });

  it('is refused where it waits too long, with a time to come back, and those behind it go on', async () => {
    const room = new MemoryRoom({ maxBytes: 10, waitMs: 20 }).part();
    await room.take(5);
    const refused = room.take(8);
    const behind = room.take(3);
    await expect(refused).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 1 });
    await behind;
    expect(room.takenBytes).toBe(8);
  });

  it('keeps less than it took where that suffices, which lets others go on', async () => {
    const room = new MemoryRoom({ maxBytes: 10, waitMs: 1000 }).part();
    const first = await room.take(9);
    const second = room.take(5);
    first.keep(20);
    expect(room.takenBytes).toBe(9);
    first.keep(5);
    await second;
    expect(room.takenBytes).toBe(10);
    give(first);
    expect(room.takenBytes).toBe(5);
  });

  it('is refused once the room is closed, where it waits or would', async () => {
    const room = new MemoryRoom({ maxBytes: 10, waitMs: 60_000 });
    const part = room.part();
    await part.take(8);
    const waiting = part.take(5);
    room.close();
    await expect(waiting).rejects.toMatchObject({ code: 'unavailable' });
    await expect(part.take(5)).rejects.toMatchObject({ code: 'unavailable' });
    await part.take(2);
  });

  it('waits no longer than its signal lasts, nor do those behind it', async () => {
    const room = new MemoryRoom({ maxBytes: 10, waitMs: 1000 }).part();
    await room.take(5);
    const leaving = new AbortController();
    const first = room.take(8, leaving.signal);
    const behind = room.take(3);
    leaving.abort(new Error('gone'));
    await expect(first).rejects.toThrow('gone');
    await behind;
    await expect(room.take(1, leaving.signal)).rejects.toThrow('gone');
    expect(room.takenBytes).toBe(8);
  });
});

describe('two purposes', () => {
  it('leave each other what is reserved, and share the rest', async () => {
    const room = new MemoryRoom({ maxBytes: 100, waitMs: 1000 });
    const [storing, reading] = [room.part(10), room.part(30)];
    const huge = await storing.take(500);
    expect(storing.takenBytes).toBe(70);
    await reading.take(30);
    expect(reading.tryTake(1)).toBeUndefined();
    huge.keep(40);
    await reading.take(30);
    expect([storing.takenBytes, reading.takenBytes]).toEqual([40, 60]);
  });

  it('may have more patience than the other', async () => {
    const room = new MemoryRoom({ maxBytes: 10, waitMs: 1 });
    const [reading, background] = [room.part(), room.part(0, 60_000)];
    const held = await reading.take(10);
    const patient = background.take(5);
    await expect(reading.take(5)).rejects.toMatchObject({ code: 'unavailable' });
    give(held);
    await patient;
    expect(background.takenBytes).toBe(5);
  });

  it('do not keep each other from what is reserved while one waits for the rest, and get that in their order', async () => {
    const room = new MemoryRoom({ maxBytes: 100, waitMs: 1000 });
    const [storing, reading] = [room.part(10), room.part(30)];
    const first = await reading.take(40);
    const order: string[] = [];
    const huge = storing.take(70).then((share) => (order.push('storing'), share));
    // Although there is room for it: it would take what the other one waits for.
    expect(reading.tryTake(1)).toBeUndefined();
    const more = reading.take(25).then((share) => (order.push('reading'), share));
    first.keep(1);
    await Promise.all([huge, more]);
    expect([order, storing.takenBytes, reading.takenBytes]).toEqual([['storing', 'reading'], 70, 26]);
    expect(reading.tryTake(4)).toBeDefined();
    expect(reading.tryTake(1)).toBeUndefined();
  });
});
