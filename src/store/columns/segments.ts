/**
 * Segments: 4,096 consecutive row ids of spans each, kept column by column beside the rows. A segment has a head from when
 * all its ids are given out; from then on a trigger notes each of its rows that changes. Numbers of segments are row ids
 * divided by that.
 */
import type { Kysely } from 'kysely';
import type { Tables } from '../schema/tables.ts';
import { MAX_BATCH_ROWS } from './batch.ts';
import { SEGMENT_FORMAT } from './segment-chunks.ts';

/** The segment of a row. */
export function segmentOf(rowId: number): number {
  return Math.floor(rowId / MAX_BATCH_ROWS);
}

/** The row ids of a segment. */
export function rowIdsOf(segment: number): { readonly firstRowId: number; readonly endRowId: number } {
  return { firstRowId: segment * MAX_BATCH_ROWS, endRowId: (segment + 1) * MAX_BATCH_ROWS };
}

/** What is known of a segment without reading it; without the rows that changed since it was built. */
export interface SegmentHead {
  readonly segment: number;
  /** How often it was built. */
  readonly build: number;
  readonly rowCount: number;
  /** `null` where it has no rows. */
  readonly minStartUs: number | null;
  readonly maxStartUs: number | null;
  /** Projects of its rows; `null` for too many to list. */
  readonly projectRowIds: readonly number[] | null;
}

/** What a {@link SegmentHead} is made of. */
const HEAD_COLUMNS = ['segment', 'build', 'row_count', 'min_start_us', 'max_start_us', 'project_ids'] as const;

/** Heads of the segments from one to another, inclusive, that can be read. Index: the primary key. */
export async function readHeads(db: Kysely<Tables>, from: number, to: number): Promise<readonly SegmentHead[]> {
  const rows = await db
    .selectFrom('span_segments')
    .select(HEAD_COLUMNS)
    .where('segment', '>=', from)
    .where('segment', '<=', to)
    .where('build', '>', 0)
    .where('format', '=', SEGMENT_FORMAT)
    .execute();
  return rows.map(toHead);
}

function toHead(row: Pick<Tables['span_segments'], (typeof HEAD_COLUMNS)[number]>): SegmentHead {
  return {
    segment: row.segment,
    build: row.build,
    rowCount: row.row_count,
    minStartUs: row.min_start_us,
    maxStartUs: row.max_start_us,
    projectRowIds: row.project_ids === null ? null : (JSON.parse(row.project_ids) as number[]),
  };
}

/** The id that the next span will have; every one before is given out. */
export async function readNextRowId(db: Kysely<Tables>): Promise<number> {
  const row = await db
    .selectFrom('row_ids')
    .select('next_id')
    .where('table_name', '=', 'spans')
    .executeTakeFirstOrThrow();
  return row.next_id;
}
