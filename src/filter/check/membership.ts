/** `in` and `not in`: a value in a list, or a text in a text. */
import { quoteText } from '../lex-text.ts';
import type { ListSyntax, Syntax } from '../syntax.ts';
import type { Condition, Literal } from '../tree.ts';
import { reportMismatch, upperCased } from './comparison.ts';
import { TYPE_NAMES } from './type-names.ts';
import { checkDate } from './dates.ts';
import type { Operand, PlacedValue, Scope } from './scope.ts';
import { requireValue } from './value.ts';

/** The condition that a value is in a list; `undefined` where there is none, which is reported. */
export function checkMember(scope: Scope, left: Operand, list: ListSyntax, isNegated: boolean): Condition | undefined {
  const literals = list.items.map((item) => checkItem(scope, item, left));
  const value = requireValue(scope, left);
  if (value === undefined) return undefined;
  if (value.value.kind === 'literal') {
    const message = `${scope.quote(value)} is a constant: only names can be compared with lists`;
    scope.diagnostics.error('bad_list', value, message);
    return undefined;
  }
  const items = literals.filter((item) => item !== undefined);
  if (items.length < literals.length || isMixed(scope, items)) return undefined;
  const checked = items.map((item) => matchItem(scope, value, item));
  const known = checked.filter((item) => item !== undefined);
  return known.length < checked.length ? undefined : { kind: 'member', isNegated, value: value.value, list: known };
}

type PlacedLiteral = PlacedValue & { readonly value: Exclude<Literal, { type: 'date' }> };

function checkItem(scope: Scope, item: Syntax, of: Operand): PlacedLiteral | undefined {
  if (item.kind === 'invalid') return undefined;
  const operand = item.kind === 'literal' || item.kind === 'signed' ? scope.check.operand(scope, item) : undefined;
  if (operand?.kind === 'value' && operand.value.kind === 'literal' && operand.value.type !== 'date') {
    return { ...operand, value: operand.value };
  }
  const quoted = item.kind === 'path' && item.steps.length === 0 ? quoteText(item.name) : undefined;
  const constants = quoted === undefined ? 'write texts, numbers, True or False' : `write ${quoted} for a text`;
  const advice = item.kind === 'none' ? `ask for it separately, as in \`or ${scope.source(of)} is None\`` : constants;
  scope.diagnostics.error('bad_list', item, `${scope.quote(item)} cannot be in a list: ${advice}`, quoted);
  return undefined;
}

function isMixed(scope: Scope, items: readonly PlacedLiteral[]): boolean {
  const [first] = items;
  const other = items.find(({ type }) => type !== first?.type);
  if (first === undefined || other === undefined) return false;
  const [a, b] = [scope.quote(first), scope.quote(other)];
  scope.diagnostics.error('bad_list', other, `the list has ${a} and ${b}, which have different types: write two lists`);
  return true;
}

function matchItem(scope: Scope, value: PlacedValue, item: PlacedLiteral): Literal | undefined {
  if (value.type === 'date') return checkDate(scope, item);
  if (value.type !== 'any' && value.type !== item.type) {
    reportMismatch(scope, value, item);
    return undefined;
  }
  const literal = upperCased(scope, item, value);
  return literal.kind === 'literal' ? literal : undefined;
}

/** The condition that a text holds another, whatever the case; `undefined` where there is none, which is reported. */
export function checkContains(scope: Scope, left: Operand, right: Operand, isNegated: boolean): Condition | undefined {
  const part = requireValue(scope, left);
  if (right.kind === 'anyText') {
    return part === undefined ? undefined : checkAnyText(scope, part, right, isNegated);
  }
  const text = requireValue(scope, right);
  if (part === undefined || text === undefined) return undefined;
  if (text.type !== 'text' && text.type !== 'any') {
    const message = `\`in\` looks for a text in a text, or for a value in a list: ${scope.quote(text)} is ${TYPE_NAMES[text.type]}`;
    scope.diagnostics.error('type_mismatch', text, message);
    return undefined;
  }
  if (!isText(scope, part)) return undefined;
  warnOfText(scope, text, part);
  return { kind: 'contains', isNegated, text: text.value, part: part.value };
}

/** In no or in any of the inputs of a session: asked of each root span. */
function checkAnyText(
  scope: Scope,
  part: PlacedValue,
  { field }: Operand & { kind: 'anyText' },
  isNegated: boolean,
): Condition | undefined {
  if (!isText(scope, part)) return undefined;
  if (part.value.kind !== 'literal') {
    scope.diagnostics.error(
      'not_a_value',
      part,
      `${scope.quote(part)} is not a constant: write a text, such as 'refund'`,
    );
    return undefined;
  }
  const variable = 'root';
  return {
    kind: 'quantifier',
    quantifier: 'any',
    isNegated,
    over: { collection: 'root_spans', of: null, variable, where: null },
    test: {
      kind: 'contains',
      isNegated: false,
      text: { kind: 'field', name: field, of: variable, isOfParent: false },
      part: part.value,
    },
  };
}

function isText(scope: Scope, part: PlacedValue): boolean {
  if (part.type === 'text' || part.type === 'any') return true;
  const isConstant = part.value.kind === 'literal';
  const quoted = quoteText(scope.source(part));
  const advice = isConstant ? `: write ${quoted} instead of ${scope.source(part)}` : '';
  const message = `only a text can be in a text, and ${scope.quote(part)} is ${TYPE_NAMES[part.type]}${advice}`;
  scope.diagnostics.error('type_mismatch', part, message, isConstant ? quoted : undefined);
  return false;
}

/** `name in ('a')` looks like a list and is none. */
function warnOfText(scope: Scope, text: PlacedValue, part: PlacedValue): void {
  const source = scope.source(text);
  if (text.value.kind !== 'literal' || part.value.kind === 'literal' || !source.startsWith('(')) return;
  const repair = `[${source.slice(1, -1).trim()}]`;
  const message = `${scope.quote(text)} is a text in which ${scope.quote(part)} is looked for: write ${repair} for a list`;
  scope.diagnostics.warning('doubtful_value', text, message, repair);
}
