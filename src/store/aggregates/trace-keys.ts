/** In which groups traces are: in that of their root span, in those of all of their spans, or in that of their session. */
import { NumberSet } from '#base/number-set';
import type { Budget } from '../query/budget.ts';
import type { ReadScope } from '../spans/rows/read-scope.ts';
import { type GroupKeys, NO_GROUP, WITHOUT_VALUE } from './group-keys.ts';
import type { Coverage, DimensionValue, SpanRange } from './port.ts';
import { RootBatches } from './root-batches.ts';
import { Scan, type ScanNeeds } from './scan.ts';

/** The groups of traces. */
export interface TraceKeys {
  readonly coverage: Coverage;
  /** Undefined where time ran out before the trace was read. */
  keysOf(trace: GroupedTrace): readonly number[] | undefined;
  /** What the traces of a group have in common. */
  valueOf(key: number): DimensionValue | undefined;
}

/** What tells of a trace in which groups it is. */
export interface GroupedTrace {
  readonly rowId: number;
  /** NaN without a root span. */
  readonly rootRowId: number;
  /** 0 or NaN without a session. */
  readonly sessionRowId: number;
}

/** Traces without a value, or without a root span, are in one group. */
const MISSING: readonly number[] = [WITHOUT_VALUE];

/**
 * Reads what root spans say; a trace is in one group.
 * @param rootRowIds latest first
 */
export async function readRootKeys(
  scope: ReadScope,
  rootRowIds: readonly number[],
  spans: SpanRange,
  budget: Budget,
  needs: ScanNeeds,
  keys: GroupKeys,
): Promise<TraceKeys> {
  const roots = new RootBatches(scope, rootRowIds, spans, budget);
  const wanted = new NumberSet();
  for (const rowId of rootRowIds) wanted.add(rowId);
  const keyOf = new Map<number, number>();
  for await (const batch of roots.batches(needs)) {
    const rows: number[] = [];
    for (const [row, rowId] of batch.rowIds.entries()) if (wanted.has(rowId)) rows.push(row);
    const found = keys.keysOf(batch, { rows: Uint16Array.from(rows), count: rows.length });
    for (const [index, row] of rows.entries()) keyOf.set(batch.rowIds[row] ?? 0, found[index] ?? NO_GROUP);
  }
  const { coverage } = roots;
  const unread = coverage.isPartial ? undefined : [NO_GROUP];
  return {
    coverage,
    valueOf: (key) => keys.valuesOf(key)[0],
    keysOf: ({ rootRowId }) => {
      if (Number.isNaN(rootRowId)) return coverage.isPartial ? undefined : MISSING;
      const key = keyOf.get(rootRowId);
      return key === undefined ? unread : [key];
    },
  };
}

/** Reads what all spans say; a trace is in the group of each value that any of its spans has. */
export async function readSpanKeys(
  scope: ReadScope,
  traceRowIds: readonly number[],
  spans: SpanRange,
  budget: Budget,
  needs: ScanNeeds,
  keys: GroupKeys,
): Promise<TraceKeys> {
  const wanted = new NumberSet();
  for (const rowId of traceRowIds) wanted.add(rowId);
  const keysOf = new Map<number, readonly number[]>();
  const scan = new Scan(scope, spans, budget);
  for await (const batch of scan.batches({ ...needs, columns: new Set([...needs.columns, 'trace_row_id']) })) {
    const traces = batch.numbers('trace_row_id');
    const rows: number[] = [];
    for (let row = 0; row < batch.rowCount; row++) if (wanted.has(traces[row] ?? 0)) rows.push(row);
    const found = keys.keysOf(batch, { rows: Uint16Array.from(rows), count: rows.length });
    for (const [index, row] of rows.entries()) {
      const traceRowId = traces[row] ?? 0;
      keysOf.set(traceRowId, withKey(keysOf.get(traceRowId), found[index] ?? NO_GROUP));
    }
  }
  const { coverage } = scan;
  const unread = coverage.isPartial ? undefined : MISSING;
  return {
    coverage,
    valueOf: (key) => keys.valuesOf(key)[0],
    keysOf: ({ rowId }) => keysOf.get(rowId) ?? unread,
  };
}

/** A trace is in the group of its session, whose key is its row id: these begin with 1, so that none is {@link WITHOUT_VALUE}. */
export const SESSION_KEYS: TraceKeys = {
  coverage: { isPartial: false, share: 1 },
  keysOf: ({ sessionRowId }) => (sessionRowId > 0 ? [sessionRowId] : MISSING),
  valueOf: (rowId) => (rowId === WITHOUT_VALUE ? { value: null, text: '' } : { value: rowId, text: String(rowId) }),
};

/** A span without a value says nothing of a trace in which another one has one. */
function withKey(known: readonly number[] | undefined, key: number): readonly number[] {
  if (known === undefined || known === MISSING) return key === WITHOUT_VALUE ? MISSING : [key];
  return key === WITHOUT_VALUE || known.includes(key) ? known : [...known, key];
}
