/** Rows of annotations: stored by their keys, many in a statement. */
import { type SqlBool, sql } from 'kysely';
import type { AnnotationSource, AnnotationTarget, NewAnnotation } from '#domain/annotation';
import type { RecordHandle } from '../../records/hooks.ts';
import type { AnnotationsTable } from '../../schema/annotation-tables.ts';

/** An annotation whose target is known. */
export interface AnnotationRow extends Omit<NewAnnotation, 'of'> {
  readonly targetRowId: number;
  readonly projectRowId: number;
  readonly userRowId: number | null;
  readonly source: AnnotationSource;
  /** Whether a span carried it. */
  readonly isCarried: boolean;
  /** When it was said. */
  readonly atUs: number;
}

/**
 * Stores annotations, each in place of the one that has its key. Of several with one key the last counts.
 * @param options.keepsNewer whether a stored one that is newer stays as it is
 * @param options.keepsAuthored whether a stored one that has an author or was said in the web UI stays as it is
 * @returns the row id of each, in their order; `undefined` for those that a stored one kept away
 */
export async function storeAnnotations(
  { db, dialect }: RecordHandle,
  target: AnnotationTarget,
  annotations: readonly AnnotationRow[],
  { keepsNewer, keepsAuthored = false }: { readonly keepsNewer: boolean; readonly keepsAuthored?: boolean },
): Promise<readonly (number | undefined)[]> {
  const byKey = new Map(annotations.map((annotation) => [keyOf(annotation), annotation]));
  // In one order, so that two batches do not wait for each other in a circle.
  const sorted = [...byKey].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, annotation]) => annotation);
  const rowIds = new Map<string, number>();
  for (let start = 0; start < sorted.length; start += ROWS_A_STATEMENT) {
    const tuples = JSON.stringify(sorted.slice(start, start + ROWS_A_STATEMENT).map(toTuple));
    const stored = await db
      .insertInto('annotations')
      .columns(['target', ...COLUMNS, 'updated_at_us'])
      .expression(
        db
          .selectFrom(dialect.tuplesOfJson(tuples, TUPLE).$castTo<AnnotationsTable>().as('said'))
          .select([sql.lit(target).as('target'), ...COLUMNS, 'created_at_us as updated_at_us'])
          // SQLite takes ON CONFLICT for a condition of a join where none comes before it.
          .where(sql<SqlBool>`TRUE`),
      )
      .onConflict((conflict) => {
        let update = conflict
          .columns(['target', 'target_row_id', 'name', 'identifier', 'document_position'])
          // All but when the first of the key was stored.
          .doUpdateSet((row) => ({
            project_id: row.ref('excluded.project_id'),
            annotator_kind: row.ref('excluded.annotator_kind'),
            label: row.ref('excluded.label'),
            score: row.ref('excluded.score'),
            explanation: row.ref('excluded.explanation'),
            metadata: row.ref('excluded.metadata'),
            source: row.ref('excluded.source'),
            user_id: row.ref('excluded.user_id'),
            is_carried: row.ref('excluded.is_carried'),
            updated_at_us: row.ref('excluded.updated_at_us'),
          }));
        if (keepsNewer) update = update.whereRef('annotations.updated_at_us', '<=', 'excluded.updated_at_us');
        if (keepsAuthored)
          update = update.where('annotations.user_id', 'is', null).where('annotations.source', '=', 'API');
        return update;
      })
      .returning(['id', 'target_row_id', 'document_position', 'name', 'identifier'])
      .execute();
    for (const row of stored) {
      const { target_row_id: targetRowId, document_position: documentPosition, name, identifier } = row;
      rowIds.set(keyOf({ targetRowId, documentPosition, name, identifier }), row.id);
    }
  }
  return annotations.map((annotation) => rowIds.get(keyOf(annotation)));
}

/** Bounds what a statement takes and gives. */
const ROWS_A_STATEMENT = 2000;

const TUPLE = {
  target_row_id: 'number',
  document_position: 'number',
  project_id: 'number',
  name: 'text',
  identifier: 'text',
  annotator_kind: 'text',
  label: 'text',
  score: 'real',
  explanation: 'text',
  metadata: 'text',
  source: 'text',
  user_id: 'number',
  is_carried: 'number',
  created_at_us: 'number',
} as const;

const COLUMNS = Object.keys(TUPLE) as readonly (keyof typeof TUPLE)[];

function toTuple(row: AnnotationRow): readonly (string | number | null)[] {
  return [
    row.targetRowId,
    row.documentPosition,
    row.projectRowId,
    row.name,
    row.identifier,
    row.annotatorKind,
    row.label,
    row.score,
    row.explanation,
    row.metadata,
    row.source,
    row.userRowId,
    row.isCarried ? 1 : 0,
    row.atUs,
  ];
}

function keyOf(row: Pick<AnnotationRow, 'targetRowId' | 'documentPosition' | 'name' | 'identifier'>): string {
  return JSON.stringify([row.targetRowId, row.documentPosition, row.name, row.identifier]);
}
