/** Reads annotations of what is shown. */
import { sql } from 'kysely';
import { AppError } from '#base/errors';
import type { Annotation, AnnotationTarget, ListedAnnotation } from '#domain/annotation';
import type { Page } from '#domain/page';
import { isTargetShown, TARGET_TABLES } from '#store/records/shown-target';
import { findTargets } from '#store/annotations/write/find-targets';
import { type CursorKind, formatCursor, parseCursor } from '#store/queries/cursor';
import type { ReadHandle } from '../slice.ts';

/** What an annotation is read from. */
export const ANNOTATION_COLUMNS = [
  'annotations.id as rowId',
  'annotations.target',
  'annotations.target_row_id as targetRowId',
  'annotations.document_position as documentPosition',
  'annotations.project_id as projectRowId',
  'annotations.name',
  'annotations.identifier',
  'annotations.annotator_kind as annotatorKind',
  'annotations.label',
  'annotations.score',
  'annotations.explanation',
  'annotations.metadata',
  'annotations.source',
  'annotations.user_id as userRowId',
  'annotations.created_at_us as createdAtUs',
  'annotations.updated_at_us as updatedAtUs',
] as const;

/** Which annotations of a project; fields narrow each other, values of one are alternatives. */
export interface AnnotationFilter {
  readonly projectRowId: number;
  readonly target: Exclude<AnnotationTarget, 'document'>;
  /** What senders call the targets. */
  readonly targetKeys?: readonly string[] | undefined;
  readonly identifiers?: readonly string[] | undefined;
  readonly includedNames?: readonly string[] | undefined;
  readonly excludedNames?: readonly string[] | undefined;
}

/** A page of annotations, and whether any target of the filter is in the project. */
export interface AnnotationPage extends Page<ListedAnnotation> {
  readonly hasTargets: boolean;
}

/**
 * A page, newest first, which ends early where its texts are large; the cursor is the id of the first of the next page.
 * Index: annotations_of_target where targets are named, else annotations_of_identifier.
 * @throws AppError `invalid_argument` for a cursor of another list
 */
export async function listAnnotations(
  handle: ReadHandle,
  { projectRowId, target, targetKeys, identifiers, includedNames, excludedNames }: AnnotationFilter,
  { limit, cursor }: { readonly limit: number; readonly cursor: string | null },
): Promise<AnnotationPage> {
  const { db, dialect } = handle;
  const from = parseCursor(CURSOR_KINDS[target], cursor);
  const keys = targetKeys && (await findTargets(handle, target, [...new Set(targetKeys)], projectRowId));
  if (keys?.size === 0) return { data: [], nextCursor: null, hasTargets: false };
  let query = db
    .selectFrom('annotations')
    .select(['annotations.id as rowId', TEXT_BYTES.as('bytes')])
    .where('target', '=', target)
    .where(dialect.unindexed('annotations.project_id'), '=', projectRowId)
    .where(isTargetShown(target, 'annotations.target_row_id'));
  if (keys !== undefined) query = query.where('target_row_id', 'in', dialect.numbersOf([...keys.values()]));
  if (identifiers !== undefined) {
    // The index holds no others.
    query = query.where('identifier', 'in', dialect.textsOf(identifiers)).where('identifier', '<>', sql.lit(''));
  }
  if (includedNames !== undefined) query = query.where('name', 'in', dialect.textsOf(includedNames));
  if (excludedNames !== undefined) query = query.where('name', 'not in', dialect.textsOf(excludedNames));
  if (from !== null) query = query.where(dialect.unindexed('annotations.id'), '<=', from.rowId);
  const found = await query
    .orderBy('annotations.id', 'desc')
    .limit(limit + 1)
    .execute();
  const count = countFitting(found, limit);
  const next = found[count];
  const rowIds = found.slice(0, count).map(({ rowId }) => rowId);
  const data = await db
    .selectFrom('annotations')
    .select([...ANNOTATION_COLUMNS, targetKeyOf(target).as('targetKey')])
    .where('annotations.id', 'in', dialect.numbersOf(rowIds))
    .where(isTargetShown(target, 'annotations.target_row_id'))
    .orderBy('annotations.id', 'desc')
    .execute();
  return {
    data,
    nextCursor: next === undefined ? null : formatCursor(CURSOR_KINDS[target], { value: null, rowId: next.rowId }),
    hasTargets: true,
  };
}

/** The size of what an annotation says, without reading it. */
const TEXT_BYTES = sql<number>`octet_length(metadata) + coalesce(octet_length(explanation), 0)`;

/** How many of the first rows a page holds: at least one, and no more than fit. */
function countFitting(rows: readonly { readonly bytes: number }[], limit: number): number {
  let bytes = 0;
  const end = rows.findIndex((row) => (bytes += row.bytes) > MAX_PAGE_BYTES);
  return end === -1 ? Math.min(rows.length, limit) : Math.min(Math.max(end, 1), limit);
}

/** Some sixty of the largest. Other texts are short. */
const MAX_PAGE_BYTES = 8 * 1024 * 1024;

const CURSOR_KINDS = {
  span: 'SpanAnnotation',
  trace: 'TraceAnnotation',
  session: 'ProjectSessionAnnotation',
} satisfies Readonly<Record<AnnotationFilter['target'], CursorKind>>;

/** Annotations by row id, those of one kind of target. Index: primary key. */
export async function findAnnotations(
  { db, dialect }: ReadHandle,
  target: AnnotationTarget,
  rowIds: readonly number[],
): Promise<ReadonlyMap<number, Annotation>> {
  const rows = await db
    .selectFrom('annotations')
    .select(ANNOTATION_COLUMNS)
    .where('annotations.id', 'in', dialect.numbersOf(rowIds))
    .where(dialect.unindexed<string>('annotations.target'), '=', target)
    .where(isTargetShown(target, 'annotations.target_row_id'))
    .execute();
  return new Map(rows.map((row) => [row.rowId, row]));
}

/**
 * All annotations of each target, oldest first, by the row id of the target; of one without any none. Index: annotations_of_target.
 * @throws AppError `resource_exhausted` where they are more than one answer may hold
 */
export async function findAnnotationsOf(
  { db, dialect }: ReadHandle,
  target: AnnotationTarget,
  targetRowIds: readonly number[],
): Promise<ReadonlyMap<number, readonly Annotation[]>> {
  const query = db
    .selectFrom('annotations')
    .select(ANNOTATION_COLUMNS)
    .where('target', '=', target)
    .where('target_row_id', 'in', dialect.numbersOf(targetRowIds))
    .orderBy('annotations.id')
    .limit(ROWS_AT_ONCE);
  const found: Annotation[] = [];
  let characters = 0;
  for (let isMore = true; isMore; ) {
    const after = found.at(-1)?.rowId ?? 0;
    const rows = await query.where(dialect.unindexed('annotations.id'), '>', after).execute();
    for (const { explanation, metadata } of rows) characters += (explanation?.length ?? 0) + metadata.length;
    found.push(...rows);
    if (found.length > MAX_FOUND || characters > MAX_CHARACTERS) {
      throw new AppError(
        'resource_exhausted',
        'These objects together have too many annotations for one response: ask for fewer objects at once.',
      );
    }
    isMore = rows.length === ROWS_AT_ONCE;
  }
  return Map.groupBy(found, ({ targetRowId }) => targetRowId);
}

/** The largest of them are as large as all may be together. */
const ROWS_AT_ONCE = 250;
const MAX_FOUND = 50_000;
const MAX_CHARACTERS = 32 * 1024 * 1024;

/** Index: primary keys. */
function targetKeyOf(target: AnnotationFilter['target']) {
  const key = { span: 'spans.span_id', trace: 'traces.trace_id', session: 'sessions.session_id' } as const;
  const table = TARGET_TABLES[target];
  return sql<string>`(SELECT ${sql.ref(key[target])} FROM ${sql.table(table)}
    WHERE ${sql.ref(`${table}.id`)} = annotations.target_row_id)`;
}
