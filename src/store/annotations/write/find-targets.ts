/** Targets of annotations by what senders call them. */
import { sql } from 'kysely';
import type { AnnotationTarget, TargetRef } from '#domain/annotation';
import { boundedText } from '#derive/bounded-text';
import type { RecordHandle } from '../../records/hooks.ts';
import { type LockedTarget, lockSessions, lockSpans, lockTraces } from '../../records/lock-targets.ts';
import { partOf, partsOfIndex } from '../../spans/rows/rows-by-otel-id.ts';
import { isInProject, isSpanInProject } from '../../spans/rows/visible.ts';

/** A target that neither goes nor moves before the transaction ends. */
export interface FoundTarget extends LockedTarget {
  readonly rowId: number;
}

/** Finds targets and locks them; those that are not there, or hidden, are left out. Of several with one name the newest is meant. */
export async function lockTargets(
  scope: RecordHandle,
  target: AnnotationTarget,
  refs: readonly TargetRef[],
): Promise<ReadonlyMap<TargetRef, FoundTarget>> {
  const keys = [...new Set(refs.filter((ref) => typeof ref === 'string'))];
  const rowIds = await findTargets(scope, target, keys);
  const rowIdOf = (ref: TargetRef) => (typeof ref === 'number' ? ref : rowIds.get(ref));
  const wanted = new Set(refs.flatMap((ref) => rowIdOf(ref) ?? []));
  const locked = await LOCK[target](scope, [...wanted]);
  const found = new Map<TargetRef, FoundTarget>();
  for (const ref of refs) {
    const rowId = rowIdOf(ref);
    const row = rowId === undefined ? undefined : locked.get(rowId);
    if (rowId !== undefined && row !== undefined) found.set(ref, { rowId, projectRowId: row.projectRowId });
  }
  return found;
}

/** The row ids of what senders call so, of the newest that is shown; in one project where that is given. */
export async function findTargets(
  scope: RecordHandle,
  target: AnnotationTarget,
  keys: readonly string[],
  projectRowId?: number,
): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  for (let start = 0; start < keys.length; start += KEYS_A_STATEMENT) {
    const some = keys.slice(start, start + KEYS_A_STATEMENT);
    const keyOf = new Map(some.map((key) => [target === 'session' ? boundedText(key) : key, key]));
    const rows = await FIND[target](scope, [...keyOf.keys()], projectRowId);
    for (const { key, rowId } of rows) {
      const sent = keyOf.get(key);
      if (sent !== undefined) found.set(sent, Math.max(rowId, found.get(sent) ?? 0));
    }
  }
  return found;
}

/** Each is looked up in every part of the index of spans; nothing can interrupt a statement. */
const KEYS_A_STATEMENT = 1000;

interface KeyedRow {
  readonly key: string;
  readonly rowId: number;
}

type Find = (scope: RecordHandle, keys: readonly string[], projectRowId?: number) => Promise<readonly KeyedRow[]>;

/** Index: spans_by_otel_id. */
const findSpans: Find = async ({ db, dialect }, keys, projectRowId) => {
  const inProject = projectRowId === undefined ? sql`` : sql`AND spans.project_id + 0 = ${projectRowId}`;
  // A look-up of its own for each id and part: PostgreSQL joins ids with spans first otherwise, by an index that does not lead to them.
  // What is added keeps it from walking through all spans, from the newest on.
  const { rows } = await sql<{ readonly key: string; readonly rowId: number | null }>`
    WITH ${partsOfIndex}
    SELECT wanted.value AS key, max((SELECT max(spans.id + 0) FROM spans WHERE ${partOf('spans.id')} = part.number
      AND spans.span_id = wanted.value AND ${isSpanInProject} ${inProject})) AS "rowId"
    FROM part CROSS JOIN ${dialect.textsOf(keys)} AS wanted GROUP BY wanted.value`.execute(db);
  return rows.flatMap(({ key, rowId }) => (rowId === null ? [] : { key, rowId: Number(rowId) }));
};

/** Index: unique trace_id. */
const findTraces: Find = ({ db, dialect }, keys, projectRowId) => {
  let query = db
    .selectFrom('traces')
    .select(['trace_id as key', 'id as rowId'])
    .where('trace_id', 'in', dialect.textsOf(keys))
    .where(isInProject('traces'));
  if (projectRowId !== undefined) query = query.where(dialect.unindexed('traces.project_id'), '=', projectRowId);
  return query.execute();
};

/** Index: sessions_by_text. */
const findSessions: Find = ({ db, dialect }, keys, projectRowId) => {
  let query = db
    .selectFrom('sessions')
    .select(['session_id as key', 'id as rowId'])
    .where('session_id', 'in', dialect.textsOf(keys))
    .where(isInProject('sessions'));
  if (projectRowId !== undefined) query = query.where(dialect.unindexed('sessions.project_id'), '=', projectRowId);
  return query.execute();
};

const FIND: Readonly<Record<AnnotationTarget, Find>> = {
  span: findSpans,
  document: findSpans,
  trace: findTraces,
  session: findSessions,
};

const LOCK: Readonly<
  Record<
    AnnotationTarget,
    (scope: RecordHandle, rowIds: readonly number[]) => Promise<ReadonlyMap<number, LockedTarget>>
  >
> = { span: lockSpans, document: lockSpans, trace: lockTraces, session: lockSessions };
