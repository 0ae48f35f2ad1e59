/** What a database holds and what waits in it, on any engine. */
import { type Kysely, sql } from 'kysely';
import { findDueSegments } from '../columns/due-segments.ts';
import type { Tables } from '../schema/tables.ts';
import { pendingCount, readSearchProgress } from '../texts/progress.ts';

/** Numbers of what is stored. */
export interface ContentCounts {
  readonly projects: number;
  readonly sessions: number;
  readonly traces: number;
  readonly spans: number;
  readonly logRecords: number;
}

/** Numbers of what the work in the background has before it. */
export interface Backlog {
  /** Spans that searches do not see yet. */
  readonly searchSpans: number;
  /** Spans that no search can see, because they could not be read. */
  readonly searchFailures: number;
  /** Spans that wait for columns. */
  readonly columnSpans: number;
  /** Blocks that may be packed together with others. */
  readonly compactionBlocks: number;
  /** Deletions that are not finished. */
  readonly deletions: number;
  /** Passes over stored spans that are not finished. */
  readonly passes: number;
}

/** Both. */
export interface Contents {
  readonly counts: ContentCounts;
  readonly backlog: Backlog;
}

/** Counts; reads an index of each table. */
export async function readContents(db: Kysely<Tables>): Promise<Contents> {
  const count = (table: keyof Tables, condition = sql`1 = 1`) => countRows(db, table, condition);
  const search = await readSearchProgress(db);
  const unfinished = sql`finished_at_us IS NULL`;
  return {
    counts: {
      projects: await count('projects'),
      sessions: await count('sessions'),
      traces: await count('traces'),
      spans: await count('spans'),
      logRecords: await count('log_records'),
    },
    backlog: {
      searchSpans: pendingCount(search),
      searchFailures: search.failedCount,
      columnSpans: (await findDueSegments(db)).rowCount,
      compactionBlocks: await count('compaction_queue'),
      deletions: await count('deletions', unfinished),
      passes: await count('jobs', sql`kind IN ('reindex', 'repricing') AND finished_at_us IS NULL`),
    },
  };
}

async function countRows(
  db: Kysely<Tables>,
  table: keyof Tables,
  condition: ReturnType<typeof sql<unknown>>,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM ${sql.table(table)} WHERE ${condition}`.execute(db);
  return rows[0]?.count ?? 0;
}
