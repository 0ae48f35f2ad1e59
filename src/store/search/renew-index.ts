/** What makes the search index work again after pages of its own tables were damaged: everything in it can be made again from the spans. */
import { AppError } from '#base/errors';
import { TOKENIZER_VERSION } from '#derive/search/tokenizer';
import type { ReadEngine, WriteEngine } from '../engine/engine.ts';
import { isDamage } from '../engine/storage-error.ts';

const TABLES = [
  'search_leaves',
  'search_parts',
  'search_progress',
  'search_queue',
  'search_segments',
  'search_spans',
  'search_suspect_parts',
] as const;

/** A table of the search index. */
export type SearchTable = (typeof TABLES)[number];

/** Tables of the index that have damaged pages, as far as the engine can tell. Reads all of them. */
export function findDamagedSearchTables(find: ReadEngine['findDamagedTables']): readonly SearchTable[] {
  const damaged = find?.(TABLES) ?? [];
  return TABLES.filter((table) => damaged.includes(table));
}

/** Empties the index, so that it is filled again from the first span on; the damaged tables are replaced. */
export async function renewSearchIndex(
  { db }: Pick<WriteEngine, 'db'>,
  replaceTables: NonNullable<WriteEngine['replaceTables']>,
  damaged: readonly SearchTable[],
): Promise<void> {
  const isReadable = !damaged.includes('search_progress');
  const before = isReadable ? await db.selectFrom('search_progress').selectAll().executeTakeFirst() : undefined;
  replaceTables(damaged);
  for (const table of TABLES) if (!damaged.includes(table)) await db.deleteFrom(table).execute();
  // Later than all that was, whatever it was.
  const nowMs = Date.now();
  await db
    .insertInto('search_progress')
    .values({
      id: 1,
      tokenizer_version: TOKENIZER_VERSION,
      next_span_row_id: 1,
      rebuild_next_span_row_id: null,
      rebuild_end_span_row_id: null,
      failed_count: 0,
      change_count: Math.max(nowMs, before?.change_count ?? 0) + 1,
      next_segment_number: Math.max(nowMs, before?.next_segment_number ?? 0) + 1,
    })
    .execute();
}

/** Who looks for damaged tables, and replaces them. */
export interface IndexRenewal {
  readonly findDamaged: () => Promise<readonly SearchTable[]>;
  readonly renew: (damaged: readonly SearchTable[]) => Promise<unknown>;
  readonly nowMs: () => number;
}

/**
 * Runs steps of indexing. Where one meets damage, tables of the index that are damaged are replaced, and the next step begins with the first
 * span.
 */
export function renewWhereDamaged({ findDamaged, renew, nowMs }: IndexRenewal) {
  let lookAtMs = -Infinity;
  return async <Result>(step: () => Promise<Result>): Promise<Result> => {
    try {
      return await step();
    } catch (error) {
      if (!isDamage(error) || nowMs() < lookAtMs) throw error;
      lookAtMs = nowMs() + LOOK_MS;
      const damaged = await findDamaged();
      if (damaged.length === 0) throw error;
      await renew(damaged);
      const message = `Tables of the search index were damaged (${damaged.join(', ')}): all spans are indexed again.`;
      throw new AppError('data_damaged', message, { cause: error });
    }
  };
}

/** Looking reads the whole index. */
const LOOK_MS = 600_000;
