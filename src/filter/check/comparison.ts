/** Two sides of a comparison: whether they can be compared, and as what. */
import { quote } from '../diagnostic.ts';
import { numberOfAmount } from '../lex-amount.ts';
import { quoteText } from '../lex-text.ts';
import type { ComparisonSign, ComparisonStep } from '../syntax.ts';
import type { Comparison, Condition, Literal, Value } from '../tree.ts';
import { checkDate } from './dates.ts';
import { MISSING_EXAMPLE } from './examples.ts';
import { nearestName } from './nearest-name.ts';
import type { Operand, PlacedValue, Scope } from './scope.ts';
import { TYPE_NAMES } from './type-names.ts';
import { requireValue } from './value.ts';

type Operator = Comparison['operator'];

const NEGATED: Readonly<Record<Operator, Operator>> = {
  '==': '!=',
  '!=': '==',
  '<': '>=',
  '<=': '>',
  '>': '<=',
  '>=': '<',
};

/** The condition of `==`, `!=`, `<`, `<=`, `>`, `>=`, or its opposite; `undefined` where there is none, which is reported. */
export function checkComparison(
  scope: Scope,
  left: Operand,
  { operator, operatorRange }: ComparisonStep & { readonly operator: Operator },
  right: Operand,
  isNegated: boolean,
): Condition | undefined {
  const isEquality = operator === '==' || operator === '!=';
  const compared = left.kind === 'none' ? right : right.kind === 'none' ? left : undefined;
  if (compared !== undefined && isEquality) return checkAbsence(scope, compared, (operator === '!=') !== isNegated);
  if (compared !== undefined) {
    const message = `\`None\` has no order: write \`${scope.source(compared)} is not None\``;
    scope.diagnostics.error('bad_is', operatorRange, message);
    return undefined;
  }
  if (isEquality && reportTruth(scope, left, right, (operator === '!=') !== isNegated)) return undefined;
  const values = requireValues(scope, left, right);
  if (values === undefined) return undefined;
  const sides = matchSides(scope, values[0], values[1], isEquality);
  return sides === undefined
    ? undefined
    : { kind: 'compare', operator: isNegated ? NEGATED[operator] : operator, ...sides };
}

/** `any(…) == True` says nothing more than `any(…)`; whether that was reported. */
function reportTruth(scope: Scope, left: Operand, right: Operand, isOpposite: boolean): boolean {
  const [asked, constant] = left.kind === 'value' ? [right, left] : [left, right];
  const isTruth = constant.kind === 'value' && constant.value.kind === 'literal' && constant.value.type === 'boolean';
  if (!isTruth || (asked.kind !== 'condition' && asked.kind !== 'annotation')) return false;
  const isNot = (constant.value.value === false) !== isOpposite;
  const repair = `${isNot ? 'not ' : ''}${scope.source(asked)}`;
  const range = { start: Math.min(left.start, right.start), end: Math.max(left.end, right.end) };
  const message = `${scope.quote(asked)} is already true or false: write only ${quote(repair)}`;
  scope.diagnostics.error('not_a_value', range, message, repair);
  return true;
}

/** Whether something is missing, or its opposite. */
function checkAbsence(scope: Scope, operand: Operand, isNegated: boolean): Condition | undefined {
  if (operand.kind === 'parent') return { kind: 'parentless', isNegated, of: operand.of };
  if (operand.kind === 'annotation') {
    const repair = `${isNegated ? '' : 'not '}${scope.source(operand)}`;
    const message = `${scope.quote(operand)} is a test by itself: write \`${repair}\``;
    scope.diagnostics.error('bad_is', operand, message);
    return undefined;
  }
  const value = requireValue(scope, operand);
  if (value === undefined) return undefined;
  if (value.value.kind !== 'literal') return { kind: 'absent', isNegated, value: value.value };
  scope.diagnostics.error(
    'bad_is',
    value,
    `${scope.quote(value)} is never missing: ask for a name, as in \`${MISSING_EXAMPLE[scope.catalogue.grain]} is None\``,
  );
  return undefined;
}

/** `is` and `is not`, which ask for a constant. */
export function checkIdentity(
  scope: Scope,
  left: Operand,
  step: ComparisonStep & { readonly operator: Extract<ComparisonSign, 'is' | 'is not'> },
  right: Operand,
  isNegated: boolean,
): Condition | undefined {
  const operator = step.operator === 'is' ? '==' : '!=';
  const isConstant =
    right.kind === 'none' || (right.kind === 'value' && right.value.kind === 'literal' && right.type === 'boolean');
  if (isConstant) return checkComparison(scope, left, { ...step, operator }, right, isNegated);
  const message = `\`${step.operator}\` can be used only before None, True and False: write \`${operator}\``;
  scope.diagnostics.error('bad_is', step.operatorRange, message, operator);
  return undefined;
}

function requireValues(scope: Scope, left: Operand, right: Operand): readonly [PlacedValue, PlacedValue] | undefined {
  const [first, second] = [requireValue(scope, left), requireValue(scope, right)];
  return first === undefined || second === undefined ? undefined : [first, second];
}

type Sides = Pick<Comparison, 'left' | 'right' | 'as'>;

/** Both sides as what they are compared. */
function matchSides(scope: Scope, left: PlacedValue, right: PlacedValue, isEquality: boolean): Sides | undefined {
  const types = [left.type, right.type];
  const plain = (as: Comparison['as']): Sides => ({ left: left.value, right: right.value, as });
  if (types.includes('date')) return matchDates(scope, left, right);
  if (types.includes('boolean') && !isEquality) {
    const message = `True and False have no order: compare ${scope.quote(left.type === 'boolean' ? right : left)} with \`==\` or \`!=\``;
    scope.diagnostics.error('type_mismatch', between(left, right), message);
    return undefined;
  }
  const [first, second] = [left.type, right.type];
  if (first === 'any' && second === 'any') return plain(isEquality ? 'same' : 'number');
  const type = first === 'any' ? second : first;
  if (type === 'any' || type === 'date') return undefined;
  if (first !== 'any' && second !== 'any' && first !== second) return reportMismatch(scope, left, right);
  if (type !== 'text' || !isEquality) return plain(type);
  return { left: upperCased(scope, left, right), right: upperCased(scope, right, left), as: type };
}

function matchDates(scope: Scope, left: PlacedValue, right: PlacedValue): Sides | undefined {
  const [first, second] = [momentOf(scope, left, right), momentOf(scope, right, left)];
  return first === undefined || second === undefined ? undefined : { left: first, right: second, as: 'date' };
}

/** One side of a comparison of which the other may be a time. */
function momentOf(scope: Scope, side: PlacedValue, other: PlacedValue): Value | undefined {
  if (side.type === 'date') return side.value;
  const { value } = side;
  if (value.kind === 'literal' && value.type === 'text') return checkDate(scope, { ...side, value });
  const what = TYPE_NAMES[side.type];
  const date = DATE.test(scope.source(side)) ? `'${scope.source(side)}T00:00:00Z'` : undefined;
  const message = `${scope.quote(other)} is a time and ${scope.quote(side)} ${what}: compare it with a time, such as ${date ?? "'2026-07-01T00:00:00Z'"}`;
  scope.diagnostics.error('type_mismatch', side, message, date);
  return undefined;
}

const DATE = /^\d{4}-\d\d-\d\d$/;

/** Says that two values cannot be compared, and how the constant among them would be written. */
export function reportMismatch(scope: Scope, left: PlacedValue, right: PlacedValue): undefined {
  const [constant, other] = right.value.kind === 'literal' ? [right, left] : [left, right];
  const rewritten = constant.value.kind === 'literal' ? rewriteAs(constant.value, other) : undefined;
  const types = `${scope.quote(other)} is ${TYPE_NAMES[other.type]} and ${scope.quote(constant)} is ${TYPE_NAMES[constant.type]}`;
  if (rewritten === undefined) {
    scope.diagnostics.error('type_mismatch', between(left, right), `${types}: they cannot be compared`);
    return;
  }
  const message = `${types}: write ${rewritten} instead of ${scope.source(constant)}`;
  scope.diagnostics.error('type_mismatch', constant, message, rewritten);
}

/** The constant as one of the type; `undefined` where it cannot be. */
function rewriteAs(literal: Literal, { type, field }: PlacedValue): string | undefined {
  const text = literal.type === 'number' ? literal.text : String(literal.value);
  if (type === 'text') return literal.type === 'number' ? quoteText(text) : undefined;
  if (type === 'number') return rewriteAsNumber(text.trim(), field?.name.endsWith('_ms') === true);
  if (type !== 'boolean') return undefined;
  if (/^(?:true|1)$/i.test(text)) return 'True';
  return /^(?:false|0)$/i.test(text) ? 'False' : undefined;
}

function rewriteAsNumber(text: string, isTime: boolean): string | undefined {
  if (/^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)) return text;
  return isTime ? numberOfAmount(text) : undefined;
}

/** Fields with a fixed list of values have them in upper case; any other value gives a warning. */
export function upperCased(scope: Scope, side: PlacedValue, other: Pick<PlacedValue, 'field'>): Value {
  const { value } = side;
  const values = other.field?.values;
  if (values === undefined || value.kind !== 'literal' || value.type !== 'text') return value;
  const upper = value.value.toUpperCase();
  if (!values.includes(upper)) {
    const nearest = nearestName(upper, values);
    const advice = nearest === undefined ? `there are ${values.join(', ')}` : `did you mean '${nearest}'?`;
    const message = `no \`${other.field?.name ?? ''}\` is ${scope.quote(side)}: ${advice}`;
    scope.diagnostics.warning('doubtful_value', side, message, nearest === undefined ? undefined : quoteText(nearest));
  }
  return { ...value, value: upper };
}

function between(left: PlacedValue, right: PlacedValue): { readonly start: number; readonly end: number } {
  return { start: left.start, end: right.end };
}
