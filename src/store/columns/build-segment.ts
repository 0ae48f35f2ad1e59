/** Makes a segment of its rows, in a reader's thread. */
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../schema/tables.ts';
import { MAX_BATCH_ROWS, NUMBER_COLUMNS, type NumberColumn, PARENT_STATES, TEXT_COLUMNS } from './batch.ts';
import {
  AttributeCollector,
  type CollectedAttribute,
  type HiddenAttributes,
  MAX_TEXT_LENGTH,
  withHidden,
} from './collect-attributes.ts';
import { type NarrowRow, selectNarrowRows } from './narrow-rows.ts';
import { type ReadPiece, readPieces } from './read-pieces.ts';
import { RowBatch } from './row-batch.ts';
import {
  type AttributePathCount,
  type Chunk,
  CHUNKS,
  DERIVED_COLUMNS,
  packAttribute,
  packHidden,
  packNumbers,
  packOrphans,
  packPaths,
  packSparse,
  packTexts,
  type SparseAttribute,
} from './segment-chunks.ts';
import { rowIdsOf, type SegmentHead } from './segments.ts';
import { giveWay } from '../threads/fair-turns.ts';
import { takeRoom } from '../threads/thread-room.ts';

/** A segment to be stored. */
export interface SegmentPlan {
  /** `build` is that of what it replaces. */
  readonly head: SegmentHead;
  readonly chunks: readonly Chunk[];
  /** Changes that it knows of: row ids, and how often each had changed. */
  readonly changes: readonly (readonly [rowId: number, version: number])[];
  /** Processor time that it took, in seconds. */
  readonly cpuSeconds: number;
}

/**
 * Builds a segment that has a head; `undefined` where it has none. What changes while it is read is noted under a version
 * that the plan does not know, because changes are read before rows. Index: primary keys.
 */
export async function buildSegment(db: Kysely<Tables>, segment: number): Promise<SegmentPlan | undefined> {
  const cpuBefore = process.threadCpuUsage();
  const head = await db.selectFrom('span_segments').select('build').where('segment', '=', segment).executeTakeFirst();
  if (head === undefined) return undefined;
  const { firstRowId, endRowId } = rowIdsOf(segment);
  const changes = await db
    .selectFrom('span_segment_changes')
    .selectAll()
    .where('span_row_id', '>=', firstRowId)
    .where('span_row_id', '<', endRowId)
    .execute();
  using _ = await takeRoom(await measureSegment(db, { firstRowId, endRowId }));
  const rows: NarrowRow[] = [];
  for (let from = firstRowId; from < endRowId; from += ROWS_A_STATEMENT) {
    const part = await selectNarrowRows(db, { columns: KEPT_COLUMNS, hasAttributes: false })
      .where('spans.id', '>=', from)
      .where('spans.id', '<', from + ROWS_A_STATEMENT)
      .execute();
    for (const row of part) rows.push(row);
    await giveWay();
  }
  const readAttributes: ReadPiece = (from, below) =>
    selectNarrowRows(db, { columns: [], hasAttributes: true })
      .where('spans.id', '>=', firstRowId + from)
      .where('spans.id', '<', firstRowId + below)
      .execute();
  const chunks: Chunk[] = [];
  for await (const chunk of packRows(rows, readPieces(endRowId - firstRowId, readAttributes))) {
    if (chunk !== undefined) chunks.push(chunk);
    await giveWay();
  }
  const { user, system } = process.threadCpuUsage(cpuBefore);
  return {
    head: { segment, build: head.build, ...describe(rows) },
    chunks,
    changes: changes.map(({ span_row_id, version }) => [span_row_id, version]),
    cpuSeconds: (user + system) / 1e6,
  };
}

const ROWS_A_STATEMENT = MAX_BATCH_ROWS / 4;

/** What building takes: rows without their attributes, and the attributes as they are gathered, which is bounded. */
async function measureSegment(
  db: Kysely<Tables>,
  { firstRowId, endRowId }: { readonly firstRowId: number; readonly endRowId: number },
): Promise<number> {
  const { bytes } = await db
    .selectFrom('spans')
    .select(sql<number | null>`sum(octet_length(attributes))`.as('bytes'))
    .where('id', '>=', firstRowId)
    .where('id', '<', endRowId)
    .executeTakeFirstOrThrow();
  return ROWS_BYTES + MEMORY_A_BYTE * Math.min(Number(bytes ?? 0), MAX_TEXT_LENGTH);
}

/** Of all rows of a segment. */
const ROWS_BYTES = 2 * 1024 * 1024;

/** What a byte of attributes takes: as text, and packed. */
const MEMORY_A_BYTE = 2;

const KEPT_NUMBERS = NUMBER_COLUMNS.filter((column) => DERIVED_COLUMNS[column] === undefined);
const KEPT_COLUMNS = [...KEPT_NUMBERS, ...TEXT_COLUMNS];

function describe(rows: readonly NarrowRow[]): Omit<SegmentHead, 'segment' | 'build'> {
  let minStartUs = Infinity;
  let maxStartUs = -Infinity;
  const projects = new Set<number>();
  for (const row of rows) {
    const startUs = numberOf(row, 'start_us');
    minStartUs = Math.min(minStartUs, startUs);
    maxStartUs = Math.max(maxStartUs, startUs);
    projects.add(numberOf(row, 'project_id'));
  }
  const isEmpty = rows.length === 0;
  return {
    rowCount: rows.length,
    minStartUs: isEmpty ? null : minStartUs,
    maxStartUs: isEmpty ? null : maxStartUs,
    projectRowIds: projects.size > MAX_PROJECTS_LISTED ? null : [...projects],
  };
}

const MAX_PROJECTS_LISTED = 256;

function numberOf(row: NarrowRow, column: NumberColumn): number {
  return row[column] ?? NaN;
}

/** The chunks one by one, so that others can be answered between two of them. */
async function* packRows(
  rows: readonly NarrowRow[],
  pieces: AsyncIterable<readonly NarrowRow[]>,
): AsyncGenerator<Chunk | undefined> {
  if (rows.length === 0) return;
  const batch = new RowBatch(rows);
  if (rows.length < MAX_BATCH_ROWS) yield packNumbers(CHUNKS.rowIds, batch.rowIds);
  for (const column of KEPT_NUMBERS) yield packNumbers(column, batch.numbers(column));
  for (const column of TEXT_COLUMNS) yield packTexts(column, batch.texts(column));
  yield packOrphans(
    rows.flatMap((row, place) =>
      // One that names itself never has a parent.
      row.parent_state === PARENT_STATES.missing && row.parent_span_id !== row.span_id
        ? [{ row: place, traceRowId: numberOf(row, 'trace_row_id'), parentSpanId: row.parent_span_id ?? '' }]
        : [],
    ),
  );
  const collector = new AttributeCollector(rows.length);
  const places = new Map(rows.map(({ id }, place) => [id, place]));
  for await (const piece of pieces) {
    for (const [index, { id, attributes, omitted_attributes, attributes_cut }] of piece.entries()) {
      const place = places.get(id);
      if (place !== undefined) {
        collector.add(place, attributes ?? '{}', omitted_attributes ?? null, attributes_cut === 1);
      }
      if (index % ROWS_A_TURN === 0) yield undefined;
    }
  }
  const attributes = collector.attributes();
  const { own, shared, cutRows } = share(attributes);
  for (const row of cutRows) collector.hidden.cut.add(row);
  for (const { path, column } of own) {
    yield packAttribute(path, withHidden(collector.hidden, path, column));
  }
  yield packSparse(shared);
  yield packHidden(collector.hidden);
  yield packPaths(countPaths(rows, attributes, collector.hidden));
}

const ROWS_A_TURN = 256;

/** Which attributes have a chunk of their own, and which share one; the last may cut rows. */
function share(attributes: readonly CollectedAttribute[]) {
  const own: CollectedAttribute[] = [];
  const shared: SparseAttribute[] = [];
  const cutRows: number[] = [];
  let valueCount = 0;
  for (const attribute of attributes) {
    const { path, rows, column } = attribute;
    if (own.length < MAX_OWN_CHUNKS && rows.length >= MIN_ROWS_OF_OWN) own.push(attribute);
    else if (valueCount + rows.length > MAX_SHARED_VALUES) cutRows.push(...rows);
    else {
      valueCount += rows.length;
      shared.push({ path, rows, values: rows.map((row) => column.values[column.codes[row] as number] as never) });
    }
  }
  return { own, shared, cutRows };
}

const MAX_OWN_CHUNKS = 256;
const MIN_ROWS_OF_OWN = 16;
const MAX_SHARED_VALUES = 64 * 1024;

/** Attributes of most rows, long texts included, of each project. */
function countPaths(
  rows: readonly NarrowRow[],
  attributes: readonly CollectedAttribute[],
  hidden: HiddenAttributes,
): readonly AttributePathCount[] {
  const projectOf = rows.map((row) => numberOf(row, 'project_id'));
  const omitted = [...hidden.omitted].filter(([entry]) => !entry.endsWith('.'));
  const found = [
    ...attributes.map(({ path, rows: held }) => ({ path, held })),
    ...omitted.map(([path, set]) => ({ path, held: [...set.toRows()] })),
  ];
  const counts: AttributePathCount[] = [];
  for (const { path, held } of found.sort((a, b) => b.held.length - a.held.length)) {
    const byProject = Map.groupBy(held, (row) => projectOf[row] as number);
    for (const [projectRowId, ofProject] of byProject) counts.push({ path, projectRowId, rowCount: ofProject.length });
    if (counts.length >= MAX_PATHS_COUNTED) break;
  }
  return counts;
}

const MAX_PATHS_COUNTED = 1024;
