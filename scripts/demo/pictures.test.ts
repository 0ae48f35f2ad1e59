import { crc32, inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type PictureName, pictureUrl } from './pictures.ts';

const NAMES: readonly PictureName[] = ['torn-seam', 'zip', 'scan', 'boarding-pass', 'viewpoint'];

describe('pictureUrl', () => {
  it.each(NAMES)('is a small valid PNG: %s', (name) => {
    const [head = '', base64 = ''] = pictureUrl(name).split(',');
    const bytes = Buffer.from(base64, 'base64');
    expect(head).toBe('data:image/png;base64');
    expect(bytes.subarray(0, 8).toString('hex')).toBe('89504e470d0a1a0a');
    expect(bytes.length).toBeLessThan(4000);
    const chunks = readChunks(bytes.subarray(8));
    expect(chunks.map(({ type }) => type)).toEqual(['IHDR', 'IDAT', 'IEND']);
    const [header, data] = chunks;
    const [width, height] = [header?.data.readUInt32BE(0) ?? 0, header?.data.readUInt32BE(4) ?? 0];
    const rows = inflateSync(data?.data ?? Buffer.alloc(0));
    expect(rows.length).toBe(height * (1 + width * 3));
    expect(new Set(rows).size).toBeGreaterThan(5);
  });

  it('draws different pictures', () => {
    expect(new Set(NAMES.map(pictureUrl)).size).toBe(NAMES.length);
  });
});

function readChunks(bytes: Buffer): { type: string; data: Buffer }[] {
  const chunks = [];
  for (let offset = 0; offset < bytes.length; ) {
    const length = bytes.readUInt32BE(offset);
    const type = bytes.toString('latin1', offset + 4, offset + 8);
    expect(bytes.readUInt32BE(offset + 8 + length)).toBe(crc32(bytes.subarray(offset + 4, offset + 8 + length)));
    chunks.push({ type, data: bytes.subarray(offset + 8, offset + 8 + length) });
    offset += 12 + length;
  }
  return chunks;
}
