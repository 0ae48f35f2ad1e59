import { type SqlBool, sql } from 'kysely';
import type { AnnotationTarget } from '#domain/annotation';
import type { Caller } from '#domain/caller';
import type { RecordScope } from '#store/commands/command';

/** Annotations of a name in a project, by all authors. */
export interface NamedAnnotations {
  /** Those of documents belong to the span that retrieved them. */
  readonly target: AnnotationTarget;
  readonly projectRowId: number;
  readonly name: string;
  /** Whose time is bounded: the creation of the annotation, or the start of its target. */
  readonly timeOf: 'annotation' | 'target';
  /** Inclusive. */
  readonly startTimeUs?: number | undefined;
  /** Exclusive. */
  readonly endTimeUs?: number | undefined;
  /** Those that were stored later stay; absent in the first call. */
  readonly upToRowId?: number | undefined;
}

/** How many were deleted, and how to go on; `null` once none is left. */
export interface DeletedByName {
  readonly count: number;
  readonly upToRowId: number | null;
}

const TABLES = { span: 'spans', trace: 'traces', session: 'sessions', document: 'spans' } as const;

/** Bounds a transaction. */
const DELETED_AT_ONCE = 5000;

/** Deletes some of them. Index: annotations_of_project. */
export async function deleteByName(
  scope: RecordScope,
  _caller: Caller,
  input: NamedAnnotations,
): Promise<DeletedByName> {
  const { db, dialect } = scope;
  const { target, projectRowId, name, timeOf, startTimeUs, endTimeUs } = input;
  const last = await db
    .selectFrom('annotations')
    .select((row) => row.fn.max('id').as('id'))
    .executeTakeFirst();
  const upToRowId = input.upToRowId ?? last?.id ?? 0;
  let query = db
    .selectFrom('annotations')
    .select('annotations.id')
    .where('annotations.project_id', '=', projectRowId)
    .where('annotations.target', '=', target)
    .where('annotations.name', '=', name)
    .where('annotations.id', '<=', upToRowId);
  if (timeOf === 'annotation') {
    if (startTimeUs !== undefined) query = query.where('annotations.created_at_us', '>=', startTimeUs);
    if (endTimeUs !== undefined) query = query.where('annotations.created_at_us', '<', endTimeUs);
  } else if (startTimeUs !== undefined || endTimeUs !== undefined) {
    query = query.where(startsWithin(TABLES[target], { startTimeUs, endTimeUs }));
  }
  const rows = await query.orderBy('annotations.id').limit(DELETED_AT_ONCE).execute();
  if (rows.length === 0) return { count: 0, upToRowId: null };
  const rowIds = dialect.numbersOf(rows.map(({ id }) => id));
  await db.deleteFrom('annotations').where('id', 'in', rowIds).execute();
  scope.note({ object: { type: 'Project', id: projectRowId }, projectRowId, changes: [`${target}_annotations`, name] });
  scope.touch({ projectRowId, traceIds: null });
  return { count: rows.length, upToRowId: rows.length < DELETED_AT_ONCE ? null : upToRowId };
}

/** Whether the target of a row of `annotations` started in the bounds. Index: primary keys. */
function startsWithin(table: string, { startTimeUs, endTimeUs }: Pick<NamedAnnotations, 'startTimeUs' | 'endTimeUs'>) {
  const start = sql.ref(`${table}.start_us`);
  const from = startTimeUs === undefined ? sql`` : sql`AND ${start} >= ${startTimeUs}`;
  const until = endTimeUs === undefined ? sql`` : sql`AND ${start} < ${endTimeUs}`;
  return sql<SqlBool>`EXISTS (SELECT 1 FROM ${sql.table(table)}
    WHERE ${sql.ref(`${table}.id`)} = annotations.target_row_id ${from} ${until})`;
}
