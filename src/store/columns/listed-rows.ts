/** Batches of rows that are known by their ids, where those are few among the rows that would be looked through otherwise. */
import type { BatchOptions, BatchOrder, OrderedBatch, RestOfBatches } from './batch.ts';
import { takeBatchRoom } from './batch-room.ts';
import type { NarrowRow } from './narrow-rows.ts';
import { readRowBatch } from './read-row-batch.ts';

/** What is read of rows by their ids: those of the scope, ascending. */
export type ReadRows = (
  rowIds: readonly number[],
  options: Pick<BatchOptions, 'columns' | 'attributes'>,
) => Promise<readonly NarrowRow[]>;

/** Reads the rows in parts that follow the order. */
export async function* readListedRows(
  rowIds: readonly number[],
  read: ReadRows,
  options: BatchOptions,
): AsyncGenerator<OrderedBatch> {
  const starts = rowIds.length === 0 ? [] : await read(rowIds, { columns: ['start_us'], attributes: [] });
  const places = starts.map(({ id, start_us: startUs }) => ({ id, startUs: startUs ?? 0 }));
  places.sort(COMPARE[options.order]);
  for (let start = 0; start < places.length || start === 0; start += ROWS_AT_ONCE) {
    const part = places.slice(start, start + ROWS_AT_ONCE);
    const partIds = part.map(({ id }) => id).sort((a, b) => a - b);
    using _ = await takeBatchRoom(part.length, options);
    const readPiece = (from: number, below: number) => read(partIds.slice(from, below), options);
    yield {
      batch: await readRowBatch(partIds.length, options, readPiece),
      lookedCount: part.length,
      rest: boundsOf(places.slice(start + ROWS_AT_ONCE)),
    };
  }
}

/** Rows of a part. */
const ROWS_AT_ONCE = 1024;

interface Place {
  readonly id: number;
  readonly startUs: number;
}

const COMPARE: Readonly<Record<BatchOrder, (a: Place, b: Place) => number>> = {
  'start desc': (a, b) => b.startUs - a.startUs || b.id - a.id,
  'start asc': (a, b) => a.startUs - b.startUs || a.id - b.id,
  'arrival desc': (a, b) => b.id - a.id,
  'arrival asc': (a, b) => a.id - b.id,
};

function boundsOf(places: readonly Place[]): RestOfBatches | null {
  if (places.length === 0) return null;
  let [minStartUs, maxStartUs, minRowId, maxRowId] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const { id, startUs } of places) {
    [minStartUs, maxStartUs] = [Math.min(minStartUs, startUs), Math.max(maxStartUs, startUs)];
    [minRowId, maxRowId] = [Math.min(minRowId, id), Math.max(maxRowId, id)];
  }
  return { rowCount: places.length, minStartUs, maxStartUs, minRowId, maxRowId };
}
