/** What other tables tell of rows that their own columns leave open. */
import type { SetReference } from '#filter/tree';
import type { SpanBatch } from '../columns/batch.ts';
import { giveWay } from '../threads/fair-turns.ts';
import type { Subtree } from '../spans/browse-port.ts';
import type { ReadScope } from '../spans/rows/read-scope.ts';
import type { Membership, SetReader } from '../sets/set-reader.ts';
import { UNCERTAIN, type Verdicts } from './verdicts.ts';

/** Answers that were looked up, for the rows that needed them; `undefined` where nothing was. */
export interface LookedUp {
  /** By trace row id. */
  readonly traceIds?: ReadonlyMap<number, string> | undefined;
  /** By span row id. */
  readonly subtrees?: ReadonlyMap<number, Subtree> | undefined;
  readonly sets?: Membership | undefined;
}

/** Nothing was looked up. */
export const NOTHING_LOOKED_UP: LookedUp = {};

/** What other tables tell of rows that are uncertain otherwise. */
export interface NeededLookups {
  readonly lookups: ReadonlySet<keyof LookedUp>;
  /** Those that rows are asked to be in. */
  readonly sets: readonly SetReference[];
}

/** Looks up what the uncertain rows of a batch need. */
export async function lookUp(
  scope: ReadScope,
  { lookups, sets }: NeededLookups,
  { batch, verdicts }: { readonly batch: SpanBatch; readonly verdicts: Verdicts },
  reader: SetReader,
): Promise<LookedUp> {
  const uncertain: number[] = [];
  for (let row = 0; row < verdicts.length; row++) if (verdicts[row] === UNCERTAIN) uncertain.push(row);
  const { rowIds } = batch;
  const spans = uncertain.map((row) => rowIds[row] ?? 0);
  const needsTraces =
    lookups.has('traceIds') || lookups.has('subtrees') || sets.some(({ subject }) => subject !== 'span');
  const traceRowIds = needsTraces ? batch.numbers('trace_row_id') : rowIds;
  const traces = needsTraces ? new Set(uncertain.map((row) => traceRowIds[row] ?? 0)) : new Set<number>();
  const byTrace = () => Map.groupBy(uncertain, (row) => traceRowIds[row] ?? 0);
  return {
    traceIds: lookups.has('traceIds') ? await readTraceIds(scope, [...traces]) : undefined,
    subtrees: lookups.has('subtrees') ? await readSubtrees(scope, byTrace(), rowIds) : undefined,
    sets: lookups.has('sets') ? await reader.look(sets, { spans, traces }) : undefined,
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
  rowsByTrace: ReadonlyMap<number, readonly number[]>,
  rowIds: Float64Array,
): Promise<ReadonlyMap<number, Subtree>> {
  const subtrees = new Map<number, Subtree>();
  for (const [traceRowId, rows] of rowsByTrace) {
    await giveWay();
    const tree = await trees.treeOf(db, traceRowId);
    for (const row of rows) {
      const rowId = rowIds[row] ?? 0;
      const subtree = tree.subtree(rowId);
      if (subtree !== undefined) subtrees.set(rowId, subtree);
    }
  }
  return subtrees;
}
