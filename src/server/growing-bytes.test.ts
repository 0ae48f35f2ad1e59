import { describe, expect, it } from 'vitest';
import { appendGrowing, GrowingBytes } from './growing-bytes.ts';

it('gathers chunks, over several enlargements, into a buffer of exactly their size', () => {
  const gathered = new GrowingBytes(2);
  gathered.append(Uint8Array.of(1, 2));
  gathered.extend(8);
  gathered.append(Buffer.from([3]));
  gathered.append(new Uint8Array(0));
  expect([gathered.length, gathered.capacity]).toEqual([3, 8]);
  const bytes = gathered.finish();
  expect([...bytes]).toEqual([1, 2, 3]);
  expect(bytes.buffer.byteLength).toBe(3);
});

it('refuses a chunk that there is no room for', () => {
  const gathered = new GrowingBytes(1);
  expect(() => gathered.append(Uint8Array.of(1, 2))).toThrow(RangeError);
});

it('yields no bytes when it was given none', () => {
  expect(new GrowingBytes(16).finish()).toHaveLength(0);
});

describe('appendGrowing', () => {
  it('makes room for four times as much each time, and for no more than may come', async () => {
    const bytes = new GrowingBytes(2);
    const room: number[] = [];
    const all = Array.from({ length: 10 }, (_, index) => index);
    for (const byte of all) {
      await appendGrowing(bytes, Uint8Array.of(byte), 10, async (more) => void room.push(more));
    }
    expect(room).toEqual([6, 2]);
    expect([...bytes.finish()]).toEqual(all);
  });

  it('keeps nothing of a chunk for which there is no room', async () => {
    const bytes = new GrowingBytes(1);
    const refuse = () => Promise.reject(new Error('full'));
    await expect(appendGrowing(bytes, Uint8Array.of(1, 2), 4, refuse)).rejects.toThrow('full');
    expect([bytes.length, bytes.capacity]).toEqual([0, 1]);
  });
});
