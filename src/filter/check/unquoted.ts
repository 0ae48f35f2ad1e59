/** What is compared with a word that was meant as a text, or as `None`. */
import { quote } from '../diagnostic.ts';
import { quoteText } from '../lex-text.ts';
import { own } from '../own.ts';
import type { ComparisonStep, Syntax } from '../syntax.ts';
import { TEXT_EXAMPLE } from './examples.ts';
import { namesBegunBy, nearestName } from './nearest-name.ts';
import { CONSTANTS, dottedName, isKnownElsewhere, namedBy, rowNames } from './report-name.ts';
import type { Operand, Scope } from './scope.ts';

/** Whether what stands behind the operator can only be meant as another constant, which is reported. */
export function reportUnquoted(scope: Scope, { operator, operatorRange, operand }: ComparisonStep): boolean {
  const { catalogue, diagnostics, loop } = scope;
  const written = scope.source(operand);
  const word = operand.kind === 'path' && operand.steps.length === 0 ? written.toLowerCase() : undefined;
  const constant = word === undefined || loop?.variable === word ? undefined : own(CONSTANTS, word);
  const isAbsence = operator === 'is' || operator === 'is not';
  const meant = constant ?? (isAbsence && word !== undefined ? own(ABSENT, word) : undefined);
  if (meant !== undefined && (isAbsence || !catalogue.hasOpenNames)) {
    diagnostics.error('unknown_name', operand, `${quote(written)} is written \`${meant}\` here`, meant);
    return true;
  }
  const isEquality = operator === '==' || operator === '!=';
  if (!isEquality || loop !== null || catalogue.hasOpenNames || !isUnknown(scope, operand)) return false;
  const quoted = quoteText(written);
  diagnostics.error('unknown_name', operand, `${quote(written)} is not a name here: write ${quoted} for a text`, {
    // With an operator that would have to be mended, too.
    start: scope.source(operatorRange) === '=' ? operatorRange.start : operand.start,
    end: operand.end,
    text: scope.source(operatorRange) === '=' ? `== ${quoted}` : quoted,
  });
  return true;
}

/** Whether a word that is no name stands alone, which is reported: it was meant to be looked for. */
export function reportLoneWord(scope: Scope, syntax: Syntax): boolean {
  const { catalogue, diagnostics, loop } = scope;
  const isWord = syntax.kind === 'path' && syntax.steps.length === 0;
  if (!isWord || loop !== null || !isUnknown(scope, syntax)) return false;
  const { name } = syntax;
  if (namedBy(catalogue, name) !== undefined || namesBegunBy(name, rowNames(catalogue)).length > 0) return false;
  const repair = `${quoteText(name)} in ${TEXT_EXAMPLE[catalogue.grain]}`;
  const message = catalogue.hasOpenNames
    ? `${scope.quote(syntax)} is not a condition: write \`${repair}\` to look for it, or \`${name} is not None\` for an attribute`
    : `${scope.quote(syntax)} is not a name here: write \`${repair}\` to look for it`;
  diagnostics.error(catalogue.hasOpenNames ? 'not_a_condition' : 'unknown_name', syntax, message, repair);
  return true;
}

/** Warns of a word without quotes that is compared with something, and read as an attribute that hardly any span has. */
export function warnOfWord(scope: Scope, left: Operand, { operator, operatorRange, operand }: ComparisonStep): void {
  const { catalogue, diagnostics, loop } = scope;
  if (loop !== null || !catalogue.hasOpenNames || (operator !== '==' && operator !== '!=')) return;
  // Of words that stand for an operator it is told how they are written.
  if (/^\p{L}/u.test(scope.source(operatorRange))) return;
  if (operand.kind !== 'path' || operand.steps.length > 0 || left.kind !== 'value') return;
  const isTextual =
    left.value.kind === 'field'
      ? left.type === 'text'
      : left.value.kind === 'attribute' && left.value.path.includes('.');
  const names = rowNames(catalogue);
  if (!isTextual || names.includes(operand.name) || own(CONSTANTS, operand.name.toLowerCase()) !== undefined) return;
  const quoted = quoteText(operand.name);
  const message = `${scope.quote(operand)} is read as an attribute of that name: write ${quoted} for a text`;
  if (!diagnostics.hasAt(operand)) diagnostics.warning('doubtful_name', operand, message, quoted);
}

/** Whether it is words of which none is a name of anything here, nor nearly one. */
function isUnknown(scope: Scope, syntax: Syntax): boolean {
  if (syntax.kind === 'arithmetic') {
    const { left, right } = syntax;
    return (
      PLAIN.test(scope.source(syntax)) &&
      isUnknown(scope, left) &&
      (right.kind === 'literal' || isUnknown(scope, right))
    );
  }
  if (syntax.kind !== 'path') return false;
  const names = rowNames(scope.catalogue);
  const name = dottedName(syntax);
  const first = syntax.name.normalize('NFKC');
  const isKnown = name === undefined || [syntax.name, first, name].some((candidate) => names.includes(candidate));
  return !isKnown && !isKnownElsewhere(scope.catalogue, name) && nearestName(name, names) === undefined;
}

/** Without blanks and brackets. */
const PLAIN = /^[^\s()]+$/;

/** How people say that something is not there. */
const ABSENT: Readonly<Record<string, string>> = { absent: 'None', empty: 'None', missing: 'None', unset: 'None' };
