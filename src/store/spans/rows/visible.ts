/**
 * What of the stored rows may be shown. A trace whose project is gone is deleted, although it is not erased yet; the spans
 * of an unlisted trace are deleted too, or on their way to another project.
 */
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { notePageDamage } from '../../engine/damage.ts';
import { isDamage } from '../../engine/storage-error.ts';
import { prepareQuery, type QueryScope, queryScopeOf } from '../../queries/prepared-query.ts';
import type { Tables } from '../../schema/tables.ts';
import { findUnlistedTraces } from './unlisted-traces.ts';

/** Whether the row of the table is of a project that there is. Index: the primary key. */
export function isInProject(table: 'traces' | 'sessions'): RawBuilder<SqlBool> {
  return sql<SqlBool>`EXISTS (SELECT 1 FROM projects WHERE projects.id = ${sql.ref(`${table}.project_id`)})`;
}

/** The same of a row of `spans`, by its trace. Index: primary keys. */
export const isSpanInProject = sql<SqlBool>`EXISTS (SELECT 1 FROM traces JOIN projects ON projects.id = traces.project_id
  WHERE traces.id = spans.trace_row_id)`;

/** Whether a row of `log_records` is shown: with its span, else with its trace, or else with its project. Index: primary keys, unique trace_id. */
export const isRecordKept = sql<SqlBool>`EXISTS (SELECT 1 FROM projects WHERE projects.id = coalesce(
  (SELECT traces.project_id FROM spans JOIN traces ON traces.id = spans.trace_row_id
    WHERE spans.id = log_records.span_row_id),
  (SELECT traces.project_id FROM traces WHERE traces.trace_id = log_records.trace_id),
  log_records.project_id))`;

/** What must be asked of spans in a list by project, lest deleted ones are in it; `null` where nothing must, which is nearly always. */
export type ListedOnly = keyof typeof LISTED_CONDITIONS | null;

/** Whether there are unlisted traces: without any, lists are read as if there were no such thing. */
export function readListedOnly({ db, dialect }: Pick<QueryScope, 'db' | 'dialect'>): Promise<ListedOnly> {
  return besideDamage<ListedOnly>(
    async () => ((await selectUnlisted(queryScopeOf({ db, dialect }), {})).length === 0 ? null : 'not unlisted'),
    async () => 'where its trace is',
  );
}

const selectUnlisted = prepareQuery(({ db }) => db.selectFrom('unlisted_traces').select('trace_row_id').limit(1));

/** The condition on a row of `spans`. */
export function isListed(only: Exclude<ListedOnly, null>): RawBuilder<SqlBool> {
  return LISTED_CONDITIONS[only];
}

/** Row ids of all unlisted traces, for readers that do not ask the database span by span. */
export function readUnlistedTraces(db: Kysely<Tables>): Promise<ReadonlySet<number>> {
  return besideDamage(
    async () => {
      const rows = await db.selectFrom('unlisted_traces').select('trace_row_id').execute();
      return new Set(rows.map((row) => row.trace_row_id));
    },
    () => findUnlistedTraces(db),
  );
}

const LISTED_CONDITIONS = {
  'not unlisted': sql<SqlBool>`spans.trace_row_id NOT IN (SELECT trace_row_id FROM unlisted_traces)`,
  /** The project of a trace that is hidden, or has been moved, is not that of its spans. Index: the primary key. */
  'where its trace is': sql<SqlBool>`EXISTS (SELECT 1 FROM traces
  WHERE traces.id = spans.trace_row_id AND traces.project_id = spans.project_id)`,
} as const;

async function besideDamage<T>(read: () => Promise<T>, otherwise: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!isDamage(error)) throw error;
    // Noted damage has the table made again.
    notePageDamage('The table unlisted_traces', error);
    return otherwise();
  }
}
