/** What other tables tell of rows that their own columns leave open. */
import type { SpanBatch } from '../columns/batch.ts';
import { Turns } from '../columns/turns.ts';
import type { Subtree } from '../spans/browse-port.ts';
import type { ReadScope } from '../spans/rows/read-scope.ts';
import { UNCERTAIN, type Verdicts } from './verdicts.ts';

/** Answers that were looked up, for the rows that needed them; `undefined` where nothing was. */
export interface LookedUp {
  /** By trace row id. */
  readonly traceIds?: ReadonlyMap<number, string> | undefined;
  /** By span row id. */
  readonly subtrees?: ReadonlyMap<number, Subtree> | undefined;
}

/** Nothing was looked up. */
export const NOTHING_LOOKED_UP: LookedUp = {};

/** Looks up what the uncertain rows of a batch need. */
export async function lookUp(
  scope: ReadScope,
  needs: ReadonlySet<keyof LookedUp>,
  batch: SpanBatch,
  verdicts: Verdicts,
): Promise<LookedUp> {
  const rowIdsByTrace = new Map<number, number[]>();
  const traceRowIds = batch.numbers('trace_row_id');
  for (let row = 0; row < verdicts.length; row++) {
    if (verdicts[row] !== UNCERTAIN) continue;
    const traceRowId = traceRowIds[row] ?? 0;
    const rowIds = rowIdsByTrace.get(traceRowId);
    if (rowIds === undefined) rowIdsByTrace.set(traceRowId, [batch.rowIds[row] ?? 0]);
    else rowIds.push(batch.rowIds[row] ?? 0);
  }
  return {
    traceIds: needs.has('traceIds') ? await readTraceIds(scope, [...rowIdsByTrace.keys()]) : undefined,
    subtrees: needs.has('subtrees') ? await readSubtrees(scope, rowIdsByTrace) : undefined,
  };
}

/** Index: the primary key. */
async function readTraceIds(
  { db, dialect }: ReadScope,
  traceRowIds: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const rows = await db
    .selectFrom('traces')
    .select(['id', 'trace_id'])
    .where('id', 'in', dialect.numbersOf(traceRowIds))
    .execute();
  return new Map(rows.map(({ id, trace_id }) => [id, trace_id]));
}

async function readSubtrees(
  { db, trees }: ReadScope,
  rowIdsByTrace: ReadonlyMap<number, readonly number[]>,
): Promise<ReadonlyMap<number, Subtree>> {
  const subtrees = new Map<number, Subtree>();
  const turns = new Turns();
  for (const [traceRowId, rowIds] of rowIdsByTrace) {
    await turns.rest();
    const tree = await trees.treeOf(db, traceRowId);
    for (const rowId of rowIds) {
      const subtree = tree.subtree(rowId);
      if (subtree !== undefined) subtrees.set(rowId, subtree);
    }
  }
  return subtrees;
}
