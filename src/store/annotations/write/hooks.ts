/** What becomes of annotations when what they are about goes or moves. */
import { type SqlBool, sql } from 'kysely';
import type { AnnotationTarget } from '#domain/annotation';
import type { JoinedSession, RecordHandle, RecordHooks } from '../../records/hooks.ts';

/** The hooks of annotations. Index: annotations_of_target. */
export const annotationHooks: RecordHooks = {
  async onErased(scope, { traceRowIds, spanRowIds, sessionRowIds }) {
    await erase(scope, ['span', 'document'], spanRowIds);
    await erase(scope, ['trace'], traceRowIds);
    await erase(scope, ['session'], sessionRowIds);
    await forgetCarried(scope, spanRowIds);
  },
  async onMoved(scope, { traceRowIds, spanRowIds, sessions }) {
    await follow(scope, ['span', 'document'], spanRowIds);
    await follow(scope, ['trace'], traceRowIds);
    for (const session of sessions) await join(scope, session);
  },
};

async function erase(
  { db, dialect }: RecordHandle,
  targets: readonly AnnotationTarget[],
  rowIds: readonly number[],
): Promise<void> {
  if (rowIds.length === 0) return;
  await db
    .deleteFrom('annotations')
    .where('target', 'in', targets)
    .where('target_row_id', 'in', dialect.numbersOf(rowIds))
    .execute();
}

async function forgetCarried({ db, dialect }: RecordHandle, spanRowIds: readonly number[]): Promise<void> {
  if (spanRowIds.length === 0) return;
  await db.deleteFrom('carried_annotations').where('span_row_id', 'in', dialect.numbersOf(spanRowIds)).execute();
}

async function follow(
  { db, dialect }: RecordHandle,
  targets: readonly ('span' | 'document' | 'trace')[],
  rowIds: readonly number[],
): Promise<void> {
  if (rowIds.length === 0) return;
  const place = targets.includes('trace')
    ? sql<number>`(SELECT project_id FROM traces WHERE traces.id = annotations.target_row_id)`
    : sql<number>`(SELECT traces.project_id FROM spans JOIN traces ON traces.id = spans.trace_row_id
        WHERE spans.id = annotations.target_row_id)`;
  await db
    .updateTable('annotations')
    .set({ project_id: place })
    .where('target', 'in', targets)
    .where('target_row_id', 'in', dialect.numbersOf(rowIds))
    .execute();
}

/**
 * Of two annotations with one name and identifier the one that was said last stays, and what somebody said stays rather than what a span
 * carried.
 */
async function join({ db }: RecordHandle, { rowId, intoRowId }: JoinedSession): Promise<void> {
  const sameKey = sql<SqlBool>`other.target = annotations.target AND other.name = annotations.name
    AND other.identifier = annotations.identifier`;
  const ofSession = (sessionRowId: number) =>
    db.deleteFrom('annotations').where('target', '=', 'session').where('target_row_id', '=', sessionRowId);
  await ofSession(rowId)
    .where(
      sql<SqlBool>`EXISTS (SELECT 1 FROM annotations AS other WHERE other.target_row_id = ${intoRowId} AND ${sameKey}
        AND (annotations.is_carried, other.updated_at_us) >= (other.is_carried, annotations.updated_at_us))`,
    )
    .execute();
  await ofSession(intoRowId)
    .where(
      sql<SqlBool>`EXISTS (SELECT 1 FROM annotations AS other WHERE other.target_row_id = ${rowId} AND ${sameKey})`,
    )
    .execute();
  await db
    .updateTable('annotations')
    .set({
      target_row_id: intoRowId,
      project_id: sql<number>`(SELECT project_id FROM sessions WHERE sessions.id = ${intoRowId})`,
    })
    .where('target', '=', 'session')
    .where('target_row_id', '=', rowId)
    .execute();
}
