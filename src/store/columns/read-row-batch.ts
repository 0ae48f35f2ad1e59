/** Reads rows as a batch, which keeps of their attributes only what was asked for. */
import { giveWay } from '../threads/fair-turns.ts';
import { AttributeReader } from './attribute-reader.ts';
import type { BatchOptions } from './batch.ts';
import type { NarrowRow } from './narrow-rows.ts';
import { type ReadPiece, readPieces } from './read-pieces.ts';
import { RowBatch } from './row-batch.ts';

/** The batch of so many places, of which some may have no row. */
export async function readRowBatch(
  placeCount: number,
  { attributes }: Pick<BatchOptions, 'attributes'>,
  readPiece: ReadPiece,
): Promise<RowBatch> {
  if (attributes.length === 0) return new RowBatch(await readPiece(0, placeCount));
  const readers = attributes.map((path) => ({ path, reader: new AttributeReader(path, placeCount) }));
  const rows: NarrowRow[] = [];
  for await (const piece of readPieces(placeCount, readPiece)) {
    for (const row of piece) {
      for (const { reader } of readers) reader.add(row);
      rows.push(Object.assign(row, NO_ATTRIBUTES));
    }
    await giveWay();
  }
  return new RowBatch(rows, new Map(readers.map(({ path, reader }) => [path, reader.column])));
}

const NO_ATTRIBUTES = { attributes: undefined, omitted_attributes: undefined };
