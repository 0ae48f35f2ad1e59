/** Where terms stand in a text: what marks hits, and what an index must agree with. */
import type { SearchQuery, SearchTerm } from './query.ts';
import { isFound } from './query.ts';
import { type Token, tokenize } from './tokenizer.ts';

/** Part of a text, in UTF-16 code units; the end is exclusive. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** A term in a text. */
export interface Occurrence extends TextRange {
  /** Its place in the query. */
  readonly term: number;
}

/** Where the terms stand, in order; at most so many of each. */
export function findOccurrences(
  text: string,
  terms: readonly SearchTerm[],
  maxOfEach = MAX_OF_EACH,
): readonly Occurrence[] {
  const possible = terms.map((term) => mayHold(text, term));
  if (!possible.includes(true)) return [];
  const { words, parts } = tokenize(text);
  const found: Occurrence[] = [];
  for (const [place, term] of terms.entries()) {
    if (!possible[place]) continue;
    const of = { term: place, maxCount: maxOfEach };
    findRuns(words, term.words, term.isPrefix, of, found);
    findRuns(parts, term.words, term.isPrefix, of, found);
    if (term.parts !== null) findRuns(parts, term.parts, false, of, found);
  }
  return found.sort((a, b) => a.start - b.start || a.end - b.end);
}

/** Whether texts are found by a query, looked at one by one. */
export function isFoundIn(query: SearchQuery, texts: Iterable<string>): boolean {
  let held = 0;
  for (const text of texts) {
    for (const { term } of findOccurrences(text, query.terms, 1)) held |= 1 << term;
  }
  return isFound(query.root, held);
}

const MAX_OF_EACH = 50;

function findRuns(
  tokens: readonly Token[],
  words: readonly string[],
  isPrefix: boolean,
  { term, maxCount }: { readonly term: number; readonly maxCount: number },
  found: Occurrence[],
): void {
  const lastPlace = words.length - 1;
  let count = 0;
  for (let at = 0; at + lastPlace < tokens.length && count < maxCount; at++) {
    let place = 0;
    while (place < lastPlace && tokens[at + place]?.text === words[place]) place++;
    const last = tokens[at + lastPlace] as Token;
    const word = words[lastPlace] as string;
    if (place < lastPlace || !(isPrefix ? last.text.startsWith(word) : last.text === word)) continue;
    const end = isPrefix && last.isUnspaced ? Math.min(last.start + word.length, last.end) : last.end;
    found.push({ term, start: (tokens[at] as Token).start, end });
    count++;
  }
}

/** False only where the term cannot be there: long texts that do not hold it need not be taken apart. */
function mayHold(text: string, { words, parts }: SearchTerm): boolean {
  const [first = ''] = words;
  if (text.length < MIN_LOOKED_THROUGH || !ASCII.test(text)) return true;
  const lower = text.toLowerCase();
  return lower.includes(first) || (parts !== null && lower.includes(parts[0] ?? ''));
}

const MIN_LOOKED_THROUGH = 256;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is that of ASCII
const ASCII = /^[\0-\x7f]*$/;
