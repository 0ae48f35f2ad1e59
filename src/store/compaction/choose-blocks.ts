/** Which blocks of a trace are packed together next. */

/** A block as it was when the plan was made; where it has changed since, the plan is void. */
export interface SourceBlock {
  readonly id: number;
  readonly liveCount: number;
}

/** What is known of a block without opening it. */
export interface BlockSize {
  readonly id: number;
  readonly rawBytes: number;
  /** Spans or log records that were packed into it. */
  readonly itemCount: number;
  /** Those that are still found in it. */
  readonly liveCount: number;
}

/** What to do with some of the blocks. */
export interface BlockChoice {
  /** Blocks to pack together; none where they are as good as they can be. */
  readonly sources: readonly SourceBlock[];
  /** Blocks that need not be looked at again, once that is done. */
  readonly settledBlockIds: readonly number[];
}

/**
 * Raw bytes of a compacted block. Measured on a 50-turn agent's trace at this size: 1.3 % of the raw bytes, against
 * 1.7 % at half of it and 2.5 % at a quarter; reading one span decodes it in about 2 ms.
 */
export const TARGET_BYTES = 2 * 1024 * 1024;

/** What one plan takes: what a reader holds in memory, and how long the writer needs for the swap. */
const MAX_PLAN_BYTES = 4 * TARGET_BYTES;
const MAX_PLAN_ITEMS = 500;

/** Blocks that are looked at for one plan. */
export const MAX_BLOCKS = 2 * MAX_PLAN_ITEMS;

/** Chooses among the oldest blocks of a trace, in their order. */
export function chooseBlocks(blocks: readonly BlockSize[]): BlockChoice {
  const taken: BlockSize[] = [];
  const settledBlockIds: number[] = [];
  let bytes = 0;
  let items = 0;
  for (const block of blocks) {
    const isFull = block.rawBytes >= TARGET_BYTES / 2 && block.liveCount === block.itemCount;
    if (!isFull) {
      bytes += block.rawBytes;
      items += block.liveCount;
      if (taken.length > 0 && (bytes > MAX_PLAN_BYTES || items > MAX_PLAN_ITEMS)) break;
      taken.push(block);
    }
    settledBlockIds.push(block.id);
  }
  const isWorthIt = taken.length > 1 || taken.some((block) => block.liveCount < block.itemCount);
  return { sources: isWorthIt ? taken.map(({ id, liveCount }) => ({ id, liveCount })) : [], settledBlockIds };
}
