/** Filters made ready for batches and originals. */
import type { Condition, Value } from '#filter/tree';
import type { SpanBatch, SegmentScreen } from '../columns/batch.ts';
import type { ReadScope } from '../spans/rows/read-scope.ts';
import { isTraceId, type TraceRowIds } from './compile-condition.ts';
import { type BatchFilter, compileForBatch } from './compile-for-batch.ts';
import { lookUp } from './lookups.ts';
import { screenOf } from './screen-of.ts';
import { UNCERTAIN, type Verdicts } from './verdicts.ts';

/** A filter, and what it is compiled to. */
export interface PreparedFilter extends BatchFilter {
  readonly condition: Condition;
  /** `null` where nothing is told by columns alone. */
  readonly screen: SegmentScreen | null;
}

/** Compiles a filter, with the traces that it names looked up. Index: unique trace_id. */
export async function prepareFilter({ db, dialect }: ReadScope, condition: Condition): Promise<PreparedFilter> {
  const named = new Set<string>();
  gatherTraceIds(condition, named);
  const rows =
    named.size === 0
      ? []
      : await db
          .selectFrom('traces')
          .select(['id', 'trace_id'])
          .where('trace_id', 'in', dialect.textsOf([...named]))
          .execute();
  const traces: TraceRowIds = new Map(rows.map(({ id, trace_id }) => [trace_id, id]));
  return { ...compileForBatch(condition, traces), condition, screen: screenOf(condition) };
}

/** What the filter says of a batch; what is still uncertain then, the originals tell. */
export async function decideBatch(scope: ReadScope, filter: BatchFilter, batch: SpanBatch): Promise<Verdicts> {
  const verdicts = filter.decide(batch);
  if (filter.lookups.size === 0 || !verdicts.includes(UNCERTAIN)) return verdicts;
  return filter.decide(batch, await lookUp(scope, filter.lookups, batch, verdicts));
}

function gatherTraceIds(condition: Condition, into: Set<string>): void {
  switch (condition.kind) {
    case 'and':
    case 'or':
      for (const operand of condition.operands) gatherTraceIds(operand, into);
      return;
    case 'compare':
      if (isTraceId(condition.left)) gatherText(condition.right, into);
      if (isTraceId(condition.right)) gatherText(condition.left, into);
      return;
    case 'member':
      if (isTraceId(condition.value)) for (const literal of condition.list) gatherText(literal, into);
      return;
    default:
  }
}

function gatherText(value: Value, into: Set<string>): void {
  if (value.kind === 'literal' && value.type === 'text') into.add(value.value);
}
