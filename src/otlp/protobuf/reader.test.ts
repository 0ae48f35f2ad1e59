import { describe, expect, it } from 'vitest';
import { AppError } from '#base/errors';
import { ProtobufReader } from './reader.ts';

function readerOf(...bytes: readonly number[]): ProtobufReader {
  return new ProtobufReader(Uint8Array.from(bytes));
}

/** Passes over all fields, whatever they are. */
function skipAll(reader: ProtobufReader): void {
  while (reader.position < reader.end) reader.skip(reader.readTag());
}

describe('ProtobufReader', () => {
  it('narrows itself to a nested message and widens again behind it, read or not', () => {
    const reader = readerOf(3, 0x08, 0x01, 0x08, 0x02);
    const outerEnd = reader.enter();
    expect([reader.position, reader.end]).toEqual([1, 4]);
    reader.leave(outerEnd);
    expect([reader.position, reader.end]).toEqual([4, 5]);
    expect(reader.readUint32()).toBe(2);
  });

  it('does not read past the nested message into the outer one', () => {
    const reader = readerOf(1, 0x80, 0x01, 0x41);
    reader.enter();
    expect(() => reader.readUint32()).toThrow('a varint runs past the end');
    expect(() => reader.readFixed32()).toThrow('4 bytes run past the end');
    expect(() => reader.readFixed64()).toThrow('8 bytes run past the end');
  });

  it('starts where its bytes do, not where their buffer does', () => {
    const bytes = Uint8Array.of(9, 9, 2, 0x68, 0x69, 1, 0, 0, 0).subarray(2);
    const reader = new ProtobufReader(bytes);
    expect(reader.readText()).toBe('hi');
    expect(reader.readFixed32()).toBe(1);
  });

  it('takes the low 32 bits of longer varints, as protobuf does', () => {
    const minusOne = [...Array<number>(9).fill(0xff), 0x01];
    expect(readerOf(...minusOne).readInt32()).toBe(-1);
    expect(readerOf(...minusOne).readUint32()).toBe(0xffff_ffff);
    expect(readerOf(0x85, 0x80, 0x80, 0x80, 0x10).readUint32()).toBe(5);
  });

  it('passes over fields of every wire type, groups within groups included', () => {
    const group = [0x0b, 0x13, 0x08, 0x80, 0x01, 0x12, 1, 0x14, 0x14, 0x0c];
    const reader = readerOf(0x08, 0x80, 0x01, 0x09, 1, 2, 3, 4, 5, 6, 7, 8, 0x12, 1, 0x00, 0x15, 1, 2, 3, 4, ...group);
    skipAll(reader);
    expect(reader.position).toBe(reader.end);
  });

  it.each([
    ['a length past the end', [0x0a, 0x05, 0x00], 'byte 1: a length runs past the end'],
    ['a length beyond 32 bits', [0x0a, 0x80, 0x80, 0x80, 0x80, 0x10], 'byte 1: a length runs past the end'],
    ['a cut off varint', [0x08, 0x80], 'byte 1: a varint runs past the end'],
    ['a varint without end', [0x08, ...Array<number>(11).fill(0xff)], 'byte 1: a varint is longer than ten bytes'],
    ['field number 0', [0x02, 0x00], 'byte 0: a field number is out of range'],
    ['a field number of more than 29 bits', [0x80, 0x80, 0x80, 0x80, 0x10], 'byte 0: a field number is out of range'],
    ['wire type 6', [0x0e], 'byte 1: wire type 6 is not allowed here'],
    ['a group that ends unopened', [0x0c], 'byte 1: wire type 4 is not allowed here'],
    ['a group that ends as another', [0x1b, 0x24], 'byte 1: a group ends that did not start'],
    ['a cut off group', [0x1b], 'byte 1: a varint runs past the end'],
    ['groups nested without end', Array<number>(200).fill(0x1b), 'byte 100: groups are nested too deep'],
    ['a cut off fixed field', [0x0d, 1, 2], 'byte 1: 4 bytes run past the end'],
  ])('refuses %s and says where', (_, bytes, message) => {
    const reader = readerOf(...bytes);
    expect(() => skipAll(reader)).toThrow(AppError);
    expect(() => skipAll(readerOf(...bytes))).toThrow(message);
  });

  it('counts the memory of what is decoded, up to a limit', () => {
    const reader = readerOf();
    reader.charge(512 * 2 ** 20);
    expect(() => reader.charge(1)).toThrow(expect.objectContaining({ code: 'too_large' }));
  });
});
