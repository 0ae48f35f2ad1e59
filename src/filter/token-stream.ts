/** The words of a filter as the parser takes them: one at a time, with its faults reported where they are. */
import { type DiagnosticCode, type DiagnosticList, quote, type Range } from './diagnostic.ts';
import { MAX_NESTING, MAX_TERMS } from './limits.ts';
import type { InvalidSyntax, Syntax } from './syntax.ts';
import type { Keyword, Sign, Token } from './token.ts';

const OPENING: readonly Sign[] = ['(', '[', '{'];
const CLOSING: readonly Sign[] = [')', ']', '}'];

/** A place among words. */
export class TokenStream {
  readonly text: string;
  readonly diagnostics: DiagnosticList;
  readonly #tokens: readonly Token[];
  #at = 0;
  #faultAt = -1;
  #terms = 0;
  #nesting = 0;
  readonly #heights = new WeakMap<Syntax, number>();

  constructor(text: string, tokens: readonly Token[], diagnostics: DiagnosticList) {
    this.text = text;
    this.#tokens = tokens;
    this.diagnostics = diagnostics;
  }

  /** The next word, or one further on. */
  peek(ahead = 0): Token {
    return this.#tokens[Math.min(this.#at + ahead, this.#tokens.length - 1)] as Token;
  }

  take(): Token {
    const token = this.peek();
    if (token.kind !== 'end') this.#at++;
    return token;
  }

  isSign(sign: Sign, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.kind === 'sign' && token.sign === sign;
  }

  isKeyword(word: Keyword, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.kind === 'keyword' && token.word === word;
  }

  /** Takes the sign if it is the next word. */
  takeSign(sign: Sign): Token | undefined {
    return this.isSign(sign) ? this.take() : undefined;
  }

  /** Takes the keyword if it is the next word, where a name cannot be; `AND` for `and` is reported, and taken too. */
  takeKeyword(word: Keyword): Token | undefined {
    if (this.isKeyword(word)) return this.take();
    if (!this.isMiscased(word)) return undefined;
    const token = this.peek();
    this.diagnostics.error('unsupported', token, `${this.quoteNext()} must be in lower case: \`${word}\``, word);
    return this.take();
  }

  /** Whether the word is that keyword, in whatever case. */
  isWord(word: Keyword, ahead = 0): boolean {
    return this.isKeyword(word, ahead) || this.isMiscased(word, ahead);
  }

  /** Whether the word is a keyword but for the case of its letters. */
  isMiscased(word: Keyword, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.kind === 'name' && token.name.toLowerCase() === word;
  }

  /** Takes the closing bracket, or says that it is missing. */
  close(sign: ')' | ']' | '}', opening: Range): number {
    const token = this.takeSign(sign);
    if (token !== undefined) return token.end;
    if (this.peek().kind !== 'end') {
      this.fault(
        this.peek(),
        'unexpected',
        `${this.quoteNext()} is not expected here: write \`${sign}\` or an operator`,
      );
      this.skip();
      const late = this.takeSign(sign);
      if (late !== undefined) return late.end;
    }
    const opened = this.text.slice(opening.start, opening.start + 1);
    const end = this.lastEnd;
    this.fault(this.peek(), 'unfinished', `the bracket \`${opened}\` is not closed: write \`${sign}\``, {
      start: end,
      end,
      text: sign,
    });
    return end;
  }

  /** Reports a fault of syntax, once for each word, since one makes others. */
  fault(range: Range, code: DiagnosticCode, message: string, repair?: string | (Range & { text: string })): void {
    if (this.#faultAt === this.#at) return;
    this.#faultAt = this.#at;
    if (this.diagnostics.hasErrorAt(range.start)) return;
    this.diagnostics.error(code, range, message, repair);
  }

  /** Passes over what cannot be read, up to a word after which reading can go on. */
  skip(): InvalidSyntax {
    const { start } = this.peek();
    for (let depth = 0; this.peek().kind !== 'end'; this.take()) {
      const token = this.peek();
      if (token.kind === 'sign' && OPENING.includes(token.sign)) depth++;
      else if (token.kind === 'sign' && CLOSING.includes(token.sign) && depth-- === 0) break;
      else if (depth === 0 && isRestart(token)) break;
    }
    return { kind: 'invalid', start, end: Math.max(start, this.lastEnd) };
  }

  /** Gives up: nothing more is read. */
  skipAll(): InvalidSyntax {
    const { start } = this.peek();
    this.#at = this.#tokens.length - 1;
    this.#faultAt = this.#at;
    return { kind: 'invalid', start, end: this.text.length };
  }

  /** Reads a piece one level further in, unless it is too deep. */
  nested<Piece>(read: () => Piece): Piece | InvalidSyntax {
    if (this.#nesting === MAX_NESTING) return this.tooDeep();
    this.#nesting++;
    try {
      return read();
    } finally {
      this.#nesting--;
    }
  }

  /** Notes how deeply a piece is nested, so that later walks have enough stack. */
  grow<Piece extends Syntax>(piece: Piece, parts: readonly Syntax[]): Piece | InvalidSyntax {
    let height = 0;
    for (const part of parts) height = Math.max(height, this.#heights.get(part) ?? 0);
    if (height >= MAX_NESTING) return this.tooDeep();
    this.#heights.set(piece, height + 1);
    return piece;
  }

  tooDeep(): InvalidSyntax {
    const message = `the filter is nested too deeply here: at most ${MAX_NESTING} brackets, \`not\` and operators can be nested`;
    this.fault(this.peek(), 'too_deep', message);
    return this.skipAll();
  }

  /** Counts what is joined by `and` and `or`. */
  countTerms(count: number): void {
    const before = this.#terms;
    this.#terms += count;
    if (before > MAX_TERMS || this.#terms <= MAX_TERMS) return;
    const message = `the filter has more than ${MAX_TERMS} comparisons: compare with lists instead, as in \`x in ['a', 'b']\``;
    this.diagnostics.error('too_many_terms', this.peek(), message);
    this.skipAll();
  }

  /** Where the word ends that was taken last. */
  get lastEnd(): number {
    return this.#tokens[this.#at - 1]?.end ?? 0;
  }

  /** The word that was taken last, as messages quote it; `undefined` at the beginning. */
  quoteLast(): string | undefined {
    const token = this.#tokens[this.#at - 1];
    return token === undefined ? undefined : quote(this.text.slice(token.start, token.end));
  }

  /** The next word, as messages quote it. */
  quoteNext(): string {
    const { kind, start, end } = this.peek();
    return kind === 'end' ? 'the end' : quote(this.text.slice(start, end));
  }
}

/** Whether what follows can be read, whatever was before. */
function isRestart(token: Token): boolean {
  if (token.kind === 'keyword') return ['and', 'or', 'for', 'if'].includes(token.word);
  return token.kind === 'sign' && token.sign === ',';
}
