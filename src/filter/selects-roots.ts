import type { Condition } from './tree.ts';

/** Whether only spans without a stored parent can fulfil the condition; `false` where that cannot be told from it. */
export function selectsRootsOnly(condition: Condition): boolean {
  switch (condition.kind) {
    case 'and':
      return condition.operands.some(selectsRootsOnly);
    case 'or':
      return condition.operands.every(selectsRootsOnly);
    case 'parentless':
      return !condition.isNegated && condition.of === null;
    case 'absent': {
      const { value, isNegated } = condition;
      return !isNegated && value.kind === 'field' && value.of === null && value.name === 'parent_id';
    }
    case 'constant':
      return !condition.value;
    default:
      return false;
  }
}
