import { describe, expect, it } from 'vitest';
import { type BlockSize, chooseBlocks, FULL_BYTES } from './choose-blocks.ts';

/** Blocks of so many items, in order; a pair says how many of them are left. */
function blocksOf(...counts: readonly (number | readonly [liveCount: number, itemCount: number])[]): BlockSize[] {
  return counts.map((count, place) => {
    const [liveCount, itemCount] = typeof count === 'number' ? [count, count] : count;
    return { id: place + 1, rawBytes: itemCount * 100, liveCount, itemCount };
  });
}

const idsOf = (blocks: readonly BlockSize[]) => chooseBlocks(blocks).map(({ id }) => id);

describe('which blocks are packed together', () => {
  it.each([
    ['as many as 500 items fit', blocksOf(200, 200, 200), [1, 2]],
    ['two that hold more together, where nothing smaller is left', blocksOf(1000, 2000), [1, 2]],
    ['small ones behind large ones first', blocksOf(1000, 2000, 1, 1), [3, 4]],
    ['of large ones the two smallest neighbours', blocksOf(1500, 900, 700, 800), [3, 4]],
    ['one alone of which something is gone', blocksOf([1, 2]), [1]],
    ['such a one behind others that do not fit', blocksOf(400, [2999, 3000], 400), [2]],
    ['none where only one is not full', blocksOf(2001, 30, 2500), []],
    ['none of one', blocksOf(30), []],
  ] as const)('%s', (_name, blocks, ids) => {
    expect(idsOf(blocks)).toEqual(ids);
  });

  it('leaves out what is large enough in bytes', () => {
    const large = { rawBytes: FULL_BYTES, itemCount: 2, liveCount: 2 };
    expect(idsOf([{ id: 1, ...large }, ...blocksOf(1).map((block) => ({ ...block, id: 2 }))])).toEqual([]);
  });

  it('takes a block that is larger than any plan before a small one that does not fit beside it', () => {
    const broken = { id: 2, rawBytes: 20 * FULL_BYTES, itemCount: 2, liveCount: 1 };
    expect(idsOf([...blocksOf(1), broken])).toEqual([2]);
  });
});
