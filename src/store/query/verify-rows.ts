/** Decides on originals what columns cannot decide. */
import { evaluate } from '#filter/evaluate';
import { readAnnotations } from '../annotations/read-annotations.ts';
import { type NarrowRow, selectNarrowRows } from '../columns/narrow-rows.ts';
import { NUMBER_COLUMNS, type NumberColumn, PARENT_STATES } from '../columns/batch.ts';
import { giveWay } from '../threads/fair-turns.ts';
import type { Subtree } from '../spans/browse-port.ts';
import type { ReadScope } from '../spans/rows/read-scope.ts';
import type { DamageOptions } from '../spans/rows/originals.ts';
import { readReadableRows } from '../spans/rows/unreadable-rows.ts';
import { inOrderOf, selectSpanRows, toSpanRow } from '../spans/rows/span-query.ts';
import { readStoredSpans } from '../spans/rows/stored-spans.ts';
import { annotationNeeds } from './annotation-needs.ts';
import type { Budget } from './budget.ts';
import type { PreparedFilter } from './prepare-filter.ts';
import { SpanSubject } from './span-subject.ts';

/** What originals say of rows. */
export interface Verified {
  readonly matches: ReadonlySet<number>;
  /** The last ones, which were not looked at because it was over. */
  readonly undecided: ReadonlySet<number>;
}

/**
 * Decides rows by their originals, in their order, as long as it may, and at least for a moment. Index: primary keys, and those of
 * trees.
 */
export async function verifyRows(
  scope: ReadScope,
  filter: PreparedFilter,
  rowIds: readonly number[],
  budget: Pick<Budget, 'isOver'> | null = null,
): Promise<Verified> {
  const rows = await readReadableRows(rowIds, (some) =>
    selectSpanRows(scope.db).where('spans.id', 'in', scope.dialect.numbersOf(some)).execute(),
  );
  const numbers = await readNumbers(scope, filter, rowIds);
  const sets = await filter.members.look(filter.sets, {
    spans: rowIds,
    traces: rows.map((row) => row.trace_row_id),
  });
  const annotations = await readAnnotations(scope, annotationNeeds(filter.condition), {
    spans: rowIds,
    traces: rows.map((row) => row.trace_row_id),
  });
  const matches = new Set<number>();
  const leastMs = performance.now() + LEAST_MS;
  const inOrder = inOrderOf(rowIds, rows.map(toSpanRow));
  for await (const stored of readStoredSpans(scope, inOrder, UNREADABLE)) {
    const { rowId, traceRowId } = stored.row;
    const row = numbers.get(rowId);
    const subtree = filter.lookups.has('subtrees') ? await readSubtree(scope, traceRowId, rowId) : undefined;
    const isParentless = row?.parent_state !== PARENT_STATES.stored;
    const subject = new SpanSubject(stored, {
      isParentless,
      subtree,
      read: (column) => row?.[column] ?? null,
      isIn: (set) => sets.isSpanIn(set, rowId, traceRowId),
      annotations,
    });
    if (evaluate(filter.condition, subject)) matches.add(rowId);
    const mayEnd = budget !== null && performance.now() > leastMs;
    if (mayEnd && budget.isOver) return { matches, undecided: new Set(rowIds.slice(rowIds.indexOf(rowId) + 1)) };
    await giveWay();
  }
  return { matches, undecided: new Set() };
}

/** Where columns have taken all the time, pages get on all the same: an ordinary step takes less. */
const LEAST_MS = 250;

/** What a damaged row or original would say is not known: its span does not match, and the damage is noted. */
const UNREADABLE: DamageOptions = { onDamaged: () => undefined };

/** The numbers of the rows that the filter needs. */
async function readNumbers(
  { db, dialect }: ReadScope,
  filter: PreparedFilter,
  rowIds: readonly number[],
): Promise<ReadonlyMap<number, NarrowRow>> {
  const columns = filter.columns.filter((column): column is NumberColumn => NUMBERS.has(column));
  if (columns.length === 0) return new Map();
  const rows = await readReadableRows(rowIds, (some) =>
    selectNarrowRows(db, { columns, hasAttributes: false }).where('spans.id', 'in', dialect.numbersOf(some)).execute(),
  );
  return new Map(rows.map((row) => [row.id, row]));
}

const NUMBERS: ReadonlySet<string> = new Set(NUMBER_COLUMNS);

async function readSubtree({ db, trees }: ReadScope, traceRowId: number, rowId: number): Promise<Subtree | undefined> {
  const tree = await trees.treeOf(db, traceRowId);
  return tree.subtree(rowId);
}
