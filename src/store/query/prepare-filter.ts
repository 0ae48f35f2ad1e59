/** Filters made ready for batches and originals. */
import { annotationsAsSets } from '#filter/annotation-sets';
import type { Condition, Value } from '#filter/tree';
import type { RowScreen, SegmentScreen, SpanBatch } from '../columns/batch.ts';
import type { ReadScope } from '../spans/rows/read-scope.ts';
import { SetReader } from '../sets/set-reader.ts';
import { narrowByTexts } from '../sets/text-sets.ts';
import { isTraceId, type TraceRowIds } from './compile-condition.ts';
import { type BatchFilter, compileForBatch } from './compile-for-batch.ts';
import { lookUp } from './lookups.ts';
import { rowScreenOf } from './row-screen.ts';
import { screenOf } from './screen-of.ts';
import { UNCERTAIN, type Verdicts } from './verdicts.ts';

/** A filter, and what it is compiled to. */
export interface PreparedFilter extends BatchFilter {
  readonly condition: Condition;
  /** `null` where nothing is told by columns alone. */
  readonly screen: SegmentScreen | null;
  /** `null` where nothing is told by row ids alone. */
  readonly rows: RowScreen | null;
  /** What sets have said, for as long as the question lasts. */
  readonly members: SetReader;
}

/** Compiles a filter, with the traces that it names looked up. Index: unique trace_id. */
export async function prepareFilter(scope: ReadScope, asked: Condition): Promise<PreparedFilter> {
  const condition = narrowByTexts(annotationsAsSets(asked));
  const { db, dialect } = scope;
  const named = new Set<string>();
  gatherTraceIds(condition, named);
  const found =
    named.size === 0
      ? []
      : await db
          .selectFrom('traces')
          .select(['id', 'trace_id'])
          .where('trace_id', 'in', dialect.textsOf([...named]))
          .execute();
  const traces: TraceRowIds = new Map(found.map(({ id, trace_id }) => [trace_id, id]));
  const members = new SetReader(scope);
  const rows = rowScreenOf(scope, condition, members);
  return { ...compileForBatch(condition, traces), condition, screen: screenOf(condition), rows, members };
}

/** What the filter says of a batch; what is still uncertain then, the originals tell. */
export async function decideBatch(
  scope: ReadScope,
  filter: Pick<PreparedFilter, 'decide' | 'lookups' | 'sets' | 'members'>,
  batch: SpanBatch,
): Promise<Verdicts> {
  const verdicts = filter.decide(batch);
  if (filter.lookups.size === 0 || !verdicts.includes(UNCERTAIN)) return verdicts;
  return filter.decide(batch, await lookUp(scope, filter, { batch, verdicts }, filter.members));
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
