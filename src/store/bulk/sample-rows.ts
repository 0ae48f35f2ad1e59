/** Which rows of a bulk action are in its sample. Chance is the same each time, so that a repeated step chooses the same rows. */
import { isSampled, rankInSample } from '#domain/sample';
import { readItems } from '../jobs/job-items.ts';
import type { QueryScope } from '../queries/prepared-query.ts';
import type { BulkDeed, BulkJob } from './bulk-action.ts';

/** What chooses rows by chance; nothing where all are meant. */
interface Sampling {
  readonly share?: (rowId: number) => boolean;
  readonly count?: number;
  /** Rows with the lowest are wanted. */
  readonly rank: (rowId: number) => number;
}

function samplingOf(deed: BulkDeed): Sampling | null {
  if (deed.kind !== 'queue' || deed.sample === null) return null;
  const { queueRowId, sample } = deed;
  const rank = (rowId: number) => rankInSample(queueRowId, rowId);
  if ('count' in sample) return { count: sample.count, rank };
  return { share: (rowId) => isSampled(queueRowId, rowId, sample.percent), rank };
}

/** Whether there are more rows than the action wants, so that some are to be chosen when all are known. */
export function areTooMany(deed: BulkDeed, rowCount: number): boolean {
  return rowCount > (samplingOf(deed)?.count ?? Infinity);
}

/** Those of the rows that are in the share that is wanted; all of them where none is asked for. */
export function shareOf(deed: BulkDeed, rowIds: readonly number[]): readonly number[] {
  const isIn = samplingOf(deed)?.share;
  return isIn === undefined ? rowIds : rowIds.filter(isIn);
}

/** Those of rows that were named, of which there are few. */
export function sampleNamed(deed: BulkDeed, rowIds: readonly number[]): readonly number[] {
  const share = shareOf(deed, rowIds);
  const { rank, count } = samplingOf(deed) ?? {};
  if (rank === undefined || count === undefined) return share;
  return share.toSorted((a, b) => rank(a) - rank(b)).slice(0, count);
}

/** The highest rank that is wanted of the rows that a job has noted, which are too many. Keeps a number for each of them. */
export async function findLastRank(scope: Pick<QueryScope, 'db'>, { id, input, progress }: BulkJob): Promise<number> {
  const { rank, count } = samplingOf(input) ?? {};
  if (rank === undefined || count === undefined) throw new Error('all rows of this action are wanted');
  const ranks = new Float64Array(progress.notedCount);
  let place = 0;
  let afterRowId = 0;
  while (place < ranks.length) {
    const rowIds = await readItems(scope, id, ROWS_A_READ, afterRowId);
    if (rowIds.length === 0) break;
    for (const rowId of rowIds) ranks[place++] = rank(rowId);
    afterRowId = rowIds.at(-1) ?? 0;
  }
  return ranks.subarray(0, place).sort()[count - 1] ?? Number.MAX_SAFE_INTEGER;
}

const ROWS_A_READ = 10_000;

/** Those of the rows that have a higher rank. */
export function toTakeOut(deed: BulkDeed, rowIds: readonly number[], lastRank: number): readonly number[] {
  const { rank } = samplingOf(deed) ?? {};
  return rank === undefined ? [] : rowIds.filter((rowId) => rank(rowId) > lastRank);
}
