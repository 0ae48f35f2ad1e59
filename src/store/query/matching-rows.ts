/** Decides a filter for rows that were found by something else. */
import { selectNarrowRows } from '../columns/narrow-rows.ts';
import { readRowBatch } from '../columns/read-row-batch.ts';
import type { ReadScope } from '../spans/rows/read-scope.ts';
import { decideBatch, type PreparedFilter } from './prepare-filter.ts';
import { UNCERTAIN, YES } from './verdicts.ts';
import { verifyRows } from './verify-rows.ts';

/** Of the rows, at most as many as a batch may hold, those that match; originals tell where rows do not. Index: the primary key. */
export async function matchingRows(
  scope: ReadScope,
  filter: PreparedFilter,
  rowIds: readonly number[],
): Promise<ReadonlySet<number>> {
  const wanted = { columns: filter.columns, hasAttributes: filter.attributes.length > 0 };
  const ascending = rowIds.toSorted((a, b) => a - b);
  const batch = await readRowBatch(ascending.length, filter, (from, below) =>
    selectNarrowRows(scope.db, wanted)
      .where('spans.id', 'in', scope.dialect.numbersOf(ascending.slice(from, below)))
      .execute(),
  );
  const verdicts = await decideBatch(scope, filter, batch);
  const matches = new Set<number>();
  const uncertain: number[] = [];
  for (const [row, rowId] of batch.rowIds.entries()) {
    if (verdicts[row] === YES) matches.add(rowId);
    else if (verdicts[row] === UNCERTAIN) uncertain.push(rowId);
  }
  if (uncertain.length === 0) return matches;
  const { matches: verified } = await verifyRows(scope, filter, uncertain);
  return new Set([...matches, ...verified]);
}
