/** Originals of log records, a bounded number of bytes at a time. */
import type { Kysely } from 'kysely';
import type { SqlDialect } from '../../dialect/dialect.ts';
import { readAroundDamage } from '../../engine/around-damage.ts';
import type { Tables } from '../../schema/tables.ts';
import { takeRoom, tryTakeRoom } from '../../threads/thread-room.ts';
import { readRecordMessages, type RecordDamageOptions } from './read-messages.ts';

/** How records are read. */
export interface RecordReadOptions extends RecordDamageOptions {
  /** Asked where there is no memory for the next records: `true` ends the list before them, which who holds what came before must do. */
  readonly endsHere?: () => boolean;
}

/** Raw bytes of the blocks that are decoded together; a larger one is decoded alone. */
const MAX_PART_BYTES = 8 * 1024 * 1024;

/** What a byte of a block takes: compressed and not, and in the texts that are made of it. */
const MEMORY_A_BYTE = 3;

/**
 * The originals of the records by row id, in the order of the ids; those that are gone are left out. Index: primary keys.
 * @throws AppError `unavailable` where there is no memory for them
 */
export async function* readRecordOriginals(
  db: Kysely<Tables>,
  dialect: SqlDialect,
  rowIds: readonly number[],
  { endsHere = () => false, ...damage }: RecordReadOptions = {},
): AsyncGenerator<readonly [rowId: number, bytes: Uint8Array]> {
  for (const part of await toParts(db, dialect, rowIds)) {
    const bytes = part.bytes * MEMORY_A_BYTE;
    let room = await tryTakeRoom(bytes);
    if (room === undefined) {
      if (endsHere()) return;
      room = await takeRoom(bytes);
    }
    using _ = room;
    const read = await readRecordMessages(db, dialect, part.rowIds, damage);
    const messages = new Map(read.map((message) => [message.rowId, message.bytes]));
    for (const rowId of part.rowIds) {
      const message = messages.get(rowId);
      if (message !== undefined) yield [rowId, message];
    }
  }
}

/** Records whose blocks are decoded together. */
interface Part {
  readonly rowIds: number[];
  readonly blockIds: Set<number>;
  /** Of the blocks, once they are decoded. */
  bytes: number;
}

async function toParts(db: Kysely<Tables>, dialect: SqlDialect, rowIds: readonly number[]): Promise<readonly Part[]> {
  if (rowIds.length === 0) return [];
  const { rows, unreadable } = await readAroundDamage(rowIds, (some) =>
    db
      .selectFrom('log_records as record')
      .innerJoin('log_record_blocks as block', 'block.id', 'record.block_id')
      .select(['record.id', 'record.block_id', 'block.raw_bytes'])
      .where('record.id', 'in', dialect.numbersOf(some))
      .execute(),
  );
  const damaged = new Set(unreadable);
  const blocks = new Map(rows.map((row) => [row.id, row]));
  const parts: Part[] = [];
  let part: Part | undefined;
  for (const rowId of rowIds) {
    const block = blocks.get(rowId);
    if (damaged.has(rowId)) {
      // Reading it names it.
      part ??= addPart(parts);
      part.rowIds.push(rowId);
    }
    if (block === undefined || block.block_id === null) continue;
    const more = part?.blockIds.has(block.block_id) === true ? 0 : block.raw_bytes;
    if (part === undefined || (more > 0 && part.bytes + more > MAX_PART_BYTES)) {
      part = addPart(parts);
    }
    part.rowIds.push(rowId);
    part.bytes += part.blockIds.has(block.block_id) ? 0 : block.raw_bytes;
    part.blockIds.add(block.block_id);
  }
  return parts;
}

function addPart(parts: Part[]): Part {
  const part: Part = { rowIds: [], blockIds: new Set(), bytes: 0 };
  parts.push(part);
  return part;
}
