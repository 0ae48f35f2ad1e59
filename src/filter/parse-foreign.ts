/** Comparisons as other languages write them: told with how they are written here, and read no further. */
import { quote } from './diagnostic.ts';
import { quoteText } from './lex-text.ts';
import type { ComparisonStep, InvalidSyntax, PathSyntax, Syntax } from './syntax.ts';
import type { Token } from './token.ts';
import type { TokenStream } from './token-stream.ts';

type Operator = Pick<ComparisonStep, 'operator' | 'operatorRange'>;

/** `text contains part` is written as `part in text`. */
export function takeContains(words: TokenStream, left: Syntax): Operator | undefined {
  const token = words.peek();
  if (token.kind !== 'name' || !CONTAINS.test(token.name)) return undefined;
  words.take();
  const ahead = words.peek();
  const text = words.text.slice(left.start, left.end);
  const part = /like$/i.test(token.name) ? withoutWildcards(words, ahead) : partOf(words, ahead);
  words.diagnostics.error(
    'unsupported',
    token,
    `\`${token.name}\` is written the other way round: \`${part ?? "'part'"} in ${text}\``,
    part === undefined ? undefined : { start: left.start, end: ahead.end, text: `${part} in ${text}` },
  );
  return { operator: '==', operatorRange: { start: token.start, end: token.end } };
}

const CONTAINS = /^(?:i?contains|includes|i?like)$/i;

/** A text, or a lone word that was meant as one. */
function partOf(words: TokenStream, token: Token): string | undefined {
  if (token.kind === 'text') return words.text.slice(token.start, token.end);
  const next = words.peek(1);
  const isLone = next.kind === 'end' || next.kind === 'keyword' || words.isSign(')', 1);
  return token.kind === 'name' && isLone ? quoteText(token.name) : undefined;
}

/** What `%` stands around in a pattern; one of several parts is none of one text. */
function withoutWildcards(words: TokenStream, token: Token): string | undefined {
  if (token.kind !== 'text') return partOf(words, token);
  const part = token.value.replace(/^%+/, '').replace(/%+$/, '');
  return part === '' || /[%_]/.test(part) ? undefined : quoteText(part);
}

/** `x between low and high` is written as `low <= x <= high`. */
export function takeBetween(words: TokenStream, left: Syntax, parseSum: () => Syntax): InvalidSyntax | undefined {
  const isOpposite = words.isWord('not') && isBetween(words.peek(1));
  if (!isOpposite && !isBetween(words.peek())) return undefined;
  if (isOpposite) words.take();
  const { start, end } = words.take();
  const low = parseSum();
  const isWhole = words.isWord('and');
  if (isWhole) words.take();
  const high = isWhole ? parseSum() : undefined;
  const source = ({ start: from, end: to }: Syntax) => words.text.slice(from, to);
  const name = source(left);
  const isRead = high !== undefined && ![left, low, high].some(({ kind }) => kind === 'invalid');
  const chain = isRead ? `${source(low)} <= ${name} <= ${source(high)}` : `low <= ${name} <= high`;
  const written = isOpposite ? `not (${chain})` : chain;
  const message = `there is no \`between\`: write ${quote(written)}`;
  const repair = isRead ? { start: left.start, end: high.end, text: written } : undefined;
  words.diagnostics.error('unsupported', { start, end }, message, repair);
  return { kind: 'invalid', start: left.start, end: words.lastEnd };
}

function isBetween(token: Token): boolean {
  return token.kind === 'name' && /^between$/i.test(token.name);
}

/** `name == two words`: a text without its quotes. Whether it was that, which is reported. */
export function reportWords(words: TokenStream, before: Syntax | undefined): boolean {
  if (!isWord(words.peek())) return false;
  const step = comparedLast(before);
  const first = step?.operand;
  if (step === undefined || first?.kind !== 'path' || first.steps.length > 0) return false;
  let count = 1;
  while (isWord(words.peek(count))) count++;
  const range = { start: first.start, end: words.peek(count - 1).end };
  const quoted = quoteText(words.text.slice(range.start, range.end));
  const { operatorRange } = step;
  const isForeign = words.text.slice(operatorRange.start, operatorRange.end) === '=';
  const repair = isForeign ? { start: operatorRange.start, end: range.end, text: `== ${quoted}` } : quoted;
  words.fault(range, 'bad_text', `a text needs quotes: write ${quoted}`, repair);
  return true;
}

function isWord({ kind }: Token): boolean {
  return kind === 'name' || kind === 'number';
}

/** What a filter ends with that something was compared with for being equal. */
function comparedLast(syntax: Syntax | undefined): ComparisonStep | undefined {
  if (syntax?.kind === 'and' || syntax?.kind === 'or') return comparedLast(syntax.operands.at(-1));
  if (syntax?.kind === 'not') return comparedLast(syntax.operand);
  const last = syntax?.kind === 'comparison' ? syntax.rest.at(-1) : undefined;
  return last?.operator === '==' || last?.operator === '!=' ? last : undefined;
}

/** What is written for a call of a method of a value: `text.contains(part)` as `part in text`. */
export function reportMethod(words: TokenStream, path: PathSyntax, args: readonly Syntax[], end: number): void {
  const range = { start: path.start, end: path.end };
  const method = path.steps.at(-1);
  const name = method?.kind === 'member' ? method.name.toLowerCase() : undefined;
  const text = words.text.slice(path.start, method?.start ?? path.end);
  const [argument, more] = args;
  const isLooking = name !== undefined && LOOKING.test(name);
  const part =
    argument?.kind === 'literal' && more === undefined ? words.text.slice(argument.start, argument.end) : null;
  const written = `${part ?? "'part'"} in ${text}`;
  const message = `${quote(words.text.slice(path.start, path.end))} cannot be called, because values have no methods`;
  const isText = argument?.kind === 'literal' && argument.literal.type === 'text';
  if (isLooking) {
    const repair = part !== null && isText ? { start: path.start, end, text: written } : undefined;
    words.fault(range, 'unsupported', `${message}: write ${quote(written)}`, repair);
  } else if (name !== undefined && AT_ENDS.test(name)) {
    words.fault(range, 'unsupported', `${message}: ${quote(written)} searches for a text anywhere in it`);
  } else {
    words.fault(
      range,
      'unsupported',
      `${message}; to search for a text in any case, write ${quote(`'part' in ${text}`)}`,
    );
  }
}

const LOOKING = /^(?:i?contains|includes|has)$/;
const AT_ENDS = /^(?:starts_?with|ends_?with|index_?of|find|match(?:es)?)$/;
