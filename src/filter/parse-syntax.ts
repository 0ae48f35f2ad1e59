/**
 * Reads the words of a filter by recursive descent, one function for each level of precedence: `or`, `and`, `not`,
 * comparisons, sums, products, signs, and what binds closest. An error is reported where it is, and parsing continues after it.
 */
import { DiagnosticList, type Range } from './diagnostic.ts';
import { lex } from './lex.ts';
import { reportWords, takeBetween, takeContains } from './parse-foreign.ts';
import { parseOperand } from './parse-operand.ts';
import type { ComparisonSign, ComparisonStep, Syntax } from './syntax.ts';
import type { Token } from './token.ts';
import { TokenStream } from './token-stream.ts';

/** What the text of a filter looks like; `null` where there is none. Everything that is wrong with it is reported. */
export function parseSyntax(text: string, diagnostics: DiagnosticList): Syntax | null {
  const strict = new DiagnosticList();
  const syntax = parseTokens(text, lex(text, strict, { readsProse: false }), strict);
  // Words are taken for prose only where they can be nothing else. Without an error there is nothing to report either.
  return strict.hasErrors ? parseTokens(text, lex(text, diagnostics), diagnostics) : syntax;
}

function parseTokens(text: string, tokens: readonly Token[], diagnostics: DiagnosticList): Syntax | null {
  const words = new TokenStream(text, tokens, diagnostics);
  if (words.peek().kind === 'end') return null;
  const pieces = [parseExpression(words)];
  while (words.peek().kind !== 'end' && !diagnostics.isFull) {
    const { start } = words.peek();
    const isLoop = words.isKeyword('for');
    const before = pieces.at(-1);
    const isText = reportWords(words, before);
    if (!isText) words.fault(words.peek(), 'unexpected', explainUnexpected(words));
    // What stands before is no whole condition, and the names before a loop are the loop's.
    if (isLoop || before?.kind === 'path' || (isText && before?.kind === 'comparison'))
      pieces.splice(-1, 1, { kind: 'invalid', start, end: start });
    if (isLoop) words.skipAll();
    else words.skip();
    words.take();
    if (words.peek().kind !== 'end') pieces.push(parseExpression(words));
  }
  return pieces.length === 1 ? (pieces[0] ?? null) : { kind: 'and', operands: pieces, start: 0, end: text.length };
}

function parseExpression(words: TokenStream): Syntax {
  return parseJoined(words, 'or', () => parseJoined(words, 'and', parseNegation));
}

function parseJoined(words: TokenStream, word: 'and' | 'or', parsePart: (words: TokenStream) => Syntax): Syntax {
  const first = parsePart(words);
  const operands = [first];
  while (words.takeKeyword(word) !== undefined) operands.push(parsePart(words));
  if (operands.length === 1) return first;
  words.countTerms(operands.filter(({ kind }) => !COUNTED.includes(kind)).length);
  return words.grow({ kind: word, operands, ...rangeOf(operands) }, operands);
}

/** Those whose terms were counted when they were read. */
const COUNTED: readonly Syntax['kind'][] = ['comparison', 'and', 'or', 'not'];

function parseNegation(words: TokenStream): Syntax {
  const isMiscased = words.isMiscased('not') && ['name', 'text', 'number'].includes(words.peek(1).kind);
  if (!words.isKeyword('not') && !isMiscased) return parseComparison(words);
  return words.nested(() => {
    const { start } = words.peek();
    words.takeKeyword('not');
    const operand = parseNegation(words);
    return words.grow({ kind: 'not', operand, start, end: operand.end }, [operand]);
  });
}

function parseComparison(words: TokenStream): Syntax {
  const first = parseSum(words);
  const between = takeBetween(words, first, () => parseSum(words));
  if (between !== undefined) return between;
  const rest: ComparisonStep[] = [];
  for (;;) {
    const operator = takeComparison(words) ?? takeContains(words, rest.at(-1)?.operand ?? first);
    if (operator === undefined) break;
    const operand = parseSum(words);
    rest.push({ ...operator, operand });
  }
  if (rest.length === 0) return first;
  words.countTerms(rest.length);
  const operands = [first, ...rest.map(({ operand }) => operand)];
  return words.grow({ kind: 'comparison', first, rest, ...rangeOf(operands) }, operands);
}

const COMPARISON_SIGNS = ['==', '!=', '<', '<=', '>', '>='] as const;

function takeComparison(words: TokenStream): Pick<ComparisonStep, 'operator' | 'operatorRange'> | undefined {
  const { start, end } = words.peek();
  for (const operator of COMPARISON_SIGNS) {
    if (words.takeSign(operator) !== undefined) return { operator, operatorRange: { start, end } };
  }
  const operator = takeWordComparison(words);
  return operator === undefined ? undefined : { operator, operatorRange: { start, end: words.lastEnd } };
}

function takeWordComparison(words: TokenStream): ComparisonSign | undefined {
  if (words.takeKeyword('in') !== undefined) return 'in';
  if (words.takeKeyword('is') !== undefined) return words.takeKeyword('not') === undefined ? 'is' : 'is not';
  const isNotIn = words.isWord('not') && words.isWord('in', 1);
  if (!isNotIn) return undefined;
  words.takeKeyword('not');
  words.takeKeyword('in');
  return 'not in';
}

function parseSum(words: TokenStream): Syntax {
  return parseArithmetic(words, ['+', '-'], () => parseArithmetic(words, ['*', '/', '%'], parseSigned));
}

function parseArithmetic(
  words: TokenStream,
  operators: readonly ('+' | '-' | '*' | '/' | '%')[],
  parsePart: (words: TokenStream) => Syntax,
): Syntax {
  let left = parsePart(words);
  for (;;) {
    const operator = operators.find((sign) => words.takeSign(sign) !== undefined);
    if (operator === undefined) return left;
    const right = parsePart(words);
    left = words.grow({ kind: 'arithmetic', operator, left, right, ...rangeOf([left, right]) }, [left, right]);
  }
}

function parseSigned(words: TokenStream): Syntax {
  const sign = words.isSign('-') ? '-' : words.isSign('+') ? '+' : undefined;
  if (sign === undefined) return parseOperand(words, { parseExpression, parseSum });
  return words.nested(() => {
    const { start } = words.take();
    const operand = parseSigned(words);
    return words.grow({ kind: 'signed', sign, operand, start, end: operand.end }, [operand]);
  });
}

function rangeOf(pieces: readonly Syntax[]): Range {
  return { start: pieces[0]?.start ?? 0, end: pieces.at(-1)?.end ?? 0 };
}

function explainUnexpected(words: TokenStream): string {
  const token = words.peek();
  const next = words.quoteNext();
  if (token.kind === 'sign') return UNEXPECTED_SIGNS[token.sign] ?? `${next} is not expected here: remove it`;
  if (token.kind === 'name' && words.peek(1).kind === 'text') {
    return `${next} is not an operator: write \`==\`, or \`in\` with the text to search for before it`;
  }
  if (token.kind !== 'keyword') return `${next} is not expected here: write \`and\` or \`or\` before it`;
  if (token.word === 'if') return 'a filter has no `if`: join conditions with `and` and `or`';
  if (token.word === 'for')
    return '`for` can only be used inside a function, as in `any(d.cost > 1 for d in cost_details)`';
  return `${next} is not expected here: write \`and\` or \`or\` before it`;
}

const UNEXPECTED_SIGNS: Readonly<Record<string, string>> = {
  ')': 'no bracket is open for `)`: remove it',
  ']': 'no bracket is open for `]`: remove it',
  '}': 'no bracket is open for `}`: remove it',
  ',': 'a filter is one condition: write `and` or `or` instead of `,`',
  '**': 'there is no operator `**`: write `x * x`',
  '//': 'there is no operator `//`: write `/`',
  '^': 'there is no operator `^`: write `and`, `or` or `not`',
  '~': 'there is no operator `~`: write `not`, or `in` to search for a text',
  '<<': 'there is no operator `<<`: write `<`',
  '>>': 'there is no operator `>>`: write `>`',
  ':=': 'names cannot be assigned: write `==` to compare',
  ':': '`:` has no place in a filter: write `==` to compare',
};
