/** What the scope of a list of spans asks of them. */
import type { Condition } from '#filter/tree';
import type { SpanScope } from '../../spans/browse-port.ts';
import { conjunction, NAMES_NO_PARENT } from '../discrete-filter.ts';
import type { TraceNarrowing } from './owned-batches.ts';

/** Of each span. */
export function conditionOf(spans: SpanScope): Condition {
  const operands = spans.condition === undefined ? [] : [spans.condition];
  if ('rootsOnly' in spans && spans.rootsOnly) operands.push(NAMES_NO_PARENT);
  return conjunction(operands) ?? { kind: 'constant', value: true };
}

/** Of its trace; `null` for nothing. */
export function narrowingOf(spans: SpanScope): TraceNarrowing | null {
  if ('traceRowId' in spans || spans.traceCondition === undefined) return null;
  const { projectRowId, traceCondition: condition, startTimeUs } = spans;
  return { projectRowId, condition, startTimeUs };
}
