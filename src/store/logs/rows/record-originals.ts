/** Originals of log records, a bounded number of bytes at a time. */
import type { Kysely } from 'kysely';
import type { SqlDialect } from '../../dialect/dialect.ts';
import type { Tables } from '../../schema/tables.ts';
import { readRecordMessages, type RecordDamageOptions } from './read-messages.ts';

/** Raw bytes of the blocks that are decoded together; a larger one is decoded alone. */
const MAX_PART_BYTES = 16 * 1024 * 1024;

/** The originals of the records by row id, in no order; those that are gone are left out. Index: primary keys. */
export async function* readRecordOriginals(
  db: Kysely<Tables>,
  dialect: SqlDialect,
  rowIds: readonly number[],
  damage: RecordDamageOptions = {},
): AsyncGenerator<readonly [rowId: number, bytes: Uint8Array]> {
  for (const part of await toParts(db, dialect, rowIds)) {
    for (const { rowId, bytes } of await readRecordMessages(db, dialect, part, damage)) yield [rowId, bytes];
  }
}

async function toParts(
  db: Kysely<Tables>,
  dialect: SqlDialect,
  rowIds: readonly number[],
): Promise<readonly number[][]> {
  if (rowIds.length === 0) return [];
  const rows = await db
    .selectFrom('log_records as record')
    .innerJoin('log_record_blocks as block', 'block.id', 'record.block_id')
    .select(['record.id', 'record.block_id', 'block.raw_bytes'])
    .where('record.id', 'in', dialect.numbersOf(rowIds))
    .orderBy('record.block_id')
    .execute();
  const parts: number[][] = [];
  let bytes = 0;
  let blockId: number | undefined;
  for (const row of rows) {
    const more = row.block_id === blockId ? 0 : row.raw_bytes;
    if (parts.length === 0 || (more > 0 && bytes + more > MAX_PART_BYTES)) {
      parts.push([]);
      bytes = 0;
    }
    parts.at(-1)?.push(row.id);
    bytes += more;
    blockId = row.block_id;
  }
  return parts;
}
