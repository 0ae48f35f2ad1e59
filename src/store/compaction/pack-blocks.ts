/** Packs what is found in some blocks of a trace together, for spans and log records alike. */
import { decodeBlock, type EncodedBlock, encodeBlock, partitionIntoBlocks } from '../blocks/codec.ts';
import type { Dictionary } from '../blocks/stored-blocks.ts';
import { takeRoom } from '../threads/thread-room.ts';
import { type BlockSize, chooseBlocks, type SourceBlock, TARGET_BYTES } from './choose-blocks.ts';

/** A new block, and the rows whose originals are in it, in order. */
export interface PackedBlock extends EncodedBlock {
  /** The dictionary that it is packed with; null for none. */
  readonly dictionaryId: number | null;
  readonly rowIds: readonly number[];
}

/** Which blocks become which. */
export interface BlockPlan {
  /** Blocks that are replaced; none where they are as good as they can be. */
  readonly sources: readonly SourceBlock[];
  readonly packed: readonly PackedBlock[];
  readonly bytesBefore: number;
}

/** A plan, and what cannot be part of one. */
export interface Packing {
  readonly plan: BlockPlan;
  /** Rows in blocks that are not what was stored. These blocks stay as they are. */
  readonly unreadableRowIds: readonly number[];
}

/** A block and what is found in it: a JSON list of `[row id, ordinal]`. */
export interface StoredBlock {
  readonly id: number;
  readonly data: Uint8Array;
  readonly raw_bytes: number;
  readonly places: string;
  readonly dictionary?: Uint8Array | undefined;
}

/**
 * Chooses among the blocks of a trace, and packs those, short ones with the dictionary. A block that cannot be read does not keep the
 * others from being packed. Nor does one of which fewer rows are found than it counts: what the others refer to would be lost.
 */
export async function packBlocks(
  blocks: readonly BlockSize[],
  read: (blockIds: readonly number[]) => Promise<readonly StoredBlock[]>,
  dictionary?: Dictionary,
): Promise<Packing> {
  const leftOut = new Set<number>();
  const unreadableRowIds: number[] = [];
  for (;;) {
    const sources = chooseBlocks(blocks.filter(({ id }) => !leftOut.has(id)));
    const sourceIds = new Set(sources.map(({ id }) => id));
    const bytes = blocks.reduce((sum, { id, rawBytes }) => sum + (sourceIds.has(id) ? rawBytes : 0), 0);
    using _ = await takeRoom(MEMORY_A_BYTE * bytes);
    const stored = sources.length === 0 ? [] : await read([...sourceIds]);
    const byId = new Map(stored.map((block) => [block.id, { block, places: placesOf(block) }]));
    const items: Item[] = [];
    const leftOutBefore = leftOut.size;
    for (const { id, liveCount } of sources) {
      const { block, places = [] } = byId.get(id) ?? {};
      const unpacked = block && places.length === liveCount ? unpack(block, places) : undefined;
      if (unpacked !== undefined) items.push(...unpacked);
      else {
        leftOut.add(id);
        unreadableRowIds.push(...places.map(([rowId]) => rowId));
      }
    }
    if (leftOut.size > leftOutBefore) continue;
    const bytesBefore = stored.reduce((sum, { data }) => sum + data.length, 0);
    return { plan: { sources, packed: pack(items, dictionary), bytesBefore }, unreadableRowIds };
  }
}

/** What a byte of a block takes: as it is stored, decoded, and packed with others. */
const MEMORY_A_BYTE = 3;

type Places = readonly (readonly [rowId: number, ordinal: number])[];

function placesOf({ places }: StoredBlock): Places {
  return JSON.parse(places) as Places;
}

interface Item {
  readonly rowId: number;
  readonly bytes: Uint8Array;
}

/** `undefined` for a block that does not hold what it should. */
function unpack({ data, raw_bytes: rawBytes, dictionary }: StoredBlock, places: Places): readonly Item[] | undefined {
  const messages = tryToDecode({ data, rawBytes }, dictionary);
  const items = places.flatMap(([rowId, ordinal]) => {
    const bytes = messages?.[ordinal];
    return bytes === undefined ? [] : [{ rowId, bytes }];
  });
  return items.length === places.length ? items : undefined;
}

function tryToDecode(block: EncodedBlock, dictionary: Uint8Array | undefined): readonly Uint8Array[] | undefined {
  try {
    return decodeBlock(block, dictionary);
  } catch {
    // Its rows are among those that the packing names.
    return undefined;
  }
}

function pack(items: readonly Item[], dictionary: Dictionary | undefined): readonly PackedBlock[] {
  const inOrder = items.toSorted((a, b) => a.rowId - b.rowId);
  return partitionIntoBlocks(inOrder, TARGET_BYTES).map((run) => {
    const messages = run.map(({ bytes }) => bytes);
    const rowIds = run.map(({ rowId }) => rowId);
    const isShort = messages.reduce((sum, { length }) => sum + length, 0) <= SHORT_BYTES;
    // One without anything stands for a project whose traces have nothing in common.
    const used = isShort && dictionary !== undefined && dictionary.data.length > 0 ? dictionary : undefined;
    return { ...encodeBlock(messages, LEVEL, used?.data), dictionaryId: used?.id ?? null, rowIds };
  });
}

/** Blocks of more have enough in common within themselves. */
export const SHORT_BYTES = 64 * 1024;

/** Higher levels took three to thirty times as long for a tenth less. */
const LEVEL = 9;
