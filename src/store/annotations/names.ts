/** The names of annotations that a project has, and what annotations of single targets come to. */
import type { Kysely } from 'kysely';
import { type AnnotationFilter, toPredicate } from '#domain/annotation-filter';
import type { AnnotationTarget, FilterGrain } from '#filter/tree';
import type { SqlDialect } from '../dialect/dialect.ts';
import type { Tables } from '../schema/tables.ts';
import { type AnnotationSummary, AnnotationTally, type Said } from './summaries.ts';

/** A name, and how many annotations have it. */
export interface AnnotationNameCount {
  readonly name: string;
  readonly count: number;
}

/** Of the annotations on one kind of target, by name. Index: annotations_of_project. */
export async function countAnnotationNames(
  db: Kysely<Tables>,
  projectRowId: number,
  target: AnnotationTarget,
): Promise<readonly AnnotationNameCount[]> {
  return db
    .selectFrom('annotations')
    .select((of) => ['name', of.fn.countAll<number>().as('count')])
    .where('project_id', '=', projectRowId)
    .where('target', '=', target)
    .groupBy('name')
    .orderBy('name')
    .limit(MAX_NAMES)
    .execute();
}

/** Names of one kind of target that are told. */
const MAX_NAMES = 1000;

/** Names of what models say of the documents of a project or of one span. Index: annotations_of_project or annotations_of_target. */
export async function listDocumentEvaluationNames(
  db: Kysely<Tables>,
  projectRowId: number,
  spanRowId: number | null,
): Promise<readonly string[]> {
  let query = db
    .selectFrom('annotations')
    .select('name')
    .distinct()
    .where('target', '=', 'document')
    .where('project_id', '=', projectRowId)
    .where('annotator_kind', '=', 'LLM');
  if (spanRowId !== null) query = query.where('target_row_id', '=', spanRowId);
  const rows = await query.orderBy('name').limit(MAX_NAMES).execute();
  return rows.map(({ name }) => name);
}

/** By row id, of targets that have annotations with a score or a label which pass the filter. Index: annotations_of_target. */
export async function summarizeTargets(
  { db, dialect }: { readonly db: Kysely<Tables>; readonly dialect: SqlDialect },
  target: FilterGrain,
  rowIds: readonly number[],
  filter: AnnotationFilter,
): Promise<ReadonlyMap<number, readonly AnnotationSummary[]>> {
  const rows = await db
    .selectFrom('annotations')
    .select(['target_row_id', 'name', 'score', 'label', 'source', 'user_id as userRowId'])
    .where('target', '=', target)
    .where('target_row_id', 'in', dialect.numbersOf(rowIds))
    .execute();
  const summaries = new Map<number, readonly AnnotationSummary[]>();
  for (const [rowId, said] of Map.groupBy<number, Said & { readonly target_row_id: number }>(
    rows.filter(toPredicate(filter)),
    (row) => row.target_row_id,
  )) {
    const tally = new AnnotationTally();
    tally.add(said);
    summaries.set(rowId, tally.read());
  }
  return summaries;
}
