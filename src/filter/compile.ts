/** Makes functions of conditions and values: what can be prepared is, once, since they are asked of many rows. */
import { JsonNumber } from '#base/json';
import {
  calculate,
  type Comparable,
  compareScalars,
  foldCase,
  holdsFolded,
  literalValue,
  memberKey,
  toNumber,
  toText,
} from './compare.ts';
import { annotationKey, type Environment, subjectOf } from './environment.ts';
import type { FilterSubject } from './subject.ts';
import type { Condition, Iteration, Literal, Value } from './tree.ts';

/** Whether it is so. */
export type Test = (environment: Environment) => boolean;

/** What a value is; `undefined` and null are missing. */
type Read = (environment: Environment) => Comparable;

/** A condition as a function. Annotations that it names must be chosen in the environment. */
export function compileTest(condition: Condition): Test {
  switch (condition.kind) {
    case 'constant':
      return () => condition.value;
    case 'and': {
      const tests = condition.operands.map(compileTest);
      return (environment) => tests.every((test) => test(environment));
    }
    case 'or': {
      const tests = condition.operands.map(compileTest);
      return (environment) => tests.some((test) => test(environment));
    }
    case 'compare': {
      const { operator, as } = condition;
      const [left, right] = [compileValue(condition.left), compileValue(condition.right)];
      return (environment) => compareScalars(operator, left(environment), right(environment), as);
    }
    case 'member':
      return compileMember(condition);
    case 'contains':
      return compileContains(condition);
    case 'absent': {
      const read = compileValue(condition.value);
      const isAbsent = condition.asked === 'text' ? isNoText : isMissing;
      return (environment) => isAbsent(read(environment)) !== condition.isNegated;
    }
    case 'parentless':
      return (environment) => subjectOf(environment, condition.of).isParentless() !== condition.isNegated;
    case 'inSet':
      return (environment) => subjectOf(environment, condition.of).isIn(condition.set) !== condition.isNegated;
    case 'annotated': {
      const key = annotationKey(condition.annotation);
      return ({ annotations }) => ((annotations.get(key) ?? null) === null) === condition.isNegated;
    }
    case 'quantifier':
      return compileQuantifier(condition);
  }
}

function compileMember({ value, list, isNegated }: Condition & { kind: 'member' }): Test {
  const read = compileValue(value);
  const [first] = list;
  if (first === undefined) return (environment) => isNegated && !isMissing(read(environment));
  const { type } = first;
  const keys = new Set(list.map((literal) => memberKey(literalValue(literal), type)));
  return (environment) => {
    const key = memberKey(read(environment), type);
    return key !== undefined && keys.has(key) !== isNegated;
  };
}

function compileContains({ text, part, isNegated }: Condition & { kind: 'contains' }): Test {
  const read = compileValue(text);
  if (part.kind === 'literal' && part.type === 'text') {
    const folded = foldCase(part.value);
    return (environment) => {
      const value = read(environment);
      return !isMissing(value) && holdsFolded(value, folded) !== isNegated;
    };
  }
  const readPart = compileValue(part);
  return (environment) => {
    const [value, wanted] = [read(environment), toText(readPart(environment))];
    return !isMissing(value) && wanted !== undefined && holdsFolded(value, foldCase(wanted)) !== isNegated;
  };
}

function compileQuantifier({ quantifier, over, test, isNegated }: Condition & { kind: 'quantifier' }): Test {
  const walk = compileIteration(over);
  const holds = compileTest(test);
  return (environment) => {
    for (const inside of walk(environment)) {
      // One element that fulfils it decides `any`, one that does not decides `all`.
      if (holds(inside) === (quantifier === 'any')) return (quantifier === 'any') !== isNegated;
    }
    return (quantifier === 'all') !== isNegated;
  };
}

/** The environments of the elements. */
function compileIteration({
  collection,
  of,
  variable,
  where,
}: Iteration): (around: Environment) => Iterable<Environment> {
  const isWanted = where === null ? () => true : compileTest(where);
  return function* walk(around) {
    for (const element of subjectOf(around, of).collection(collection)) {
      const inside = enter(around, variable, element);
      if (isWanted(inside)) yield inside;
    }
  };
}

function enter({ row, elements, annotations }: Environment, variable: string, element: FilterSubject): Environment {
  return { row, elements: { variable, element, outer: elements }, annotations };
}

function compileValue(value: Value): Read {
  switch (value.kind) {
    case 'literal': {
      const constant = literalValue(value satisfies Literal);
      return () => constant;
    }
    case 'field':
      return (environment) => subjectOf(environment, value.of).field(value.name, value.isOfParent);
    case 'attribute':
      return (environment) => subjectOf(environment, value.of).attribute(value.path);
    case 'annotation': {
      const key = annotationKey(value.annotation);
      return ({ annotations }) => annotations.get(key)?.[value.member];
    }
    case 'arithmetic': {
      const [left, right] = [compileValue(value.left), compileValue(value.right)];
      return (environment) => calculate(value.operator, left(environment), right(environment));
    }
    case 'negate': {
      const read = compileValue(value.operand);
      return (environment) => calculate('-', 0, read(environment));
    }
    case 'convert': {
      const read = compileValue(value.operand);
      return value.to === 'text'
        ? (environment) => toText(read(environment))
        : (environment) => asNumber(read(environment));
    }
    case 'reduction':
      return compileReduction(value);
  }
}

function compileReduction({ reduction, over, value }: Value & { kind: 'reduction' }): Read {
  const walk = compileIteration(over);
  if (reduction === 'len' || value === null) return (environment) => [...walk(environment)].length;
  const read = compileValue(value);
  return (environment) => {
    let result: number | undefined = reduction === 'sum' ? 0 : undefined;
    for (const inside of walk(environment)) {
      const number = toNumber(read(inside));
      if (number === undefined) continue;
      if (result === undefined) result = number;
      else if (reduction === 'sum') result += number;
      else result = reduction === 'max' ? Math.max(result, number) : Math.min(result, number);
    }
    return Number.isFinite(result) ? result : undefined;
  };
}

/** A number with all its digits. */
export function asNumber(value: Comparable): Comparable {
  const number = toNumber(value);
  return number !== undefined && value instanceof JsonNumber ? value : number;
}

function isMissing(value: Comparable): boolean {
  return value === undefined || value === null;
}

function isNoText(value: Comparable): boolean {
  return typeof value !== 'string';
}
