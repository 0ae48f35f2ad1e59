/** Rows of sessions in an order, step by step. */
import { type SqlBool, sql } from 'kysely';
import type { Position } from '#domain/page';
import type { SessionScope, SessionTableSort } from '../../spans/browse-port.ts';
import { listAroundDamage } from '../../engine/list-around-damage.ts';
import { isInProject } from '../../spans/rows/visible.ts';
import type { ReadScope } from '../../spans/rows/read-scope.ts';
import type { SessionRow } from '../../spans/port.ts';
import { selectSessionRows, toSessionRow } from '../../spans/rows/session-rows.ts';
import type { Direction, Place } from '../place.ts';

/** A session as its row has it. */
export interface SessionStepRow extends SessionRow {
  readonly place: Position;
  /** Spans that failed. */
  readonly errorCount: number;
}

/** Which sessions, in which order; of all projects where none is named. */
export interface SessionSteps extends Omit<SessionScope, 'projectRowId' | 'condition'> {
  readonly projectRowId: number | undefined;
  readonly sort: SessionTableSort;
  readonly direction: Direction;
  /** Those alone, where they are few. */
  readonly rowIds?: readonly number[] | null | undefined;
}

const VALUES: Readonly<Record<SessionTableSort, string>> = {
  id: 'id',
  start_time: 'start_us',
  end_time: 'end_us',
  total_tokens: 'prompt_tokens + completion_tokens',
  trace_count: 'trace_count',
  cost: 'cost_nanousd',
};

/** So many rows after a place. Index: sessions_by_arrival, or the primary key over all projects or for rows that are named. */
export async function readSessionStep(
  { db, dialect }: ReadScope,
  { projectRowId, startTimeUs, endTimeUs, sort, direction, rowIds }: SessionSteps,
  after: Place | null,
  limit: number,
): Promise<readonly SessionStepRow[]> {
  const value = sql<number>`(${sql.raw(VALUES[sort])})`;
  const all = selectSessionRows(db).select(['error_count', value.as('value')]);
  let query = all;
  const project = rowIds == null ? sql.ref<number>('project_id') : dialect.unindexed('project_id');
  query = projectRowId === undefined ? query.where(isInProject('sessions')) : query.where(project, '=', projectRowId);
  if (rowIds != null) query = query.where('id', 'in', dialect.numbersOf(rowIds));
  if (startTimeUs !== undefined) query = query.where('end_us', '>=', startTimeUs);
  if (endTimeUs !== undefined) query = query.where('start_us', '<', endTimeUs);
  if (after !== null) {
    const beyond = sql.raw(direction === 'asc' ? '>' : '<');
    query = query.where(
      sort === 'id'
        ? sql<SqlBool>`id ${beyond} ${after.rowId}`
        : sql<SqlBool>`(${value}, id) ${beyond} (${after.value}, ${after.rowId})`,
    );
  }
  if (sort !== 'id') query = query.orderBy(value, direction);
  const ordered = query.orderBy('id', direction);
  const rows = await listAroundDamage('sessions', limit, {
    list: (count) => ordered.limit(count).execute(),
    ids: (count) => ordered.clearSelect().select('id').limit(count).execute(),
    rows: (ids) => all.where('id', 'in', dialect.numbersOf(ids)).execute(),
  });
  return rows.map((row) => ({
    ...toSessionRow(row),
    errorCount: row.error_count,
    place: { value: sort === 'id' ? null : row.value, rowId: row.id },
  }));
}

/** Sessions of a project by their row ids, in their order. Index: the primary key. */
export async function readSessionsById(
  { db, dialect }: ReadScope,
  projectRowId: number,
  rowIds: readonly number[],
): Promise<readonly SessionStepRow[]> {
  const rows = await selectSessionRows(db)
    .select('error_count')
    .where('id', 'in', dialect.numbersOf(rowIds))
    .where(dialect.unindexed('project_id'), '=', projectRowId)
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    ...toSessionRow(row),
    errorCount: row.error_count,
    place: { value: null, rowId: row.id },
  }));
}

/** How many sessions there are. Index: as {@link readSessionStep}. */
export async function countAllSessions(
  { db }: ReadScope,
  { projectRowId, startTimeUs, endTimeUs }: SessionSteps,
): Promise<number> {
  let query = db.selectFrom('sessions').select(sql<number>`count(*)`.as('count'));
  if (projectRowId !== undefined) query = query.where('project_id', '=', projectRowId);
  if (startTimeUs !== undefined) query = query.where('end_us', '>=', startTimeUs);
  if (endTimeUs !== undefined) query = query.where('start_us', '<', endTimeUs);
  return (await query.executeTakeFirst())?.count ?? 0;
}
