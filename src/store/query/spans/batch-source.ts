/** Where the spans of a question are found, in batches, in the order that its answer needs. */
import {
  type BatchOrder,
  type BatchScope,
  MAX_BATCH_ROWS,
  type NumberColumn,
  type RestOfBatches,
  type RowScreen,
  type SpanBatch,
  type TextColumn,
  type SegmentScreen,
} from '../../columns/batch.ts';
import { selectNarrowRows } from '../../columns/narrow-rows.ts';
import { readBatches } from '../../columns/read-batches.ts';
import { takeBatchRoom } from '../../columns/batch-room.ts';
import { readRowBatch } from '../../columns/read-row-batch.ts';
import type { SpanFilter } from '../../spans/port.ts';
import type { ReadScope } from '../../spans/rows/read-scope.ts';
import { selectSpans } from '../../spans/rows/span-query.ts';
import { afterPlace, type Direction, fromPlace, type Place } from '../place.ts';
import type { SortColumn } from './sort-values.ts';

/** Part of an order. */
export interface OrderedPart {
  readonly column: SortColumn;
  readonly direction: Direction;
  readonly after: Place | null;
}

/** What is read of spans. */
export interface WantedOfBatches {
  readonly columns: readonly (NumberColumn | TextColumn)[];
  /** Dotted paths. */
  readonly attributes: readonly string[];
  /** What segments are looked at by first; sources without segments ignore both. */
  readonly screen: SegmentScreen | null;
  readonly rows: RowScreen | null;
}

/** A batch, and how far it leads. */
export interface SourcedBatch {
  readonly batch: SpanBatch;
  /** No row of a later batch comes before it in the order; `null` where that is not known, or this is the last. */
  readonly frontier: Place | null;
  /** Share of all rows that are read after this batch. */
  readonly share: number;
}

/** Reads batches until the caller has enough. */
export type BatchSource = (
  scope: ReadScope,
  wanted: WantedOfBatches,
  part: OrderedPart,
) => AsyncGenerator<SourcedBatch>;

/** Spans of a project. */
export function ofProject(which: BatchScope): BatchSource {
  return async function* read(scope, wanted, part) {
    const rest = behind(which, part);
    let looked = 0;
    const options = { ...wanted, order: orderOf(part) };
    for await (const batch of readBatches(scope, rest, options)) {
      looked += batch.lookedCount;
      const total = looked + (batch.rest?.rowCount ?? 0);
      const frontier = batch.rest === null ? null : frontierOf(batch.rest, rest, part);
      yield { batch: batch.batch, frontier, share: total === 0 ? 1 : looked / total };
    }
  };
}

/** Spans of a trace, by their row ids. Index: spans_of_trace. */
export function ofTrace(traceRowId: number): BatchSource {
  return async function* read({ db }, { columns, attributes }, { column, direction, after }) {
    const found = await db.selectFrom('spans').select('id').where('trace_row_id', '=', traceRowId).execute();
    const isUp = column !== null || direction === 'asc';
    const isLeft = (id: number) => column !== null || after === null || (isUp ? id > after.rowId : id < after.rowId);
    const rowIds = found.map(({ id }) => id).filter(isLeft);
    rowIds.sort((a, b) => (isUp ? a - b : b - a));
    for (let start = 0; start < rowIds.length; start += MAX_BATCH_ROWS) {
      const part = rowIds.slice(start, start + MAX_BATCH_ROWS);
      const last = part.at(-1) ?? 0;
      using _ = await takeBatchRoom(part.length, { columns, attributes });
      const ascending = isUp ? part : part.toReversed();
      const batch = await readRowBatch(part.length, { attributes }, (from, below) =>
        selectNarrowRows(db, { columns, hasAttributes: attributes.length > 0 })
          .where('spans.trace_row_id', '=', traceRowId)
          .where('spans.id', '>=', ascending[from] ?? 0)
          .where('spans.id', '<=', ascending[below - 1] ?? 0)
          .execute(),
      );
      const isLast = start + MAX_BATCH_ROWS >= rowIds.length;
      yield {
        batch,
        frontier: isLast || column !== null ? null : afterPlace({ value: null, rowId: last }, direction),
        share: Math.min((start + MAX_BATCH_ROWS) / rowIds.length, 1),
      };
    }
  };
}

/** Spans of a project that have one of the ids, by arrival or start. Index: as {@link selectSpans}. */
export function ofIds(filter: SpanFilter): BatchSource {
  return async function* read({ db, dialect }, { columns, attributes }, { column, direction, after }) {
    const page = { sort: column === null ? 'id' : 'start_time', order: direction } as const;
    let from = after === null ? null : toPosition(afterPlace(after, direction));
    for (;;) {
      const listed = await selectSpans(db, dialect, filter, page, { from, until: null }, ID_STEP);
      const rowIds = listed.map(({ rowId }) => rowId).sort((a, b) => a - b);
      using _ = await takeBatchRoom(rowIds.length, { columns, attributes });
      const batch = await readRowBatch(rowIds.length, { attributes }, (from, below) =>
        selectNarrowRows(db, { columns, hasAttributes: attributes.length > 0 })
          .where('spans.id', 'in', dialect.numbersOf(rowIds.slice(from, below)))
          .execute(),
      );
      const last = listed.at(-1);
      if (last === undefined || listed.length < ID_STEP) {
        yield { batch, frontier: null, share: 1 };
        return;
      }
      const place = { value: column === null ? null : last.startTimeUs, rowId: last.rowId };
      const frontier = afterPlace(place, direction);
      // How many are still to come is not known.
      yield { batch, frontier, share: 0 };
      from = toPosition(frontier);
    }
  };
}

/** Spans by their ids that are read at once. */
const ID_STEP = 1000;

function toPosition({ value, rowId }: Place) {
  return { value: typeof value === 'number' ? value : null, rowId };
}

function orderOf({ column, direction }: OrderedPart): BatchOrder {
  if (column === null) return `arrival ${direction}`;
  // Where the order leaves no batch out, the newest are looked at first.
  return column.column === 'start_us' ? `start ${direction}` : 'start desc';
}

/** What of the scope can come after a place. */
function behind(which: BatchScope, { after, column, direction }: OrderedPart): BatchScope {
  if (after === null) return which;
  const isUp = direction === 'asc';
  if (column === null) {
    if (isUp) return { ...which, firstRowId: Math.max(which.firstRowId ?? 0, after.rowId + 1) };
    return { ...which, endRowId: Math.min(which.endRowId ?? Infinity, after.rowId) };
  }
  if (column.column !== 'start_us' || typeof after.value !== 'number') return which;
  if (isUp) return { ...which, startTimeUs: Math.max(which.startTimeUs ?? -Infinity, after.value) };
  return { ...which, endTimeUs: Math.min(which.endTimeUs ?? Infinity, after.value + 1) };
}

/** The first place that the rest can have; `null` where it can have any. */
function frontierOf(rest: RestOfBatches, which: BatchScope, { column, direction }: OrderedPart): Place | null {
  const isUp = direction === 'asc';
  if (column === null) return { value: null, rowId: isUp ? rest.minRowId : rest.maxRowId };
  if (column.column !== 'start_us') return null;
  // Bounds that say no more than those of the scope are no way further.
  const { startTimeUs = -Infinity, endTimeUs = Infinity } = which;
  if (isUp) return rest.minStartUs > startTimeUs ? fromPlace(rest.minStartUs, direction) : null;
  return rest.maxStartUs < endTimeUs - 1 ? fromPlace(rest.maxStartUs, direction) : null;
}
