/** Tables that are made wholly from others: where one is damaged, they can be made again. */
import { type Kysely, sql } from 'kysely';
import { queueAllBlocks } from '../compaction/queue-all-blocks.ts';
import type { WriteEngine } from '../engine/engine.ts';
import { sumAgain } from '../projects/sum-again.ts';
import { continueRowIds } from '../queries/continue-row-ids.ts';
import { forgetRules } from '../reindex/state.ts';
import type { Tables } from '../schema/tables.ts';
import { beginSearchIndex } from '../search/begin-index.ts';
import { listUnlistedTraces } from '../spans/rows/unlisted-traces.ts';

/** Tables that belong together: where one is damaged, all are made again. */
interface DerivedTables {
  readonly tables: readonly (keyof Tables)[];
  /** What reads its own table before it fills it; the table stays as it is unless it is damaged. */
  readonly kept?: keyof Tables;
  /** Fills the empty tables, or leaves them to the job that keeps them. */
  readonly fill?: (db: Kysely<Tables>) => Promise<void>;
  /** What becomes of it, in a sentence. */
  readonly outcome: string;
}

const DERIVED: readonly DerivedTables[] = [
  {
    tables: ['unlisted_traces'],
    fill: listUnlistedTraces,
    outcome: 'Traces that are being deleted or moved were found again.',
  },
  {
    tables: [
      'search_leaves',
      'search_parts',
      'search_progress',
      'search_queue',
      'search_segments',
      'search_spans',
      'search_suspect_parts',
    ],
    kept: 'search_progress',
    fill: beginSearchIndex,
    outcome: 'All spans are indexed for search again.',
  },
  {
    tables: ['span_segments', 'span_segment_columns', 'span_segment_changes'],
    outcome: 'The columns of all spans are built again.',
  },
  {
    tables: ['span_sums', 'trace_sums', 'trace_latencies'],
    fill: sumAgain,
    outcome: 'The sums of projects were computed again.',
  },
  {
    tables: ['compaction_queue'],
    fill: queueAllBlocks,
    outcome: 'Blocks that are not full wait for compaction again.',
  },
  {
    tables: ['row_ids'],
    fill: continueRowIds,
    outcome: 'Row IDs continue behind the highest that is stored.',
  },
  {
    tables: ['normalizer_versions'],
    fill: forgetRules,
    outcome: 'The rules by which spans were read are unknown: `cairn reindex --normalise` reads all spans again.',
  },
];

/** Tables that a server reads before it is ready. */
export const READ_AT_START: readonly (keyof Tables)[] = [
  'normalizer_versions',
  'row_ids',
  'search_progress',
  'search_spans',
];

/** Their names. */
export const DERIVED_TABLES: readonly (keyof Tables)[] = DERIVED.flatMap(({ tables }) => tables);

/** Puts empty tables in the place of the damaged ones, and makes again what belongs to them; says what becomes of it. */
export async function renewDerived(
  { db, replaceTables }: Pick<WriteEngine, 'db' | 'replaceTables'>,
  damaged: readonly string[],
): Promise<string> {
  const groups = DERIVED.filter(({ tables }) => tables.some((table) => damaged.includes(table)));
  await db.transaction().execute(async (transaction) => {
    replaceTables?.(damaged);
    for (const { tables, kept, fill } of groups) {
      for (const table of tables) {
        if (table !== kept && !damaged.includes(table)) await sql`DELETE FROM ${sql.table(table)}`.execute(transaction);
      }
      await fill?.(transaction);
    }
  });
  const outcomes = groups.map(({ outcome }) => outcome);
  return `Tables that are made from others were damaged (${damaged.join(', ')}) and have been replaced. ${outcomes.join(' ')}`;
}
