/** Which segments are to be built, found out in a reader's thread. */
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../schema/tables.ts';
import { MAX_BATCH_ROWS } from './batch.ts';
import { SEGMENT_FORMAT } from './segment-chunks.ts';
import { readNextRowId, segmentOf } from './segments.ts';

/** A segment with rows that changed since it was built. */
export interface ChangedSegment {
  readonly segment: number;
  /** Another one whenever another row changes, or one does again. */
  readonly state: string;
}

/** What there is to do. */
export interface DueSegments {
  /** Whether row ids were given out of segments that have no head. */
  readonly isAnyUnopened: boolean;
  /** To be built, a bounded number, newest first. */
  readonly due: readonly number[];
  /** A bounded number. */
  readonly changed: readonly ChangedSegment[];
  /**
   * Spans that wait for columns: those of full segments without any, and those that changed. Spans of the newest segment wait for
   * nothing until it is full.
   */
  readonly rowCount: number;
}

/** Looks for work, without the segments that are left out for now. Index: primary keys. */
export async function findDueSegments(db: Kysely<Tables>, leftOut: readonly number[] = []): Promise<DueSegments> {
  const heads = await db
    .selectFrom('span_segments')
    .select(['segment', 'build', 'format'])
    .where((head) => head.or([head('is_due', '=', 1), head('format', '<>', SEGMENT_FORMAT)]))
    .orderBy('segment', 'desc')
    .execute();
  const last = await db
    .selectFrom('span_segments')
    .select('segment')
    .orderBy('segment', 'desc')
    .limit(1)
    .executeTakeFirst();
  const nextRowId = await readNextRowId(db);
  const changed = await findChanged(db);
  const due = heads.map(({ segment }) => segment);
  const unreadable = heads.filter(({ build, format }) => build === 0 || format !== SEGMENT_FORMAT);
  const opened = (last?.segment ?? -1) + 1;
  const isDue = new Set(due);
  const isLeftOut = new Set(leftOut);
  return {
    isAnyUnopened: segmentOf(nextRowId) > opened,
    due: due.filter((segment) => !isLeftOut.has(segment)).slice(0, SEGMENTS_A_LOOK),
    changed: changed
      .filter(({ segment }) => !isDue.has(segment) && !isLeftOut.has(segment))
      .map(({ segment, state }) => ({ segment, state })),
    rowCount:
      // No row has the id 0.
      Math.max(segmentOf(nextRowId) * MAX_BATCH_ROWS - Math.max(opened * MAX_BATCH_ROWS, 1), 0) +
      unreadable.length * MAX_BATCH_ROWS +
      changed.reduce((sum, { rows }) => sum + rows, 0),
  };
}

async function findChanged(db: Kysely<Tables>) {
  const { rows } = await sql<{ segment: number; rows: number; versions: number }>`
    SELECT span_row_id >> 12 AS segment, count(*) AS rows, sum(version) AS versions
    FROM (SELECT span_row_id, version FROM span_segment_changes ORDER BY span_row_id LIMIT ${CHANGES_A_LOOK}) AS looked
    GROUP BY 1 ORDER BY 1`.execute(db);
  return rows.map(({ segment, rows: count, versions }) => ({ segment, rows: count, state: `${count} ${versions}` }));
}

const SEGMENTS_A_LOOK = 64;
const CHANGES_A_LOOK = 20_000;
