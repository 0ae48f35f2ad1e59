import zlib from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { decompress } from './compression.ts';

const text = Buffer.from('a body that is somewhat longer than its codings '.repeat(50));
const limit = text.length;

const compressed: readonly (readonly [coding: string, body: Uint8Array])[] = [
  ['gzip', zlib.gzipSync(text)],
  ['x-gzip', zlib.gzipSync(text)],
  ['deflate', zlib.deflateSync(text)],
  ['deflate', zlib.deflateRawSync(text)],
  ['br', zlib.brotliCompressSync(text)],
  ['zstd', zlib.zstdCompressSync(text)],
];

describe('decompress', () => {
  it.each(['', 'identity', ' , '])('returns the body itself for the coding %j', (coding) => {
    expect(decompress(text, coding, limit)).toBe(text);
  });

  it.each(compressed)('undoes %s', (coding, body) => {
    expect(Buffer.from(decompress(body, coding, limit)).equals(text)).toBe(true);
    expect(Buffer.from(decompress(body, ` ${coding.toUpperCase()} `, limit)).equals(text)).toBe(true);
  });

  it.each(compressed)('refuses %s that inflates beyond the limit, naming it', (coding, body) => {
    const error = expect.objectContaining({ code: 'too_large', message: expect.stringContaining(String(limit - 1)) });
    expect(() => decompress(body, coding, limit - 1)).toThrow(error);
  });

  it.each(compressed)('refuses %s that is cut off, empty, or followed by other bytes', (coding, body) => {
    const corrupt = expect.objectContaining({ code: 'invalid_argument' });
    expect(() => decompress(body.subarray(0, -2), coding, limit)).toThrow(corrupt);
    expect(() => decompress(new Uint8Array(0), coding, limit)).toThrow(corrupt);
    expect(() => decompress(Buffer.concat([body, Buffer.from('more')]), coding, limit)).toThrow(corrupt);
  });

  it('stops a bomb while it inflates', () => {
    const bomb = zlib.gzipSync(new Uint8Array(64 * 2 ** 20));
    const before = process.memoryUsage().arrayBuffers;
    expect(() => decompress(bomb, 'gzip', 2 ** 20)).toThrow(expect.objectContaining({ code: 'too_large' }));
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8 * 2 ** 20);
  });

  it('undoes two codings in the reverse of their order, the first one capped too', () => {
    const body = zlib.brotliCompressSync(zlib.gzipSync(text));
    expect(Buffer.from(decompress(body, 'gzip, br', limit)).equals(text)).toBe(true);
    expect(() => decompress(body, 'gzip, br', 40)).toThrow(expect.objectContaining({ code: 'too_large' }));
  });

  it.each(['gzip', 'zstd'])('joins the members or frames of a %s body, under one limit', (coding) => {
    const compress = coding === 'gzip' ? zlib.gzipSync : zlib.zstdCompressSync;
    const body = Buffer.concat([compress(text.subarray(0, 99)), compress(text.subarray(99))]);
    expect(Buffer.from(decompress(body, coding, limit)).equals(text)).toBe(true);
    expect(() => decompress(body, coding, limit - 1)).toThrow(expect.objectContaining({ code: 'too_large' }));
  });

  it('refuses a zstd body of endless frames', () => {
    const frame = zlib.zstdCompressSync(new Uint8Array(0));
    const body = Buffer.concat(Array<Uint8Array>(1001).fill(frame));
    expect(() => decompress(body, 'zstd', 2 ** 20)).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
  });

  it('refuses a zstd frame that wants a window beyond reason', () => {
    const options = { params: { [zlib.constants.ZSTD_c_windowLog]: 27 } };
    const body = zlib.zstdCompressSync(new Uint8Array(2 ** 26 + 1), options);
    expect(() => decompress(body, 'zstd', 2 ** 27)).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
  });

  it('holds an uncompressed body to the limit', () => {
    expect(() => decompress(text, '', limit - 1)).toThrow(expect.objectContaining({ code: 'too_large' }));
  });

  it('refuses other codings and more than two of them, saying what is accepted', () => {
    expect(() => decompress(text, 'lzma', limit)).toThrow(
      expect.objectContaining({ code: 'unsupported', message: expect.stringContaining('gzip, deflate, br, zstd') }),
    );
    expect(() => decompress(text, 'gzip, gzip, gzip', limit)).toThrow(expect.objectContaining({ code: 'unsupported' }));
  });
});
