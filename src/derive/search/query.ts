/**
 * What people type into a search field. Words stand together in a span, phrases in one of its texts; `word*` is any word
 * that begins so, `-word` must not be there, `OR` between two is either. Everything else is text: nothing can be a syntax
 * error.
 */
import { AppError } from '#base/errors';
import { type TextTokens, type Token, tokenize } from './tokenizer.ts';

/** Something that a text holds or not: words one after the other. */
export interface SearchTerm {
  /** Folded; never empty. */
  readonly words: readonly string[];
  /** Whether the last of them may go on. */
  readonly isPrefix: boolean;
  /** The same in parts of a compound word, where it was written as one; `null` otherwise. */
  readonly parts: readonly string[] | null;
}

/** When a span is found, by the places of terms. */
export type SearchNode =
  | { readonly kind: 'term'; readonly term: number }
  | { readonly kind: 'and' | 'or'; readonly operands: readonly SearchNode[] }
  | { readonly kind: 'not'; readonly operand: SearchNode };

/** A search that was understood. */
export interface SearchQuery {
  /** At most {@link MAX_TERMS}, so that a set of them is the bits of a number. */
  readonly terms: readonly SearchTerm[];
  readonly root: SearchNode;
}

/** Bounds of a search. */
const MAX_LENGTH = 1000;
const MAX_TERMS = 24;
const MAX_PHRASE = 64;

/** The shortest beginning of a word: a shorter one is that of too many words. */
const MIN_PREFIX = 2;

/**
 * Reads a search.
 * @throws AppError `invalid_argument` where it is too long, names nothing that must be there, or a beginning of too many words
 */
export function parseSearch(text: string): SearchQuery {
  if (text.length > MAX_LENGTH) {
    throw new AppError(
      'invalid_argument',
      `A search has at most ${MAX_LENGTH} characters; this one has ${text.length}.`,
    );
  }
  const terms: SearchTerm[] = [];
  const wanted: SearchNode[][] = [];
  const excluded: SearchNode[] = [];
  let isAlternative = false;
  const chunks = [...text.matchAll(CHUNK)].map(toChunk);
  for (const [place, chunk] of chunks.entries()) {
    if (isOr(chunk) && wanted.length > 0 && isPositive(chunks[place + 1]) && isPositive(chunks[place - 1])) {
      isAlternative = true;
      continue;
    }
    const term = toTerm(chunk);
    if (term === undefined) continue;
    const node: SearchNode = { kind: 'term', term: terms.push(term) - 1 };
    if (chunk.isExcluded) excluded.push({ kind: 'not', operand: node });
    else if (isAlternative) wanted.at(-1)?.push(node);
    else wanted.push([node]);
    isAlternative = false;
  }
  if (terms.length > MAX_TERMS) {
    throw new AppError(
      'invalid_argument',
      `A search has at most ${MAX_TERMS} words and phrases; this one has ${terms.length}.`,
    );
  }
  if (wanted.length === 0) {
    throw new AppError(
      'invalid_argument',
      excluded.length > 0
        ? 'Include at least one word to find: a search cannot consist only of excluded words.'
        : 'There is no word to search for: a search needs letters or digits.',
    );
  }
  const operands = [...wanted.map((either) => join('or', either)), ...excluded];
  return { terms, root: join('and', operands) };
}

/** The terms of a query that must be absent, which nothing is marked for. */
export function excludedTerms(node: SearchNode, isExcluded = false): ReadonlySet<number> {
  if (node.kind === 'term') return new Set(isExcluded ? [node.term] : []);
  const operands = node.kind === 'not' ? [node.operand] : node.operands;
  return new Set(operands.flatMap((operand) => [...excludedTerms(operand, isExcluded || node.kind === 'not')]));
}

/** Whether a span that holds these terms (bits by their places) is found. */
export function isFound(node: SearchNode, held: number): boolean {
  switch (node.kind) {
    case 'term':
      return (held & (1 << node.term)) !== 0;
    case 'not':
      return !isFound(node.operand, held);
    case 'and':
      return node.operands.every((operand) => isFound(operand, held));
    case 'or':
      return node.operands.some((operand) => isFound(operand, held));
  }
}

/** Whether a span is found that holds some terms, and may hold others. */
export function decide(node: SearchNode, held: number, possible: number): 'yes' | 'no' | 'open' {
  // What is open may hold or not. Each term stands in the tree once, so no more need be compared.
  const [atLeast, atMost] = bounds(node, held, held | possible);
  return atLeast ? 'yes' : atMost ? 'open' : 'no';
}

function bounds(node: SearchNode, held: number, most: number): readonly [atLeast: boolean, atMost: boolean] {
  switch (node.kind) {
    case 'term':
      return [(held & (1 << node.term)) !== 0, (most & (1 << node.term)) !== 0];
    case 'not': {
      const [atLeast, atMost] = bounds(node.operand, held, most);
      return [!atMost, !atLeast];
    }
    case 'and':
    case 'or': {
      const of = node.operands.map((operand) => bounds(operand, held, most));
      return node.kind === 'and'
        ? [of.every(([atLeast]) => atLeast), of.every(([, atMost]) => atMost)]
        : [of.some(([atLeast]) => atLeast), of.some(([, atMost]) => atMost)];
    }
  }
}

interface Chunk {
  readonly text: string;
  readonly isExcluded: boolean;
  readonly isQuoted: boolean;
  readonly isPrefix: boolean;
}

/** A quoted text that may lack its end, or anything without white space and quotes. */
const CHUNK = /(?<minus>(?<=^|\s)-(?=\S))?(?:"(?<quoted>[^"]*)(?:"|$)(?<star>\*)?|(?<plain>[^\s"]+))/gu;

function toChunk({ groups = {} }: RegExpExecArray): Chunk {
  const { minus, quoted, star, plain = '' } = groups;
  const isQuoted = quoted !== undefined;
  return {
    text: quoted ?? plain,
    isExcluded: minus !== undefined,
    isQuoted,
    isPrefix: isQuoted ? star !== undefined : /[^*]\*+$/.test(plain),
  };
}

function isOr(chunk: Chunk): boolean {
  return chunk.text === 'OR' && !chunk.isQuoted && !chunk.isExcluded;
}

function isPositive(chunk: Chunk | undefined): boolean {
  return chunk !== undefined && !chunk.isExcluded && tokenize(chunk.text).words.length > 0;
}

function join(kind: 'and' | 'or', operands: readonly SearchNode[]): SearchNode {
  const [first] = operands;
  return operands.length === 1 && first !== undefined ? first : { kind, operands };
}

function toTerm({ text, isQuoted, isPrefix }: Chunk): SearchTerm | undefined {
  const tokens = tokenize(text);
  const words = sought(tokens.words);
  const last = words.at(-1);
  if (last === undefined) return undefined;
  if (words.length > MAX_PHRASE) {
    throw new AppError('invalid_argument', `A phrase has at most ${MAX_PHRASE} words; this one has ${words.length}.`);
  }
  if (isPrefix && !last.isUnspaced && last.text.length < MIN_PREFIX) {
    throw new AppError(
      'invalid_argument',
      `${last.text}* is the start of too many words: give at least ${MIN_PREFIX} letters.`,
    );
  }
  return {
    words: words.map((word) => word.text),
    isPrefix: isPrefix || isSingleLetter(tokens.words),
    parts: isQuoted || isPrefix ? null : compound(tokens),
  };
}

/** The last letter of a run ends it only where something follows: what is looked for may go on. */
function sought(words: readonly Token[]): readonly Token[] {
  const last = words.at(-1);
  return last?.isUnspaced && !isSingleLetter(words) ? words.slice(0, -1) : words;
}

/** Whether the last run is one letter of a script that writes no spaces, with which pairs begin. */
function isSingleLetter(words: readonly Token[]): boolean {
  const [before, last] = words.slice(-2).length === 2 ? words.slice(-2) : [undefined, words.at(-1)];
  return last !== undefined && last.isUnspaced && !(before?.isUnspaced && before.end === last.end);
}

function compound({ words, parts }: TextTokens): readonly string[] | null {
  return words.length === 1 && parts.length > 1 ? parts.map((part) => part.text) : null;
}
