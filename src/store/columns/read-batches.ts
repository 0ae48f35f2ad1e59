/** Reads spans column by column, in a reader's thread. */
import { sql, type SqlBool } from 'kysely';
import { readRangeAroundDamage } from '../engine/around-damage.ts';
import { noteUnreadableSpans } from '../engine/damage.ts';
import { readUnlistedTraces } from '../spans/rows/visible.ts';
import type { ReadScope } from '../spans/rows/read-scope.ts';
import { readReadableRows } from '../spans/rows/unreadable-rows.ts';
import type { BatchOptions, BatchScope, OrderedBatch, SpanBatch } from './batch.ts';
import { queryScopeOf } from '../queries/prepared-query.ts';
import type { RowIdRange } from '../sets/range-list.ts';
import { takeBatchRoom } from './batch-room.ts';
import { selectNarrowRows } from './narrow-rows.ts';
import { ChunkReader } from './chunk-reader.ts';
import { ReusedArrays } from './codec/reused-arrays.ts';
import { readListedRows, type ReadRows } from './listed-rows.ts';
import {
  isMixed,
  reachesOut,
  type ReadOptions,
  type ReadSegment,
  readSegment,
  type SegmentScope,
} from './read-segment.ts';
import { readRowBatch } from './read-row-batch.ts';
import { RowBatch } from './row-batch.ts';
import { type Chunks, PartOfBatch, SegmentBatch } from './segment-batch.ts';
import { screenMemoryOf } from './segment-screen.ts';
import { rowIdsOf, type SegmentHead } from './segments.ts';
import { arrange, joinRests, listStretches, restsOf, type Stretch } from './stretches.ts';
import { giveWay } from '../threads/fair-turns.ts';

/** What reading batches works with. */
export type BatchReadScope = Pick<ReadScope, 'db' | 'dialect'>;

/** A scope with the traces that are in no list. */
interface Wanted extends BatchScope {
  readonly unlistedTraces: ReadonlySet<number>;
}

/**
 * The spans of a project, in batches. A batch is valid until the caller asks for the next one, which reuses its memory. Other questions
 * get their turn of the thread in between. What is stored or changed while batches are read may be in them or not, each span as it
 * was at one time.
 */
export async function* readBatches(
  reader: BatchReadScope,
  which: BatchScope,
  options: BatchOptions,
): AsyncGenerator<OrderedBatch> {
  // Before what changed is looked for: whatever is erased after that is listed as a change.
  const wanted = { ...which, unlistedTraces: await readUnlistedTraces(reader.db) };
  const stretches = arrange(await listStretches(reader.db, which), options.order);
  const rowCount = stretches.reduce((count, { bounds }) => count + bounds.rowCount, 0);
  const few = Math.min(Math.floor(rowCount / ROW_COST), MAX_LISTED_ROWS);
  const listed = few === 0 ? null : ((await options.rows?.list(rangeOf(which), few)) ?? null);
  if (listed !== null) {
    const read: ReadRows = (rowIds, needs) =>
      readReadableRows(rowIds, (some) =>
        selectRows(reader, wanted, needs).where('spans.id', 'in', reader.dialect.numbersOf(some)).execute(),
      );
    yield* readListedRows(listed, read, options);
    return;
  }
  const rests = restsOf(stretches);
  const heads = stretches.flatMap(({ head, isSegmentRead }) => (head !== null && isSegmentRead ? head : []));
  const mayBeRead = ({ segment }: SegmentHead) =>
    options.rows?.knows(rangeOf(rowIdsOf(segment))) ?? options.rows == null;
  const chunks = new ChunkReader(queryScopeOf(reader), heads, mayBeRead);
  const scope: SegmentScope = { ...queryScopeOf(reader), chunks, arrays: new ReusedArrays() };
  const screen = options.screen == null ? undefined : screenMemoryOf(reader.db).open(options.screen);
  for (const [place, stretch] of stretches.entries()) {
    using _ = await takeBatchRoom(stretch.bounds.rowCount, options);
    const { batches, passedOverCount } = await readStretch(scope, wanted, { ...options, screen }, stretch);
    const held = batches.filter(({ rowCount }) => rowCount > 0);
    if (held.length === 0 && passedOverCount > 0) held.push(new RowBatch([]));
    for (const [part, batch] of held.entries()) {
      const rest = rests[place] ?? null;
      const isLast = part === held.length - 1;
      yield {
        batch,
        lookedCount: batch.rowCount + (part === 0 ? passedOverCount : 0),
        rest: isLast ? rest : rest === null ? stretch.bounds : joinRests(stretch.bounds, rest),
      };
    }
    scope.arrays.takeBack();
    await giveWay();
  }
}

/** Rows take some twenty times as long as what columns hold of them. */
const ROW_COST = 16;
const MAX_LISTED_ROWS = 4096;

function rangeOf({ firstRowId = 0, endRowId = Infinity }: Pick<BatchScope, 'firstRowId' | 'endRowId'>): RowIdRange {
  return { from: firstRowId, end: endRowId };
}

async function readStretch(
  scope: SegmentScope,
  wanted: Wanted,
  options: ReadOptions & Pick<BatchOptions, 'rows'>,
  stretch: Stretch,
): Promise<{ readonly batches: SpanBatch[]; readonly passedOverCount: number }> {
  if ((await options.rows?.mayHold(rangeOf(rowIdsOf(stretch.segment)))) === false)
    return { batches: [], passedOverCount: stretch.bounds.rowCount };
  const { head, hasChanges, isSegmentRead } = stretch;
  const needs = { hasChanges, hasUnlisted: wanted.unlistedTraces.size > 0, isSegmentRead };
  const stored = head === null ? undefined : await readSegment(scope, head, wanted, options, needs);
  const read = (rowIds: readonly number[]) =>
    selectRows(scope, wanted, options).where('spans.id', 'in', scope.dialect.numbersOf(rowIds)).execute();
  if (stored === undefined) {
    const { minRowId, maxRowId } = stretch.bounds;
    const batch = await readRowBatch(maxRowId - minRowId + 1, options, async (from, below) => {
      const [first, last] = [minRowId + from, minRowId + below - 1];
      const range = selectRows(scope, wanted, options).where('spans.id', '>=', first).where('spans.id', '<=', last);
      const around = await readRangeAroundDamage([first, last], () => range.execute(), read);
      noteUnreadableSpans(around);
      return around.rows;
    });
    return { batches: [batch], passedOverCount: 0 };
  }
  const { chunks } = stored;
  const batches = isSegmentRead && chunks !== null ? [selectPart(scope, stored.head, chunks, stored, wanted)] : [];
  const passedOverCount = isSegmentRead && chunks === null ? stored.head.rowCount : 0;
  const { firstRowId = 0, endRowId = Infinity } = wanted;
  const changed = stored.changedRowIds.filter((rowId) => rowId >= firstRowId && rowId < endRowId);
  if (changed.length > 0) {
    const readPiece = (from: number, below: number) => readReadableRows(changed.slice(from, below), read);
    batches.push(await readRowBatch(changed.length, options, readPiece));
  }
  return { batches, passedOverCount };
}

/** Rows of the scope that are found by their ids, and by nothing else. Index: the primary key. */
function selectRows(
  { db, dialect }: BatchReadScope,
  wanted: Wanted,
  { columns, attributes }: Pick<BatchOptions, 'columns' | 'attributes'>,
) {
  const { startTimeUs, endTimeUs, unlistedTraces } = wanted;
  const startUs = dialect.unindexed('spans.start_us');
  let query = selectNarrowRows(db, { columns, hasAttributes: attributes.length > 0 }).where(
    dialect.unindexed('spans.project_id'),
    '=',
    wanted.projectRowId,
  );
  if (startTimeUs !== undefined) query = query.where(startUs, '>=', startTimeUs);
  if (endTimeUs !== undefined) query = query.where(startUs, '<', endTimeUs);
  if (unlistedTraces.size > 0) {
    query = query.where(
      sql<SqlBool>`${dialect.unindexed('spans.trace_row_id')} NOT IN (SELECT trace_row_id FROM unlisted_traces)`,
    );
  }
  return query;
}

/** The rows of the segment that did not change and are in the scope. */
function selectPart(
  { arrays }: SegmentScope,
  head: SegmentHead,
  chunks: Chunks,
  { changedRowIds, adopted }: ReadSegment,
  wanted: Wanted,
): SpanBatch {
  const { projectRowId, startTimeUs = -Infinity, endTimeUs = Infinity, unlistedTraces } = wanted;
  const { firstRowId = 0, endRowId = Infinity } = wanted;
  const own = rowIdsOf(head.segment);
  const rows = { rowCount: head.rowCount, firstRowId: own.firstRowId, adopted };
  const whole = new SegmentBatch(chunks, rows, arrays);
  const left = new Uint8Array(whole.rowCount).fill(1);
  if (isMixed(head, wanted)) keepBetween(left, whole.numbers('project_id'), projectRowId, projectRowId + 1);
  if (reachesOut(head, wanted)) keepBetween(left, whole.numbers('start_us'), startTimeUs, endTimeUs);
  if (own.firstRowId < firstRowId || own.endRowId > endRowId) keepBetween(left, whole.rowIds, firstRowId, endRowId);
  if (changedRowIds.length > 0) leaveOut(left, whole.rowIds, new Set(changedRowIds));
  if (unlistedTraces.size > 0) leaveOut(left, whole.numbers('trace_row_id'), unlistedTraces);
  const places = new Uint16Array(left.length);
  let count = 0;
  for (let row = 0; row < left.length; row++) if (left[row] === 1) places[count++] = row;
  return count === left.length ? whole : new PartOfBatch(whole, places.subarray(0, count));
}

/** Leaves those rows of which the value is from one on and below another. */
function keepBetween(left: Uint8Array, values: Float64Array, from: number, below: number): void {
  for (let row = 0; row < left.length; row++) {
    const value = values[row] as number;
    if (value < from || value >= below) left[row] = 0;
  }
}

function leaveOut(left: Uint8Array, values: Float64Array, unwanted: ReadonlySet<number>): void {
  for (let row = 0; row < left.length; row++) if (unwanted.has(values[row] as number)) left[row] = 0;
}
