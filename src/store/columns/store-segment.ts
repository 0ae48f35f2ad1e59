/** Keeps segments, in the writer's thread. */
import { prepareQuery, type QueryScope } from '../queries/prepared-query.ts';
import type { SegmentPlan } from './build-segment.ts';
import { sealChunk } from './sealed-chunks.ts';
import { SEGMENT_FORMAT } from './segment-chunks.ts';
import { readNextRowId, rowIdsOf, segmentOf } from './segments.ts';
import type { BulkInsert } from '../schema/statements.ts';

/** What keeping segments works with; the handle is that of a transaction. */
export interface SegmentWriteScope extends QueryScope {
  readonly bulkInsert: BulkInsert;
}

/**
 * Gives a head to segments whose row ids are all given out; from then on changes of their rows are noted. Returns whether
 * there may be more.
 */
export async function openSegments(scope: SegmentWriteScope): Promise<boolean> {
  const { db, bulkInsert } = scope;
  const last = await db
    .selectFrom('span_segments')
    .select('segment')
    .orderBy('segment', 'desc')
    .limit(1)
    .executeTakeFirst();
  const first = (last?.segment ?? -1) + 1;
  const end = Math.min(segmentOf(await readNextRowId(db)), first + HEADS_A_TRANSACTION);
  const rows = Array.from({ length: Math.max(end - first, 0) }, (_, place) => ({
    segment: first + place,
    build: 0,
    format: SEGMENT_FORMAT,
    is_due: 1,
    row_count: 0,
    min_start_us: null,
    max_start_us: null,
    project_ids: null,
  }));
  if (rows.length > 0) await bulkInsert('span_segments', rows);
  return rows.length === HEADS_A_TRANSACTION;
}

/** A few milliseconds. */
const HEADS_A_TRANSACTION = 1024;

/** Stores a segment unless another was stored since it was read; says whether it did. */
export async function storeSegment(scope: SegmentWriteScope, { head, chunks, changes }: SegmentPlan): Promise<boolean> {
  const { db, bulkInsert } = scope;
  const { segment, build } = head;
  const stored = await db.selectFrom('span_segments').select('build').where('segment', '=', segment).executeTakeFirst();
  if (stored?.build !== build) return false;
  await deleteColumns(scope, { segment });
  await bulkInsert(
    'span_segment_columns',
    chunks.map((chunk) => ({ ...sealChunk({ segment, build: build + 1 }, chunk) })),
  );
  await db
    .updateTable('span_segments')
    .set({
      build: build + 1,
      format: SEGMENT_FORMAT,
      is_due: 0,
      row_count: head.rowCount,
      min_start_us: head.minStartUs,
      max_start_us: head.maxStartUs,
      project_ids: head.projectRowIds === null ? null : JSON.stringify(head.projectRowIds),
    })
    .where('segment', '=', segment)
    .execute();
  if (changes.length > 0) await forgetChanges(scope, { ...rowIdsOf(segment), changes: JSON.stringify(changes) });
  return true;
}

const deleteColumns = prepareQuery(({ db }, values: { readonly segment: number }) =>
  db.deleteFrom('span_segment_columns').where('segment', '=', values.segment),
);

/** What changed once more meanwhile has another version, and stays. */
const forgetChanges = prepareQuery(
  ({ db, dialect }, values: { readonly firstRowId: number; readonly endRowId: number; readonly changes: string }) =>
    db
      .deleteFrom('span_segment_changes')
      .where('span_row_id', '>=', values.firstRowId)
      .where('span_row_id', '<', values.endRowId)
      .where((row) =>
        row(
          row.refTuple('span_row_id', 'version'),
          'in',
          row
            .selectFrom(
              dialect.tuplesOfJson(values.changes, { row_id: 'number', version: 'number' }).as('known') as never,
            )
            .selectAll() as never,
        ),
      ),
);

/** Has one segment built again; until then, its readable parts are read. */
export async function markSegmentDue({ db }: QueryScope, segment: number): Promise<void> {
  await db.updateTable('span_segments').set({ is_due: 1 }).where('segment', '=', segment).execute();
}

/** Has all segments built again; until then, they are read as they are. */
export async function markSegmentsDue({ db }: QueryScope): Promise<void> {
  await db.updateTable('span_segments').set({ is_due: 1 }).execute();
}
