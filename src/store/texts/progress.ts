/** How far the search index has come. Spans are indexed in order of arrival; those that change later are queued by triggers. */
import type { Kysely } from 'kysely';
import { TOKENIZER_VERSION } from '#derive/search/tokenizer';
import type { Tables } from '../schema/tables.ts';

/** What is done and what is not. */
export interface SearchProgress {
  /** Spans before it are indexed, apart from those that wait to be indexed again. */
  readonly nextRowId: number;
  /** Where the next span that arrives will be. */
  readonly endRowId: number;
  /** Spans that changed or were deleted, and wait. */
  readonly queuedCount: number;
  /** What of a pass over everything that is indexed is left, from one row id to another, exclusive; `null` for none. */
  readonly rebuild: { readonly nextRowId: number; readonly endRowId: number } | null;
  /** Spans that could not be read, and are not found. */
  readonly failedCount: number;
  /** Grows whenever something that was indexed changes, or goes. */
  readonly changeCount: number;
  /** The number of the next segment. */
  readonly nextSegment: number;
}

/** Spans that wait, which is what a search does not see yet. */
export function pendingCount({ nextRowId, endRowId, queuedCount }: SearchProgress): number {
  return endRowId - nextRowId + queuedCount;
}

/** The state of things. Index: primary keys. */
export async function readSearchProgress(db: Kysely<Tables>): Promise<SearchProgress> {
  const row = await db.selectFrom('search_progress').selectAll().executeTakeFirstOrThrow();
  const next = await db
    .selectFrom('row_ids')
    .select('next_id')
    .where('table_name', '=', 'spans')
    .executeTakeFirstOrThrow();
  const queue = db.selectFrom('search_queue').select('id').limit(1);
  const first = await queue.orderBy('id').executeTakeFirst();
  const last = await queue.orderBy('id', 'desc').executeTakeFirst();
  const { rebuild_next_span_row_id: nextRowId, rebuild_end_span_row_id: endRowId } = row;
  return {
    nextRowId: row.next_span_row_id,
    endRowId: next.next_id,
    queuedCount: first === undefined || last === undefined ? 0 : last.id - first.id + 1,
    rebuild: nextRowId === null || endRowId === null ? null : { nextRowId, endRowId },
    failedCount: row.failed_count,
    changeCount: row.change_count,
    nextSegment: row.next_segment_number,
  };
}

/** The count alone. Index: the primary key. */
export async function readChangeCount(db: Kysely<Tables>): Promise<number> {
  return (await db.selectFrom('search_progress').select('change_count').executeTakeFirstOrThrow()).change_count;
}

/** Starts to verify all parts of the index and to index all spans again; a rebuild that is under way continues. */
export async function startSearchRebuild(db: Kysely<Tables>): Promise<SearchProgress> {
  await db
    .insertInto('search_suspect_parts')
    .columns(['part'])
    // SQLite wants a condition before ON CONFLICT.
    .expression(db.selectFrom('search_segments').select('part').distinct().where('number', '>', 0))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const progress = await readSearchProgress(db);
  if (progress.rebuild !== null) return progress;
  await setRebuild(db, progress.nextRowId);
  return readSearchProgress(db);
}

/** Has a part of the index verified, and mended where it is damaged. */
export async function suspectPart(db: Kysely<Tables>, part: number): Promise<void> {
  await db
    .insertInto('search_suspect_parts')
    .values({ part })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** To be called once at a start: what was indexed by other words is indexed anew. */
export async function noteTokenizer(db: Kysely<Tables>): Promise<void> {
  const row = await db
    .selectFrom('search_progress')
    .select(['tokenizer_version', 'next_span_row_id'])
    .executeTakeFirstOrThrow();
  if (row.tokenizer_version === TOKENIZER_VERSION) return;
  await db.updateTable('search_progress').set({ tokenizer_version: TOKENIZER_VERSION }).execute();
  await setRebuild(db, row.next_span_row_id);
}

async function setRebuild(db: Kysely<Tables>, endRowId: number): Promise<void> {
  const first = await db
    .selectFrom('search_spans')
    .select('span_row_id')
    .orderBy('span_row_id')
    .limit(1)
    .executeTakeFirst();
  const nextRowId = first?.span_row_id ?? endRowId;
  await db
    .updateTable('search_progress')
    .set(
      nextRowId >= endRowId
        ? { rebuild_next_span_row_id: null, rebuild_end_span_row_id: null }
        : { rebuild_next_span_row_id: nextRowId, rebuild_end_span_row_id: endRowId, failed_count: 0 },
    )
    .execute();
}
