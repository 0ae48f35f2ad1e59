/** Conditions: the parts of a filter that are true or false. Negations are carried down to what they negate. */
import type { Range } from '../diagnostic.ts';
import type { ComparisonStep, ComparisonSyntax, Syntax } from '../syntax.ts';
import type { Condition } from '../tree.ts';
import { MISSING_EXAMPLE, NUMBER_EXAMPLE, TEXT_EXAMPLE } from './examples.ts';
import { checkComparison, checkIdentity } from './comparison.ts';
import { joinConditions } from './join.ts';
import { checkContains, checkMember } from './membership.ts';
import { checkOperand } from './operand.ts';
import { reportProse } from './prose.ts';
import type { CheckFunctions, Operand, Scope } from './scope.ts';
import { reportLoneWord, reportUnquoted, warnOfWord } from './unquoted.ts';

/** The entry points of the checker. */
export const CHECK_FUNCTIONS: CheckFunctions = { condition: checkCondition, operand: checkOperand };

function checkCondition(scope: Scope, syntax: Syntax, isNegated: boolean): Condition | undefined {
  switch (syntax.kind) {
    case 'and':
    case 'or': {
      const kind = (syntax.kind === 'and') === isNegated ? 'or' : 'and';
      return join(
        kind,
        syntax.operands.map((operand) => checkCondition(scope, operand, isNegated)),
      );
    }
    case 'not':
      return checkCondition(scope, syntax.operand, !isNegated);
    case 'comparison':
      return checkChain(scope, syntax, isNegated);
    case 'literal':
      if (syntax.literal.type === 'boolean') return { kind: 'constant', value: syntax.literal.value !== isNegated };
      break;
    default:
      break;
  }
  if (reportProse(scope, syntax) || reportLoneWord(scope, syntax)) return undefined;
  const operand = checkOperand(scope, syntax);
  return operand === undefined ? undefined : asCondition(scope, operand, isNegated);
}

function join(kind: 'and' | 'or', conditions: readonly (Condition | undefined)[]): Condition | undefined {
  const known = conditions.filter((condition) => condition !== undefined);
  return known.length < conditions.length ? undefined : joinConditions(kind, known);
}

/** An operand that stands alone: some are true or false by themselves. */
function asCondition(scope: Scope, operand: Operand, isNegated: boolean): Condition | undefined {
  if (operand.kind === 'annotation') return { kind: 'annotated', isNegated, annotation: operand.annotation };
  if (operand.kind === 'condition') return isNegated ? negated(operand.condition) : operand.condition;
  if (operand.kind === 'value' && operand.type === 'boolean' && operand.value.kind !== 'literal') {
    const right = { kind: 'literal', type: 'boolean', value: true } as const;
    return { kind: 'compare', operator: isNegated ? '!=' : '==', left: operand.value, right, as: 'boolean' };
  }
  const { advice, repair } = adviseCondition(scope, operand);
  const message = `${scope.quote(operand)} is a value, not a condition: ${advice}`;
  scope.diagnostics.error('not_a_condition', operand, message, repair);
  return undefined;
}

/** The opposite of what a function says, which is never missing. */
function negated(condition: Condition): Condition {
  return condition.kind === 'quantifier' ? { ...condition, isNegated: !condition.isNegated } : condition;
}

function adviseCondition(scope: Scope, operand: Operand): { readonly advice: string; readonly repair?: string } {
  const source = scope.source(operand);
  const ask = `${source} is not None`;
  if (operand.kind === 'parent') return { advice: `write \`${source} is None\` or \`${ask}\``, repair: ask };
  if (operand.kind === 'anyText') return { advice: `write \`'text' in ${source}\`` };
  if (operand.kind === 'collection') return { advice: `write \`any(x.… for x in ${source})\`` };
  if (operand.kind !== 'value' || operand.value.kind === 'literal') return adviseConstant(scope, operand, source);
  if (operand.type === 'number') return { advice: `compare it, as in \`${source} > 0\``, repair: `${source} > 0` };
  if (operand.type === 'date') return { advice: `compare it, as in \`${source} > '2026-07-01T00:00:00Z'\`` };
  return { advice: `compare it, as in \`${source} == 'text'\`, or write \`${ask}\``, repair: ask };
}

/** A text alone is looked for; what is compared with any other constant is not known. */
function adviseConstant(
  { catalogue: { grain }, loop }: Scope,
  operand: Operand,
  source: string,
): { readonly advice: string; readonly repair?: string } {
  if (loop !== null) return { advice: `compare a field of \`${loop.variable}\` with it` };
  if (operand.kind === 'none') return { advice: `write what is missing, as in \`${MISSING_EXAMPLE[grain]} is None\`` };
  if (operand.kind === 'value' && operand.type === 'number')
    return { advice: `compare a name with it, as in \`${NUMBER_EXAMPLE[grain]} > ${source}\`` };
  const repair = `${source} in ${TEXT_EXAMPLE[grain]}`;
  return { advice: `write \`${repair}\` to search for it there`, repair };
}

/** `a < b < c` is `a < b and b < c`. */
function checkChain(scope: Scope, { first, rest }: ComparisonSyntax, isNegated: boolean): Condition | undefined {
  const conditions: (Condition | undefined)[] = [];
  let left = first;
  for (const step of rest) {
    conditions.push(checkStep(scope, left, step, isNegated));
    left = step.operand;
  }
  return join(isNegated ? 'or' : 'and', conditions);
}

function checkStep(scope: Scope, before: Syntax, step: ComparisonStep, isNegated: boolean): Condition | undefined {
  const { operator } = step;
  const left = checkOperand(scope, before);
  if (reportUnquoted(scope, step)) return undefined;
  if (operator === 'in' || operator === 'not in') {
    const isOpposite = (operator === 'not in') !== isNegated;
    if (step.operand.kind === 'list')
      return left === undefined ? undefined : checkMember(scope, left, step.operand, isOpposite);
    const right = checkOperand(scope, step.operand);
    return left === undefined || right === undefined ? undefined : checkContains(scope, left, right, isOpposite);
  }
  const right = checkOperand(scope, step.operand);
  if (left === undefined || right === undefined) return undefined;
  warnOfWord(scope, left, step);
  const range: Range = { start: left.start, end: right.end };
  if (operator === 'is' || operator === 'is not')
    return checkIdentity(scope, left, { ...step, operator }, right, isNegated);
  return checkComparison(scope, left, { ...step, operator, operatorRange: range }, right, isNegated);
}
