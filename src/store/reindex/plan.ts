/**
 * Which stored spans today's rules read otherwise than they were stored, found out in a reader's thread: most of the work
 * of reading spans again is to see that nothing changes.
 */
import { NO_USAGE } from '#derive/usage';
import { summarizeSpan } from '#normalize/normalize-span';
import { readAroundDamage } from '../engine/around-damage.ts';
import { noteUnreadableSpans } from '../engine/damage.ts';
import type { ReadEngine } from '../engine/engine.ts';
import { isDamage, isPassing } from '../engine/storage-error.ts';
import { digestSpan } from '../spans/digest.ts';
import type { ReadScope } from '../spans/rows/read-scope.ts';
import { CLAIM_COLUMNS, COUNTED_COLUMNS, PART_COST_NAMES } from '../spans/rows/cost-columns.ts';
import { rateSpan, toSpanValues } from '../spans/write/span-values.ts';
import { readDecodedSpans } from '../spans/rows/stored-spans.ts';

/** What was found in a part of the spans. */
export interface ReindexPlan {
  /** Where the next part begins. */
  readonly nextRowId: number;
  readonly readCount: number;
  readonly changedRowIds: readonly number[];
  /** Spans that cannot be read. */
  readonly failedCount: number;
}

/** What planning reads with. */
export type PlanScope = Omit<ReadScope, 'trees'> & { readonly checkTables?: ReadEngine['checkTables'] };

/** Looks at the next spans of the row ids from one to another, exclusive. Index: the primary key. */
export async function planReindex(scope: PlanScope, fromRowId: number, endRowId: number): Promise<ReindexPlan> {
  const { rows, nextRowId, unreadableCount } = await readStretch(scope, fromRowId, endRowId);
  const stored = rows.map(
    (row): StoredRow => ({
      rowId: row.id,
      otelResourceId: row.otel_resource_id,
      instrumentationScopeId: row.instrumentation_scope_id,
      row,
    }),
  );
  const changedRowIds: number[] = [];
  let failedCount = unreadableCount;
  try {
    changedRowIds.push(...(await findChanged(scope, stored)));
  } catch (error) {
    if (isPassing(error)) throw error;
    // One that cannot be read must not keep the others from being read.
    for (const one of stored) {
      try {
        changedRowIds.push(...(await findChanged(scope, [one])));
      } catch (alone) {
        if (isPassing(alone)) throw alone;
        failedCount++;
      }
    }
  }
  return { nextRowId, readCount: rows.length + unreadableCount, changedRowIds, failedCount };
}

/** The next rows; where pages are damaged, those of a stretch of row ids that can be read. */
async function readStretch({ db, dialect }: PlanScope, fromRowId: number, endRowId: number) {
  const spans = db.selectFrom('spans').selectAll();
  try {
    const next = spans.where('id', '>=', fromRowId).where('id', '<', endRowId).orderBy('id').limit(SPANS_A_PLAN);
    const rows = await next.execute();
    const last = rows.at(-1);
    const isLast = last === undefined || rows.length < SPANS_A_PLAN;
    return { rows, nextRowId: isLast ? endRowId : last.id + 1, unreadableCount: 0 };
  } catch (error) {
    if (!isDamage(error)) throw error;
    const nextRowId = Math.min(fromRowId + SPANS_A_PLAN, endRowId);
    const rowIds = Array.from({ length: nextRowId - fromRowId }, (_, place) => fromRowId + place);
    const around = await readAroundDamage(rowIds, (some) =>
      spans.where('id', 'in', dialect.numbersOf(some)).orderBy('id').execute(),
    );
    noteUnreadableSpans(around);
    return { rows: around.rows, nextRowId, unreadableCount: around.unreadable.length };
  }
}

/** A fraction of a second of a reader's time, which others may wait for. */
const SPANS_A_PLAN = 200;

interface StoredRow {
  readonly rowId: number;
  readonly otelResourceId: number;
  readonly instrumentationScopeId: number;
  readonly row: Readonly<Record<string, unknown>> & { readonly start_us: number };
}

async function findChanged(scope: PlanScope, stored: readonly StoredRow[]): Promise<readonly number[]> {
  const changed: number[] = [];
  for await (const { row, original, scope: instrumentationScope, resource, records } of readDecodedSpans(
    scope,
    stored,
  )) {
    const startUnixNano = BigInt(row.row.start_us) * 1000n;
    const digest = digestSpan(summarizeSpan(original, instrumentationScope, resource, startUnixNano, records));
    const rated = rateSpan(digest, row.rowId, row.instrumentationScopeId, NO_PRICES);
    const ignored = rated.cost.claimed === null ? NOT_READ_OR_PRICED : NOT_READ;
    const isChanged = Object.entries(toSpanValues(rated, NOT_COMPARED, NOWHERE)).some(
      ([column, value]) => !ignored.has(column) && row.row[column] !== value,
    );
    if (isChanged) changed.push(row.rowId);
  }
  return changed;
}

/** Columns that do not come from reading the span. */
const NOT_READ: ReadonlySet<string> = new Set([
  'id',
  'project_id',
  'trace_row_id',
  'otel_resource_id',
  'instrumentation_scope_id',
  'call_distance',
  ...COUNTED_COLUMNS,
  ...PART_COST_NAMES,
]);

/** Nor, where the producer reports no cost, what the price table came to. */
const NOT_READ_OR_PRICED: ReadonlySet<string> = new Set([...NOT_READ, ...CLAIM_COLUMNS]);

/** Another price is no other reading. */
const NO_PRICES = { priceSpan: () => null };

const NOT_COMPARED = { counted: NO_USAGE, callDistance: null };
const NOWHERE = { projectId: 0, traceRowId: 0, otelResourceId: 0 };
