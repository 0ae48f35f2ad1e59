import { describe, expect, it } from 'vitest';
import { ProtobufReader } from './reader.ts';
import { ProtobufWriter } from './writer.ts';

describe('ProtobufWriter', () => {
  it('writes from back to front, each message with its length', () => {
    const writer = new ProtobufWriter(1);
    writer.message(2, () => {
      writer.text(3, 'né');
      writer.uint32(1, 300);
    });
    writer.raw(Uint8Array.of(0x08, 0x01));
    expect([...writer.finish()]).toEqual([0x08, 0x01, 0x12, 8, 0x08, 0xac, 0x02, 0x1a, 3, 0x6e, 0xc3, 0xa9]);
  });

  it('grows to any size and keeps what it holds', () => {
    const writer = new ProtobufWriter(1);
    const large = new Uint8Array(100_000).fill(7);
    writer.bytes(1, Uint8Array.of(1));
    writer.bytes(1, large);
    const bytes = writer.finish();
    expect(bytes.length).toBe(100_000 + 4 + 3);
    expect([...bytes.subarray(-3)]).toEqual([0x0a, 1, 1]);
  });

  it('takes back what was written after a length', () => {
    const writer = new ProtobufWriter();
    writer.uint32(1, 1);
    const { length } = writer;
    writer.text(2, 'gone');
    writer.truncate(length);
    expect([...writer.finish()]).toEqual([0x08, 0x01]);
  });

  it.each([0n, 1n, 127n, 128n, 2n ** 32n, 2n ** 63n - 1n, -1n, -(2n ** 63n)])('writes the integer %s', (value) => {
    const writer = new ProtobufWriter();
    writer.int64(1, value);
    const reader = new ProtobufReader(writer.finish());
    expect(reader.readTag()).toBe(0x08);
    expect(reader.readInt64()).toBe(value);
  });

  it.each([0, 1, 0x7f, 0x80, 0x3fff, 0x4000, 0x1f_ffff, 0x20_0000, 0xfff_ffff, 0x1000_0000, 0xffff_ffff])(
    'writes the unsigned number %s',
    (value) => {
      const writer = new ProtobufWriter();
      writer.uint32(1, value);
      const reader = new ProtobufReader(writer.finish());
      reader.readTag();
      expect(reader.readUint32()).toBe(value);
      expect(reader.position).toBe(reader.end);
    },
  );
});
