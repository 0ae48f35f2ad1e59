import type { Condition } from '../tree.ts';

/** Conditions joined; those that are joined in the same way already are taken apart, and a single one stays itself. */
export function joinConditions(kind: 'and' | 'or', conditions: readonly Condition[]): Condition {
  const operands = conditions.flatMap((condition) => (condition.kind === kind ? condition.operands : [condition]));
  const [first] = operands;
  return operands.length === 1 && first !== undefined ? first : { kind, operands };
}
