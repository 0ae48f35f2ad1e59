/**
 * Reads a segment: its chunks, which of its rows changed since, and those as they are now. Each is a statement of its own;
 * that the segment was not built again in between is seen by the number of times it was.
 */
import { storableText } from '#normalize/text';
import { prepareQuery, type QueryScope } from '../queries/prepared-query.ts';
import type { BatchOptions, BatchScope } from './batch.ts';
import type { ChunkReader } from './chunk-reader.ts';
import type { ReusedArrays } from './codec/reused-arrays.ts';
import { attributeChunk, CHUNKS, DERIVED_COLUMNS, type Orphan, unpackOrphans } from './segment-chunks.ts';
import { openChunk } from './sealed-chunks.ts';
import { type Chunks, SegmentBatch } from './segment-batch.ts';
import type { ScreenInUse } from './segment-screen.ts';
import { readHeads, rowIdsOf, type SegmentHead } from './segments.ts';

/** A segment as it was read. */
export interface ReadSegment {
  readonly head: SegmentHead;
  /** `null` where none of its rows is wanted, but for those that changed. */
  readonly chunks: Chunks | null;
  /** Rows that are to be read from their table, if they are still there. */
  readonly changedRowIds: readonly number[];
  /** Places of rows whose parent has come. */
  readonly adopted: readonly number[];
}

/** What is read of segments. */
export type ReadOptions = Pick<BatchOptions, 'columns' | 'attributes'> & { readonly screen?: ScreenInUse | undefined };

/** What segments are read with. */
export interface SegmentScope extends QueryScope {
  readonly chunks: ChunkReader;
  /** Hold the columns of batches. */
  readonly arrays: ReusedArrays;
}

/** Reads a segment; `undefined` where it cannot be read now, but its rows can. Index: primary keys. */
export async function readSegment(
  scope: SegmentScope,
  known: SegmentHead,
  which: BatchScope,
  options: ReadOptions,
  { hasChanges, ...needs }: SegmentNeeds & { readonly hasChanges: boolean },
): Promise<ReadSegment | undefined> {
  let head = known;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const chunks = needs.isSegmentRead ? await readWanted(scope, head, which, options, needs.hasUnlisted) : null;
    if (chunks === 'damaged') return undefined;
    const changedRowIds = chunks !== undefined && hasChanges ? await readChanges(scope, head) : [];
    if (chunks === undefined || changedRowIds === undefined) {
      const now = await readHead(scope, head.segment);
      if (now === undefined) return undefined;
      head = now;
      continue;
    }
    const isAdopting = chunks !== null && options.columns.includes('parent_state');
    return { head, chunks, changedRowIds, adopted: isAdopting ? await findAdopted(scope, chunks) : [] };
  }
  return undefined;
}

interface SegmentNeeds {
  readonly hasUnlisted: boolean;
  /** Whether rows that did not change are wanted. */
  readonly isSegmentRead: boolean;
}

/** The chunks; `null` where the screen says that none of the rows is wanted, `undefined` where the segment was built again. */
async function readWanted(
  scope: SegmentScope,
  head: SegmentHead,
  which: BatchScope,
  options: ReadOptions,
  hasUnlisted: boolean,
): Promise<Chunks | 'damaged' | null | undefined> {
  const names = chunksNeeded(head, which, options, hasUnlisted);
  const { screen: inUse } = options;
  const said = inUse?.recall(head);
  if (said === false) return null;
  if (inUse === undefined || said === true || !inUse.isWorthwhile) {
    const isAlike = (other: SegmentHead) =>
      (inUse === undefined || (inUse.known(other) ?? !inUse.isWorthwhile)) &&
      isMixed(other, which) === isMixed(head, which) &&
      reachesOut(other, which) === reachesOut(head, which);
    return readChunks(scope, head, { names, attributes: options.attributes, isAlike });
  }
  const { columns, attributes } = inUse.screen;
  const isUnknown = (other: SegmentHead) => inUse.known(other) === undefined;
  const screened = { names: namesOf({ columns, attributes }), attributes, isAlike: isUnknown };
  const first = await readChunks(scope, head, screened);
  if (first === undefined || first === 'damaged') return first;
  const rows = { rowCount: head.rowCount, firstRowId: rowIdsOf(head.segment).firstRowId, adopted: [] };
  if (!inUse.ask(head, new SegmentBatch(first, rows, scope.arrays))) return null;
  const others = await readChunks(scope, head, {
    names: names.filter((name) => !first.has(name)),
    attributes: options.attributes.filter((path) => !attributes.includes(path)),
    isAlike: () => false,
  });
  return others === undefined || others === 'damaged' ? others : new Map([...first, ...others]);
}

/** A segment is built again at most every few seconds. */
const MAX_ATTEMPTS = 3;

/** Whether rows of other projects, or of other times, are among those of the segment. All are, where they were moved meanwhile. */
export function isMixed({ projectRowIds }: SegmentHead, { projectRowId }: BatchScope): boolean {
  return projectRowIds?.every((one) => one === projectRowId) !== true;
}

/** See {@link isMixed}. */
export function reachesOut({ minStartUs, maxStartUs }: SegmentHead, { startTimeUs, endTimeUs }: BatchScope): boolean {
  return (minStartUs ?? 0) < (startTimeUs ?? -Infinity) || (maxStartUs ?? 0) >= (endTimeUs ?? Infinity);
}

function chunksNeeded(
  head: SegmentHead,
  which: BatchScope,
  options: ReadOptions,
  hasUnlisted: boolean,
): readonly string[] {
  const names = [CHUNKS.rowIds, ...namesOf(options)];
  if (options.columns.includes('parent_state')) names.push(CHUNKS.orphans);
  if (isMixed(head, which)) names.push('project_id');
  if (reachesOut(head, which)) names.push('start_us');
  if (hasUnlisted) names.push('trace_row_id');
  return [...new Set(names)];
}

/** The chunks of columns and attributes. */
function namesOf({ columns, attributes }: Pick<BatchOptions, 'columns' | 'attributes'>): readonly string[] {
  const ofColumns = columns.flatMap((column) => {
    const derived = column in DERIVED_COLUMNS ? DERIVED_COLUMNS[column as keyof typeof DERIVED_COLUMNS] : undefined;
    return derived?.from ?? [column];
  });
  return [...ofColumns, ...attributes.map(attributeChunk)];
}

/** Chunks to be read of a segment. */
interface WantedChunks {
  readonly names: readonly string[];
  /** Of the attributes whose chunks are among them. */
  readonly attributes: readonly string[];
  /** Whether another segment is likely to be asked for the same. */
  readonly isAlike: (head: SegmentHead) => boolean;
}

/** The chunks with those that attributes without one of their own may be in; `undefined` where the segment was built again, or that one is damaged. */
async function readChunks(
  scope: SegmentScope,
  { segment, build }: SegmentHead,
  { names, attributes, isAlike }: WantedChunks,
): Promise<Chunks | 'damaged' | undefined> {
  // A caller may name what no row can hold.
  let rows = await scope.chunks.read(segment, JSON.stringify(names.map(storableText)), isAlike);
  const own = new Set(rows.map(({ name }) => name));
  if (!attributes.every((path) => own.has(attributeChunk(path)))) {
    rows = [...rows, ...(await scope.chunks.read(segment, SHARED_CHUNKS, isAlike))];
  }
  // Columns that no row has are not there, and do not say of which build they are.
  const isOfBuild =
    rows.length === 0 ? (await readHead(scope, segment))?.build === build : rows.every((row) => row.build === build);
  if (!isOfBuild) return undefined;
  const chunks = new Map<string, Uint8Array>();
  for (const row of rows) {
    const data = openChunk(row);
    if (data === undefined) return 'damaged';
    chunks.set(row.name, data);
  }
  return chunks;
}

const SHARED_CHUNKS = JSON.stringify([CHUNKS.sparse, CHUNKS.hidden]);

async function readHead(scope: QueryScope, segment: number): Promise<SegmentHead | undefined> {
  return (await readHeads(scope.db, segment, segment))[0];
}

/** `undefined` where the segment was built again. */
async function readChanges(scope: QueryScope, { segment, build }: SegmentHead): Promise<readonly number[] | undefined> {
  const rows = await selectChanges(scope, { segment, ...rowIdsOf(segment) });
  if (rows[0]?.build !== build) return undefined;
  return rows.flatMap(({ span_row_id }) => span_row_id ?? []);
}

const selectChanges = prepareQuery(
  ({ db }, values: { readonly segment: number; readonly firstRowId: number; readonly endRowId: number }) =>
    db
      .selectFrom('span_segments as head')
      .leftJoin('span_segment_changes as change', (join) =>
        join.on('change.span_row_id', '>=', values.firstRowId).on('change.span_row_id', '<', values.endRowId),
      )
      .select(['head.build', 'change.span_row_id'])
      .where('head.segment', '=', values.segment),
);

/** Of the rows whose parent was missing, those whose parent is there now. Index: spans_by_identity. */
async function findAdopted(scope: QueryScope, chunks: Chunks): Promise<readonly number[]> {
  const orphans = unpackOrphans(chunks.get(CHUNKS.orphans));
  if (orphans.length === 0) return [];
  const places = new Map<string, Orphan[]>();
  for (const orphan of orphans) {
    const key = JSON.stringify([orphan.traceRowId, orphan.parentSpanId]);
    const known = places.get(key);
    if (known === undefined) places.set(key, [orphan]);
    else known.push(orphan);
  }
  const found = await selectStored(scope, { parents: `[${[...places.keys()].join(',')}]` });
  return found.flatMap(
    ({ trace_row_id, span_id }) => places.get(JSON.stringify([trace_row_id, span_id]))?.map(({ row }) => row) ?? [],
  );
}

const selectStored = prepareQuery(({ db, dialect }, values: { readonly parents: string }) =>
  db
    .selectFrom(dialect.tuplesOfJson(values.parents, { trace_row_id: 'number', span_id: 'text' }).as('parent') as never)
    .innerJoin('spans', (join) =>
      join
        .onRef('spans.trace_row_id', '=', 'parent.trace_row_id' as never)
        .onRef('spans.span_id', '=', 'parent.span_id' as never),
    )
    .select(['spans.trace_row_id', 'spans.span_id']),
);
