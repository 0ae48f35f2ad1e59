/** Names that rows are counted by and that none has: a slip of a finger, where one that some have is near. */
import { AppError } from '#base/errors';
import type { Caller, ForCaller } from '#domain/caller';
import { nearestName } from '#filter/check/nearest-name';
import { formatAttribute } from '#filter/format';
import type { FilterGrain } from '#filter/tree';
import { filterVocabulary } from '#filter/vocabulary';
import type { AggregateAnswer, Aggregates, Dimension, Facet, FacetAnswer } from '#store/aggregates/port';

/** Where the rows are. */
export interface CountedRows {
  readonly grain: FilterGrain;
  readonly projectRowId: number;
}

/** Whether an answer that looked at everything has rows, and none of them a value. */
export function isMissingEverywhere({ isPartial }: FacetAnswer, facet: Facet | undefined): boolean {
  if (facet === undefined || isPartial || facet.missingCount === 0) return false;
  return facet.values.length === 0 && facet.unlistedCount === 0 && facet.numbers === null;
}

/** The same of a dimension of groups. */
export function isMissingInGroups({ isPartial, groups }: AggregateAnswer, place: number): boolean {
  return !isPartial && groups.length > 0 && groups.every(({ key }) => key?.[place]?.value === null);
}

/** @throws AppError `invalid_argument` where spans of the project have no such attribute, but one that is nearly called so */
export async function assertKnown(
  caller: Caller,
  aggregates: ForCaller<Pick<Aggregates, 'listAttributePaths'>>,
  { grain, projectRowId }: CountedRows,
  dimension: Dimension,
): Promise<void> {
  if (dimension.kind === 'field') return;
  const { path } = dimension;
  const fields = filterVocabulary(grain).flatMap(({ name, iterableName }) => (iterableName === null ? [name] : []));
  // One that the conventions name is meant as it is written, whether a span has it or not.
  if (fields.includes(path)) return;
  const paths = await aggregates(caller).listAttributePaths({ projectRowId, prefix: '', limit: MAX_PATHS });
  if (paths.includes(path)) return;
  const near = nearestName(path, [...fields, ...paths]);
  if (near === undefined) return;
  // Few spans may have it.
  const longer = await aggregates(caller).listAttributePaths({ projectRowId, prefix: path, limit: MAX_PATHS });
  if (longer.includes(path)) return;
  const meant = fields.includes(near) ? near : formatAttribute(grain, near);
  const message = `No span has ${formatAttribute(grain, path)} to count by: did you mean ${meant}?`;
  throw new AppError('invalid_argument', message);
}

/** Those of the most spans. */
const MAX_PATHS = 1000;
