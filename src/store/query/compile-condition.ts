/** Conditions of filters over batches. */
import {
  type Comparable,
  compareScalars,
  type ComparisonOperator,
  foldCase,
  holdsFolded,
  literalValue,
  memberKey,
  toNumber,
  toText,
} from '#filter/compare';
import type { Comparison, Condition, Literal, Value } from '#filter/tree';
import { PARENT_STATES } from '../columns/batch.ts';
import { compileCollections } from './compile-collections.ts';
import { compileSet } from './compile-set.ts';
import { type CompiledCondition, type CompiledValue, compileValue, type Needs } from './compile-value.ts';
import type { BatchView } from './span-fields.ts';
import { markUncertain, testVector, testVectors, type Vector } from './vectors.ts';
import { areAll, NO, narrow, UNCERTAIN, type Verdicts, verdictsOf, widen, YES } from './verdicts.ts';

/** The rows of the traces that filters name by their ids. */
export type TraceRowIds = ReadonlyMap<string, number>;

/** Compiles a condition on spans, and notes what it needs. */
export function compileCondition(condition: Condition, needs: Needs, traces: TraceRowIds | null): CompiledCondition {
  switch (condition.kind) {
    case 'constant':
      return constant(condition.value);
    case 'and':
    case 'or': {
      const operands = condition.operands.map((operand) => compileCondition(operand, needs, traces));
      const [join, end] = condition.kind === 'and' ? ([all, NO] as const) : ([any, YES] as const);
      const last = condition.isLastDecisive ? operands.pop() : undefined;
      return last === undefined ? join(operands) : firstBy(last, join(operands), end);
    }
    default:
      return compileCollections(condition, needs) ?? compilePredicate(condition, needs, traces);
  }
}

type Predicate = Exclude<Condition, { readonly kind: 'constant' | 'and' | 'or' }>;

function compilePredicate(condition: Predicate, needs: Needs, traces: TraceRowIds | null): CompiledCondition {
  switch (condition.kind) {
    case 'compare':
      return compileTraceIds(condition, needs, traces) ?? compileComparison(condition, needs);
    case 'member':
      return (
        (condition.isNegated ? undefined : compileTraceList(condition.value, condition.list, needs, traces)) ??
        compileMember(condition, needs)
      );
    case 'contains':
      return compileContains(condition, needs);
    case 'absent': {
      if (condition.asked === 'text') return compileText(condition, needs);
      const { read, weight } = compileValue(condition.value, needs);
      const holds = (value: unknown) => (value === undefined || value === null) !== condition.isNegated;
      return { decide: (view) => testVector(read(view), holds, view.batch.rowCount), weight };
    }
    case 'parentless':
      return condition.of === null ? compileParentless(condition.isNegated, needs) : uncertain(needs);
    case 'inSet':
      return compileSet(condition, needs);
    case 'annotated':
      // What sets do not tell of annotations is read with them.
      return uncertain(needs);
    case 'quantifier':
      return uncertain(needs);
  }
}

function constant(value: boolean): CompiledCondition {
  return { decide: ({ batch }) => verdictsOf(batch.rowCount, value ? YES : NO), weight: 0 };
}

function uncertain(needs: Needs): CompiledCondition {
  needs.mayBeUncertain = true;
  return { decide: ({ batch }) => verdictsOf(batch.rowCount, UNCERTAIN), weight: 0 };
}

function all(operands: readonly CompiledCondition[]): CompiledCondition {
  return chain(operands, narrow, NO, YES);
}

function any(operands: readonly CompiledCondition[]): CompiledCondition {
  return chain(operands, widen, YES, NO);
}

/** What the first leaves open, others may end. */
function firstBy(first: CompiledCondition, others: CompiledCondition, end: typeof NO | typeof YES): CompiledCondition {
  return {
    decide: (view) => {
      const verdicts = first.decide(view);
      if (!verdicts.includes(UNCERTAIN)) return verdicts;
      const said = others.decide(view);
      return verdicts.map((verdict, row) => (verdict === UNCERTAIN && said[row] === end ? end : verdict));
    },
    weight: first.weight,
  };
}

/** The cheapest first; once every row is decided, the others are not asked. */
function chain(
  operands: readonly CompiledCondition[],
  join: (verdicts: Verdicts, by: Verdicts) => void,
  end: typeof NO | typeof YES,
  ofNone: typeof NO | typeof YES,
): CompiledCondition {
  const [first, ...others] = operands.toSorted((a, b) => a.weight - b.weight);
  if (first === undefined) return constant(ofNone === YES);
  return {
    decide: (view) => {
      const verdicts = first.decide(view);
      for (const other of others) {
        if (areAll(verdicts, end)) break;
        join(verdicts, other.decide(view));
      }
      return verdicts;
    },
    weight: operands.reduce((sum, { weight }) => sum + weight, 0),
  };
}

function compileComparison({ operator, left, right, as }: Comparison, needs: Needs): CompiledCondition {
  const [a, b] = [compileValue(left, needs), compileValue(right, needs)];
  const weight = a.weight + b.weight;
  const text = operator === '==' && as === 'text' && right.kind === 'literal' ? toText(literalValue(right)) : undefined;
  if (text !== undefined) {
    // What most filters ask of columns of many values.
    const holds = (value: Comparable) => value === text || (typeof value !== 'string' && toText(value) === text);
    return { decide: (view) => testVector(a.read(view), holds, view.batch.rowCount), weight };
  }
  if (as === 'number' || as === 'date')
    return {
      decide: (view) => {
        const [first, second] = [a.read(view), b.read(view)];
        return (
          compareNumbers(operator, first, second) ??
          testVectors(first, second, (x, y) => compareScalars(operator, x, y, as), view.batch.rowCount)
        );
      },
      weight,
    };
  return {
    decide: (view) =>
      testVectors(a.read(view), b.read(view), (x, y) => compareScalars(operator, x, y, as), view.batch.rowCount),
    weight,
  };
}

/** A column of numbers beside one number, which is what most filters compare; `undefined` for anything else. */
function compareNumbers(operator: ComparisonOperator, left: Vector, right: Vector): Verdicts | undefined {
  if (left.kind === 'constant' && right.kind === 'numbers') return compareNumbers(MIRRORED[operator], right, left);
  if (left.kind !== 'numbers' || right.kind !== 'constant') return undefined;
  const { values } = left;
  const verdicts = new Uint8Array(values.length);
  const bound = toNumber(right.value);
  if (bound === undefined) return markUncertain(verdicts, left);
  const test = NUMBER_TESTS[operator];
  test(values, bound, verdicts);
  return markUncertain(verdicts, left);
}

const MIRRORED = { '==': '==', '!=': '!=', '<': '>', '<=': '>=', '>': '<', '>=': '<=' } as const;

/** One loop for each operator, which is then compiled for it. NaN, which is missing, is in no order with anything. */
const NUMBER_TESTS: Readonly<Record<ComparisonOperator, (values: Float64Array, bound: number, to: Verdicts) => void>> =
  {
    '==': (values, bound, to) => {
      for (let row = 0; row < values.length; row++) if (values[row] === bound) to[row] = YES;
    },
    '!=': (values, bound, to) => {
      for (let row = 0; row < values.length; row++) {
        const value = values[row] ?? Number.NaN;
        if (!Number.isNaN(value) && value !== bound) to[row] = YES;
      }
    },
    '<': (values, bound, to) => {
      for (let row = 0; row < values.length; row++) if ((values[row] ?? Number.NaN) < bound) to[row] = YES;
    },
    '<=': (values, bound, to) => {
      for (let row = 0; row < values.length; row++) if ((values[row] ?? Number.NaN) <= bound) to[row] = YES;
    },
    '>': (values, bound, to) => {
      for (let row = 0; row < values.length; row++) if ((values[row] ?? Number.NaN) > bound) to[row] = YES;
    },
    '>=': (values, bound, to) => {
      for (let row = 0; row < values.length; row++) if ((values[row] ?? Number.NaN) >= bound) to[row] = YES;
    },
  };

type Member = Extract<Condition, { readonly kind: 'member' }>;

function compileMember({ isNegated, value, list }: Member, needs: Needs): CompiledCondition {
  const { read, weight } = compileValue(value, needs);
  const type = list[0]?.type ?? 'text';
  const keys = new Set(list.map((literal) => memberKey(literalValue(literal), type)));
  return {
    decide: (view) =>
      testVector(
        read(view),
        (one) => {
          const key = memberKey(one, type);
          return key !== undefined && keys.has(key) !== isNegated;
        },
        view.batch.rowCount,
      ),
    weight,
  };
}

type Contains = Extract<Condition, { readonly kind: 'contains' }>;

function compileContains({ isNegated, text, part }: Contains, needs: Needs): CompiledCondition {
  const [whole, wanted] = [compileValue(text, needs), compileValue(part, needs)];
  return {
    decide: (view) => decideContains(view, whole, wanted, isNegated),
    weight: (whole.weight + wanted.weight) * 2,
  };
}

function decideContains(view: BatchView, whole: CompiledValue, wanted: CompiledValue, isNegated: boolean): Verdicts {
  const { rowCount } = view.batch;
  const [text, part] = [whole.read(view), wanted.read(view)];
  if (part.kind === 'constant') {
    const wantedText = toText(part.value);
    const folded = wantedText === undefined ? undefined : foldCase(wantedText);
    return testVector(
      text,
      (value) => folded !== undefined && toText(value) !== undefined && holdsFolded(value, folded) !== isNegated,
      rowCount,
    );
  }
  return testVectors(
    text,
    part,
    (value, wantedValue) => {
      const wantedText = toText(wantedValue);
      if (wantedText === undefined || toText(value) === undefined) return false;
      return holdsFolded(value, foldCase(wantedText)) !== isNegated;
    },
    rowCount,
  );
}

/** Whether an attribute is a text. One that rows leave out may be a list, which the index of words knows as it knows texts. */
function compileText({ value, isNegated }: Condition & { kind: 'absent' }, needs: Needs): CompiledCondition {
  const { read, weight } = compileValue(value, needs);
  return {
    decide: (view) => {
      const verdicts = testVector(read(view), (one) => (typeof one === 'string') === isNegated, view.batch.rowCount);
      if (value.kind === 'attribute')
        for (const row of view.batch.attribute(value.path).leftOut) verdicts[row] = isNegated ? YES : NO;
      return verdicts;
    },
    weight,
  };
}

function compileParentless(isNegated: boolean, needs: Needs): CompiledCondition {
  needs.columns.add('parent_state');
  return {
    decide: ({ batch }) => {
      const states = batch.numbers('parent_state');
      const verdicts = new Uint8Array(batch.rowCount);
      for (let row = 0; row < verdicts.length; row++)
        if ((states[row] !== PARENT_STATES.stored) !== isNegated) verdicts[row] = YES;
      return verdicts;
    },
    weight: 1,
  };
}

/** Ids of traces are not in batches, but their rows are. */
function compileTraceIds(
  { operator, left, right, as }: Comparison,
  needs: Needs,
  traces: TraceRowIds | null,
): CompiledCondition | undefined {
  if (operator !== '==' || (as !== 'text' && as !== 'exact')) return undefined;
  if (isTraceId(left) && right.kind === 'literal') return compileTraceList(left, [right], needs, traces);
  if (isTraceId(right) && left.kind === 'literal') return compileTraceList(right, [left], needs, traces);
  return undefined;
}

function compileTraceList(
  value: Value,
  list: readonly Literal[],
  needs: Needs,
  traces: TraceRowIds | null,
): CompiledCondition | undefined {
  if (traces === null || !isTraceId(value) || list.some(({ type }) => type !== 'text')) return undefined;
  needs.columns.add('trace_row_id');
  const wanted = new Set(list.map((literal) => traces.get(String(literal.value))));
  return {
    decide: ({ batch }) => Uint8Array.from(batch.numbers('trace_row_id'), (rowId) => (wanted.has(rowId) ? YES : NO)),
    weight: 1,
  };
}

/** Whether it is the id of the span's trace. */
export function isTraceId(value: Value): boolean {
  return value.kind === 'field' && value.of === null && !value.isOfParent && value.name === 'trace_id';
}
