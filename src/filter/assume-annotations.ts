/** Conditions where it is known whether there are annotations. */
import { mapValues } from './map-values.ts';
import type { Condition, Value } from './tree.ts';

/** What a condition comes to for a row that has none of the annotations which it names. */
export function withoutAnnotations(condition: Condition): Condition {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return fold(condition.kind, condition.operands.map(withoutAnnotations));
    case 'annotated':
      return { kind: 'constant', value: condition.isNegated };
    default:
      return withoutValues(condition, (value) => (value.kind === 'annotation' ? null : value));
  }
}

/** What a condition on values comes to where collections are empty. */
export function withoutElements(condition: Condition, isEmpty: (collection: string) => boolean): Condition {
  return withoutValues(condition, (value) => {
    if (value.kind !== 'reduction' || value.over.of !== null || !isEmpty(value.over.collection)) return value;
    return value.reduction === 'len' || value.reduction === 'sum' ? ZERO : null;
  });
}

const ZERO: Value = { kind: 'literal', type: 'number', value: 0, text: '0' };

/** @param known what a value comes to, `null` where it is missing then */
function withoutValues(condition: Condition, known: (value: Value) => Value | null): Condition {
  const left = mapValues(condition, (value) => known(value) ?? undefined);
  if (left !== undefined) return left;
  // Of those that have no values nothing is missing; of the others missing values make all but one kind false.
  if (mapValues(condition, (value) => value) === undefined) return condition;
  const isMissing = condition.kind === 'absent' && !condition.isNegated;
  return { kind: 'constant', value: isMissing };
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
