/** Goes through the annotations of a project some at a time, for deletions. */
import { type SqlBool, sql } from 'kysely';
import type { AnnotationPlace, AnnotationTarget } from '#domain/annotation';
import type { RecordScope } from '#store/commands/command';

/** The annotations to go through. */
export interface WalkedAnnotations {
  readonly target: AnnotationTarget;
  readonly projectRowId: number;
  /** Absent for those of all names. */
  readonly name?: string | undefined;
  /** Absent in the first step. */
  readonly after?: AnnotationPlace | undefined;
}

/** The row ids of the next ones, and where to continue; `null` once there are no more. */
export interface WalkedStep {
  readonly rowIds: readonly number[];
  readonly place: AnnotationPlace | null;
}

/** The next step, by name and row id; of what was stored after the first step it has nothing. Index: annotations_of_project. */
export async function walkAnnotations(
  { db }: Pick<RecordScope, 'db'>,
  { target, projectRowId, name, after }: WalkedAnnotations,
): Promise<WalkedStep> {
  const from = after ?? { upToRowId: await findLastRowId(db), name: '', rowId: 0 };
  let query = db
    .selectFrom('annotations')
    .select(['id', 'name'])
    .where('project_id', '=', projectRowId)
    .where('target', '=', target)
    .where(sql<SqlBool>`(name, id) > (${from.name}, ${from.rowId})`)
    .where('id', '<=', from.upToRowId);
  if (name !== undefined) query = query.where('name', '=', name);
  const rows = await query.orderBy('name').orderBy('id').limit(WALKED_AT_ONCE).execute();
  const last = rows.at(-1);
  const isOver = last === undefined || rows.length < WALKED_AT_ONCE;
  return {
    rowIds: rows.map(({ id }) => id),
    place: isOver ? null : { upToRowId: from.upToRowId, name: last.name, rowId: last.id },
  };
}

/** Deleting as many takes the writer as long as a small request does. */
const WALKED_AT_ONCE = 1000;

async function findLastRowId(db: RecordScope['db']): Promise<number> {
  const last = await db
    .selectFrom('annotations')
    .select((row) => row.fn.max('id').as('id'))
    .executeTakeFirst();
  return last?.id ?? 0;
}
