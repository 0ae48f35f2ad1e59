/** Decides on originals what columns cannot decide. */
import { evaluate } from '#filter/evaluate';
import { readAnnotations } from '../annotations/read-annotations.ts';
import { type NarrowRow, selectNarrowRows } from '../columns/narrow-rows.ts';
import { NUMBER_COLUMNS, type NumberColumn, PARENT_STATES } from '../columns/batch.ts';
import { giveWay } from '../threads/fair-turns.ts';
import type { Subtree } from '../spans/browse-port.ts';
import type { ReadScope } from '../spans/rows/read-scope.ts';
import type { DamageOptions } from '../spans/rows/originals.ts';
import { selectSpanRows, toSpanRow } from '../spans/rows/span-query.ts';
import { readStoredSpans } from '../spans/rows/stored-spans.ts';
import { annotationNeeds } from './annotation-needs.ts';
import type { PreparedFilter } from './prepare-filter.ts';
import { SpanSubject } from './span-subject.ts';

/** Of the rows, those whose originals match. Index: primary keys, and those of trees. */
export async function verifyRows(
  scope: ReadScope,
  filter: PreparedFilter,
  rowIds: readonly number[],
): Promise<ReadonlySet<number>> {
  const rows = await selectSpanRows(scope.db)
    .where('spans.id', 'in', scope.dialect.numbersOf(rowIds))
    .orderBy('spans.id')
    .execute();
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
  for await (const stored of readStoredSpans(scope, rows.map(toSpanRow), UNDECIDED)) {
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
    await giveWay();
  }
  return matches;
}

/** What a damaged original would say is not known: its span does not match, and the damage is noted. */
const UNDECIDED: DamageOptions = { onDamaged: () => undefined };

/** The numbers of the rows that the filter needs. */
async function readNumbers(
  { db, dialect }: ReadScope,
  filter: PreparedFilter,
  rowIds: readonly number[],
): Promise<ReadonlyMap<number, NarrowRow>> {
  const columns = filter.columns.filter((column): column is NumberColumn => NUMBERS.has(column));
  if (columns.length === 0) return new Map();
  const rows = await selectNarrowRows(db, { columns, hasAttributes: false })
    .where('spans.id', 'in', dialect.numbersOf(rowIds))
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

const NUMBERS: ReadonlySet<string> = new Set(NUMBER_COLUMNS);

async function readSubtree({ db, trees }: ReadScope, traceRowId: number, rowId: number): Promise<Subtree | undefined> {
  const tree = await trees.treeOf(db, traceRowId);
  return tree.subtree(rowId);
}
