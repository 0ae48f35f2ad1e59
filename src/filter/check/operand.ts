/** Values: constants, names, signs, arithmetic, and functions. */
import type { FieldType } from '../catalogue/catalogue.ts';
import type { Range } from '../diagnostic.ts';
import type { ArithmeticSyntax, CallSyntax, SignedSyntax, Syntax } from '../syntax.ts';
import type { Literal, Value } from '../tree.ts';

import { TYPE_NAMES } from './type-names.ts';
import { checkReduction, checkQuantifier, isQuantifier, isReduction } from './comprehension.ts';
import { nearestName } from './nearest-name.ts';
import { reportQuoteless } from './prose.ts';
import { resolveName } from './resolve-name.ts';
import type { Operand, PlacedValue, Scope } from './scope.ts';
import { requireValue } from './value.ts';

/** What a piece of a filter is, of which something can be asked; `undefined` where it is nothing, which is reported. */
export function checkOperand(scope: Scope, syntax: Syntax): Operand | undefined {
  const { start, end } = syntax;
  switch (syntax.kind) {
    case 'literal':
      if (syntax.isProse === true) reportQuoteless(scope, syntax);
      return placed(syntax, syntax.literal, syntax.literal.type);
    case 'none':
      return { kind: 'none', start, end };
    case 'path': {
      const resolved = resolveName(scope, syntax);
      // With the parentheses around it.
      return resolved === undefined ? undefined : { ...resolved, start, end };
    }
    case 'call':
      return checkCall(scope, syntax);
    case 'signed':
      return checkSigned(scope, syntax);
    case 'arithmetic':
      return checkArithmetic(scope, syntax);
    case 'list':
      scope.diagnostics.error('not_a_value', syntax, `the list ${scope.quote(syntax)} can only follow \`in\``);
      return undefined;
    case 'comprehension': {
      const message = `${scope.quote(syntax)} needs a function around it: any, all, sum, max, min or len`;
      scope.diagnostics.error('bad_comprehension', syntax, message);
      return undefined;
    }
    case 'comparison':
    case 'and':
    case 'or':
    case 'not': {
      const condition = scope.check.condition(scope, syntax, false);
      return condition === undefined ? undefined : { kind: 'condition', condition, start, end };
    }
    case 'invalid':
      return undefined;
  }
}

/** The functions there are. */
const FUNCTIONS = ['any', 'all', 'sum', 'max', 'min', 'len', 'float', 'int', 'str'] as const;

function checkCall(scope: Scope, call: CallSyntax): Operand | undefined {
  const { name } = call;
  if (isQuantifier(name)) return checkQuantifier(scope, call, name);
  if (isReduction(name)) return checkReduction(scope, call, name);
  if (name === 'float' || name === 'int' || name === 'str') return checkConversion(scope, call, name);
  const nearest = nearestName(name, FUNCTIONS);
  const advice = nearest === undefined ? `there are ${FUNCTIONS.join(', ')}` : `did you mean \`${nearest}\`?`;
  scope.diagnostics.error('unknown_name', call.nameRange, `there is no function \`${name}\`: ${advice}`, nearest);
  return undefined;
}

function checkConversion(scope: Scope, call: CallSyntax, name: 'float' | 'int' | 'str'): Operand | undefined {
  const [argument, extra] = call.args;
  if (argument === undefined || extra !== undefined) {
    scope.diagnostics.error('not_a_value', call, `\`${name}\` takes one value: write \`${name}(attributes['key'])\``);
    return undefined;
  }
  const operand = checkOperand(scope, argument);
  const value = operand === undefined ? undefined : requireValue(scope, operand);
  if (value === undefined) return undefined;
  const to = name === 'str' ? 'text' : 'number';
  if (value.type === to) return { ...value, start: call.start, end: call.end };
  const number = to === 'number' ? numberInText(value.value) : undefined;
  if (number !== undefined) return placed(call, number, 'number');
  const isConvertible = value.type === 'any' || (to === 'number' && value.type === 'text');
  if (isConvertible && value.value.kind !== 'literal') {
    return placed(call, { kind: 'convert', to, operand: value.value }, to);
  }
  const what = TYPE_NAMES[value.type];
  const message = `${scope.quote(value)} is ${what}: \`${name}\` is only for attributes, which can have any type`;
  scope.diagnostics.error('type_mismatch', call, message);
  return undefined;
}

/** The number that a constant text spells in decimal digits, as `float('1e3')` means it. */
function numberInText(constant: PlacedValue['value']): Literal | undefined {
  if (constant.kind !== 'literal' || constant.type !== 'text' || !DECIMAL_TEXT.test(constant.value)) return undefined;
  const value = Number(constant.value);
  if (!Number.isFinite(value)) return undefined;
  const text = WHOLE_TEXT.test(constant.value) ? BigInt(constant.value).toString() : String(value);
  return { kind: 'literal', type: 'number', value, text };
}

const WHOLE_TEXT = /^-?\d+$/;
const DECIMAL_TEXT = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

function checkSigned(scope: Scope, { sign, operand, ...range }: SignedSyntax): Operand | undefined {
  const checked = checkOperand(scope, operand);
  const value = checked === undefined ? undefined : requireNumber(scope, checked);
  if (value === undefined) return undefined;
  if (value.value.kind === 'literal' && value.value.type === 'number') {
    return placed(range, sign === '-' ? negated(value.value) : value.value, 'number');
  }
  if (sign === '-') return placed(range, { kind: 'negate', operand: value.value }, 'number');
  if (value.type !== 'any') return { ...value, start: range.start, end: range.end };
  return placed(range, { kind: 'convert', to: 'number', operand: value.value }, 'number');
}

function negated({ value, text }: Literal & { type: 'number' }): Literal {
  return { kind: 'literal', type: 'number', value: -value, text: text.startsWith('-') ? text.slice(1) : `-${text}` };
}

function checkArithmetic(scope: Scope, { operator, left, right, ...range }: ArithmeticSyntax): Operand | undefined {
  const [first, second] = [left, right].map((side) => {
    const operand = checkOperand(scope, side);
    return operand === undefined ? undefined : requireNumber(scope, operand);
  });
  if (first === undefined || second === undefined) return undefined;
  return placed(range, { kind: 'arithmetic', operator, left: first.value, right: second.value }, 'number');
}

/** A number, or an attribute, which is taken for one. */
function requireNumber(scope: Scope, operand: Operand): PlacedValue | undefined {
  const value = requireValue(scope, operand);
  if (value === undefined || value.type === 'number' || value.type === 'any') return value;
  const { value: constant } = value;
  const number = constant.kind === 'literal' ? String(constant.value).trim() : '';
  const repair = value.type === 'text' && /^\d+(?:\.\d+)?$/.test(number) ? number : undefined;
  const advice =
    repair === undefined
      ? value.type === 'date'
        ? 'the time between start and end is `latency_ms`'
        : 'arithmetic needs numbers'
      : `write ${repair} instead of ${scope.source(value)}`;
  scope.diagnostics.error(
    'type_mismatch',
    value,
    `${scope.quote(value)} is ${TYPE_NAMES[value.type]}: ${advice}`,
    repair,
  );
  return undefined;
}

function placed({ start, end }: Range, value: Value, type: FieldType): PlacedValue {
  return { kind: 'value', value, type, start, end };
}
