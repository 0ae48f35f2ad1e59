import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeBlock, encodeBlock, MAX_BLOCK_BYTES, partitionIntoBlocks } from './codec.ts';

describe('a block', () => {
  it('gives back every message to the byte, in order', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 20 }), (messages) => {
        const decoded = decodeBlock(encodeBlock(messages));
        expect(decoded.map((message) => Uint8Array.from(message))).toEqual(messages);
      }),
    );
  });

  it('is much smaller than messages that repeat each other', () => {
    const history = new TextEncoder().encode('The customer asks where parcel 4711 is. '.repeat(100));
    const { data, rawBytes } = encodeBlock(Array.from({ length: 20 }, () => history));
    expect(rawBytes).toBe(20 * (history.length + 4));
    expect(data.length).toBeLessThan(rawBytes / 50);
  });

  it('keeps little more than small blocks need while they wait to be stored', () => {
    const buffers = new Set(Array.from({ length: 1000 }, () => encodeBlock([new Uint8Array(150)]).data.buffer));
    expect([...buffers].reduce((sum, { byteLength }) => sum + byteLength, 0)).toBeLessThan(1_000_000);
  });

  it('never gives an altered message back, whichever bit flips', () => {
    const { data, rawBytes } = encodeBlock([Buffer.from('The customer asks'), Buffer.from('where parcel 4711 is.')]);
    const whole = decodeBlock({ data, rawBytes });
    for (let bit = 0; bit < data.length * 8; bit++) {
      const flipped = Uint8Array.from(data);
      flipped[bit >> 3] = (flipped[bit >> 3] as number) ^ (1 << (bit & 7));
      expect(decodeOrRefuse({ data: flipped, rawBytes }) ?? whole).toEqual(whole);
    }
  });

  it('refuses data that inflates beyond what was packed', () => {
    const { data, rawBytes } = encodeBlock([new Uint8Array(1000)]);
    expect(() => decodeBlock({ data, rawBytes: rawBytes - 1 })).toThrow();
  });
});

function decodeOrRefuse(block: Parameters<typeof decodeBlock>[0]): readonly Uint8Array[] | undefined {
  try {
    return decodeBlock(block);
  } catch {
    return undefined;
  }
}

describe('partitioning into blocks', () => {
  it('keeps the order and fills each block up to its bound', () => {
    const spans = Array.from({ length: 10 }, (_, index) => ({ bytes: new Uint8Array(200_000), index }));
    const runs = partitionIntoBlocks(spans);
    expect(runs.map((run) => run.length)).toEqual([2, 2, 2, 2, 2]);
    expect(runs.flat().map((span) => span.index)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('gives a span that is larger than a block one of its own', () => {
    const sizes = [10, MAX_BLOCK_BYTES * 2, 10, 10];
    const runs = partitionIntoBlocks(sizes.map((size) => ({ bytes: new Uint8Array(size) })));
    expect(runs.map((run) => run.length)).toEqual([1, 1, 2]);
  });
});
