/** The discrete parameters of lists of traces as conditions of the filter language. */
import type { Condition, Value } from '#filter/tree';
import type { TraceFilter } from '../../spans/port.ts';
import { conjunction } from '../discrete-filter.ts';

/** The condition and what else narrows the list. */
export function traceCondition(
  condition: Condition,
  { hasErrors, minLatencyUs, maxLatencyUs }: Pick<TraceFilter, 'hasErrors' | 'minLatencyUs' | 'maxLatencyUs'>,
): Condition {
  const operands: Condition[] = [condition];
  if (hasErrors !== undefined) operands.push(compare('error_count', hasErrors ? '>' : '==', 0));
  if (minLatencyUs !== undefined) operands.push(compare('latency_ms', '>=', minLatencyUs / 1000));
  if (maxLatencyUs !== undefined) operands.push(compare('latency_ms', '<=', maxLatencyUs / 1000));
  return conjunction(operands) ?? condition;
}

function compare(name: string, operator: '>' | '==' | '>=' | '<=', bound: number): Condition {
  const left: Value = { kind: 'field', name, of: null, isOfParent: false };
  const right: Value = { kind: 'literal', type: 'number', value: bound, text: String(bound) };
  return { kind: 'compare', operator, left, right, as: 'number' };
}
