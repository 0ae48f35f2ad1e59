/** Conditions where it is known whether there are annotations. */
import { mentionsOf } from './mentions.ts';
import type { Condition, Value } from './tree.ts';

/** What a condition comes to for a row that has none of the annotations which it names. */
export function withoutAnnotations(condition: Condition): Condition {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return fold(condition.kind, condition.operands.map(withoutAnnotations));
    case 'annotated':
      return { kind: 'constant', value: condition.isNegated };
    case 'absent':
      return isOfAnnotation(condition.value) ? { kind: 'constant', value: !condition.isNegated } : condition;
    default:
      // Missing values make all others false.
      return mentionsOf(condition).annotations.length === 0 ? condition : { kind: 'constant', value: false };
  }
}

/** What a condition comes to for a row that has all of the annotations which it names. */
export function withAnnotation(condition: Condition): Condition {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return fold(condition.kind, condition.operands.map(withAnnotation));
    case 'annotated':
      return { kind: 'constant', value: !condition.isNegated };
    default:
      return condition;
  }
}

function fold(kind: 'and' | 'or', operands: readonly Condition[]): Condition {
  const isDecisive = (operand: Condition) => operand.kind === 'constant' && operand.value === (kind === 'or');
  if (operands.some(isDecisive)) return { kind: 'constant', value: kind === 'or' };
  const open = operands.filter(({ kind: of }) => of !== 'constant');
  const [first, ...others] = open;
  if (first === undefined) return { kind: 'constant', value: kind === 'and' };
  return others.length === 0 ? first : { kind, operands: open };
}

/** Whether it is missing without the annotation: a value that is calculated from a missing one is missing, too. */
function isOfAnnotation(value: Value): boolean {
  switch (value.kind) {
    case 'annotation':
      return true;
    case 'arithmetic':
      return isOfAnnotation(value.left) || isOfAnnotation(value.right);
    case 'negate':
    case 'convert':
      return isOfAnnotation(value.operand);
    default:
      return false;
  }
}
