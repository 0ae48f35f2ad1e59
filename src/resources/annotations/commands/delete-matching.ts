import { type AnnotationPlace, deletableBy, type MatchingAnnotations } from '#domain/annotation';
import type { Caller } from '#domain/caller';
import type { RecordScope } from '#store/commands/command';
import { tellProjects } from './tell.ts';
import { walkAnnotations } from './walk.ts';

/** Deletes those among the next annotations that match and that the caller may delete; gives where to continue. */
export async function deleteMatching(
  scope: RecordScope,
  caller: Caller,
  input: MatchingAnnotations,
): Promise<AnnotationPlace | null> {
  const { target, projectRowId } = input;
  const { rowIds, place } = await walkAnnotations(scope, input);
  let query = scope.db.deleteFrom('annotations').where('id', 'in', scope.dialect.numbersOf(rowIds));
  if (input.identifier !== undefined) query = query.where('identifier', '=', input.identifier);
  if (input.annotatorKind !== undefined) query = query.where('annotator_kind', '=', input.annotatorKind);
  if (input.startTimeUs !== undefined) query = query.where('created_at_us', '>=', input.startTimeUs);
  if (input.endTimeUs !== undefined) query = query.where('created_at_us', '<', input.endTimeUs);
  const whose = deletableBy(caller);
  if (whose !== 'all') query = query.where('user_id', 'is not distinct from', whose.userRowId);
  const { numDeletedRows } = await query.executeTakeFirstOrThrow();
  if (numDeletedRows > 0n) tellProjects(scope, target, [projectRowId]);
  return place;
}
