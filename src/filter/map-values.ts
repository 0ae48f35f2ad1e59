/** Conditions with some of their values, or some of their loops, replaced. */
import type { Condition, Iteration, Value } from './tree.ts';

/** What stands in the place of a value that is not made of others; `undefined` where nothing can. */
export type MapValue = (value: Value) => Value | undefined;

/** The condition with its values replaced; `undefined` where one cannot be, or where it asks for anything but values. */
export function mapValues(condition: Condition, map: MapValue): Condition | undefined {
  switch (condition.kind) {
    case 'constant':
      return condition;
    case 'and':
    case 'or': {
      const operands = condition.operands.map((operand) => mapValues(operand, map));
      const known = operands.filter((operand) => operand !== undefined);
      return known.length === operands.length ? { ...condition, operands: known } : undefined;
    }
    case 'compare': {
      const [left, right] = [mapValue(condition.left, map), mapValue(condition.right, map)];
      return left && right && { ...condition, left, right };
    }
    case 'contains': {
      const [text, part] = [mapValue(condition.text, map), mapValue(condition.part, map)];
      return text && part && { ...condition, text, part };
    }
    case 'member':
    case 'absent': {
      const value = mapValue(condition.value, map);
      return value && { ...condition, value };
    }
    case 'parentless':
    case 'annotated':
    case 'inSet':
    case 'quantifier':
      return undefined;
  }
}

function mapValue(value: Value, map: MapValue): Value | undefined {
  switch (value.kind) {
    case 'arithmetic': {
      const [left, right] = [mapValue(value.left, map), mapValue(value.right, map)];
      return left && right && { ...value, left, right };
    }
    case 'negate':
    case 'convert': {
      const operand = mapValue(value.operand, map);
      return operand && { ...value, operand };
    }
    default:
      return map(value);
  }
}

/** The conditions that a condition asks of elements. */
export type Quantifier = Extract<Condition, { readonly kind: 'quantifier' }>;

/** The condition with each `any` and `all` replaced, those inside of others first. */
export function mapQuantifiers(condition: Condition, map: (quantifier: Quantifier) => Condition): Condition {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return { ...condition, operands: condition.operands.map((operand) => mapQuantifiers(operand, map)) };
    case 'quantifier': {
      const { over, test } = condition;
      return map({ ...condition, over: mapIteration(over, map), test: mapQuantifiers(test, map) });
    }
    default:
      return mapValues(condition, (value) => mapReduction(value, map)) ?? condition;
  }
}

function mapReduction(value: Value, map: (quantifier: Quantifier) => Condition): Value {
  if (value.kind !== 'reduction') return value;
  return { ...value, over: mapIteration(value.over, map) };
}

function mapIteration(over: Iteration, map: (quantifier: Quantifier) => Condition): Iteration {
  return over.where === null ? over : { ...over, where: mapQuantifiers(over.where, map) };
}
