import { type SqlBool, sql } from 'kysely';
import type { AnnotationPlace, AnnotationTarget } from '#domain/annotation';
import type { Caller } from '#domain/caller';
import type { RecordScope } from '#store/commands/command';
import { walkAnnotations } from './walk.ts';

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
  /** Absent in the first call. */
  readonly after?: AnnotationPlace | undefined;
}

/** How many were deleted, and where to continue; `null` once none is left. */
export interface DeletedByName {
  readonly count: number;
  readonly place: AnnotationPlace | null;
}

const TABLES = { span: 'spans', trace: 'traces', session: 'sessions', document: 'spans' } as const;

/** Deletes those among the next annotations of the name that are in the time. */
export async function deleteByName(
  scope: RecordScope,
  _caller: Caller,
  input: NamedAnnotations,
): Promise<DeletedByName> {
  const { target, projectRowId, name, timeOf, startTimeUs, endTimeUs } = input;
  const { rowIds, place } = await walkAnnotations(scope, input);
  let query = scope.db.deleteFrom('annotations').where('id', 'in', scope.dialect.numbersOf(rowIds));
  if (timeOf === 'annotation') {
    if (startTimeUs !== undefined) query = query.where('created_at_us', '>=', startTimeUs);
    if (endTimeUs !== undefined) query = query.where('created_at_us', '<', endTimeUs);
  } else if (startTimeUs !== undefined || endTimeUs !== undefined) {
    query = query.where(startsWithin(TABLES[target], { startTimeUs, endTimeUs }));
  }
  const count = Number((await query.executeTakeFirstOrThrow()).numDeletedRows);
  if (count > 0) {
    const changes = [`${target}_annotations`, name];
    scope.note({ object: { type: 'Project', id: projectRowId }, projectRowId, changes });
    scope.touch({ projectRowId, traceIds: null });
  }
  return { count, place };
}

/** Whether the target of a row of `annotations` started in the bounds. Index: primary keys. */
function startsWithin(table: string, { startTimeUs, endTimeUs }: Pick<NamedAnnotations, 'startTimeUs' | 'endTimeUs'>) {
  const start = sql.ref(`${table}.start_us`);
  const from = startTimeUs === undefined ? sql`` : sql`AND ${start} >= ${startTimeUs}`;
  const until = endTimeUs === undefined ? sql`` : sql`AND ${start} < ${endTimeUs}`;
  return sql<SqlBool>`EXISTS (SELECT 1 FROM ${sql.table(table)}
    WHERE ${sql.ref(`${table}.id`)} = annotations.target_row_id ${from} ${until})`;
}
