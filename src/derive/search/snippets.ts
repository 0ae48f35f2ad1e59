/** The places of a span that show why it was found. */
import { findOccurrences, type Occurrence, type TextRange } from './match.ts';
import { excludedTerms, type SearchQuery } from './query.ts';
import { type PlaceBits, placesOf, type SearchPlace } from './scope.ts';

/** A piece of a text of a span, with the hits in it. It is text, not markup. */
export interface SearchSnippet {
  readonly place: SearchPlace;
  readonly text: string;
  /** In order, not overlapping, in UTF-16 code units of `text`; at least one. */
  readonly hits: readonly TextRange[];
  /** Whether there is more text before and after it. */
  readonly isCutBefore: boolean;
  readonly isCutAfter: boolean;
}

/** The texts that hold most of the terms, each around its hits; at most so many. */
export function makeSnippets(
  query: SearchQuery,
  texts: Iterable<readonly [text: string, places: PlaceBits]>,
  scope: PlaceBits,
  maxCount = MAX_SNIPPETS,
): readonly SearchSnippet[] {
  const excluded = excludedTerms(query.root);
  const wantedCount = query.terms.length - excluded.size;
  const found: { readonly snippet: SearchSnippet; readonly terms: ReadonlySet<number> }[] = [];
  for (const [text, places] of texts) {
    if ((places & scope) === 0) continue;
    const occurrences = findOccurrences(text, query.terms).filter(({ term }) => !excluded.has(term));
    const [place] = placesOf(places & scope);
    if (occurrences.length === 0 || place === undefined) continue;
    const snippet = cutAround(text, occurrences, place);
    // A prompt is often in a span twice: as its input, and as the messages of that.
    if (found.some(({ snippet: other }) => other.place === place && other.text === snippet.text)) continue;
    found.push({ snippet, terms: new Set(occurrences.map(({ term }) => term)) });
    const complete = found.filter(({ terms }) => terms.size === wantedCount);
    if (complete.length >= maxCount || found.length >= MAX_COMPARED) break;
  }
  return found
    .sort((a, b) => b.terms.size - a.terms.size)
    .slice(0, maxCount)
    .map(({ snippet }) => snippet);
}

const MAX_SNIPPETS = 3;
const MAX_COMPARED = 50;

/** Of a snippet, in UTF-16 code units. */
const MAX_LENGTH = 240;
const LENGTH_BEFORE = 60;
const MAX_HITS = 20;

function cutAround(text: string, occurrences: readonly Occurrence[], place: SearchPlace): SearchSnippet {
  const first = bestStart(occurrences);
  const start = text.length <= MAX_LENGTH ? 0 : wordStart(text, Math.max(0, first.start - LENGTH_BEFORE));
  const end = wordEnd(text, Math.min(text.length, start + MAX_LENGTH), Math.min(first.end, start + MAX_LENGTH));
  const hits: { start: number; end: number }[] = [];
  for (const hit of occurrences) {
    const [from, to] = [hit.start - start, Math.min(hit.end, end) - start];
    const before = hits.at(-1);
    if (from < 0 || from >= to) continue;
    if (before !== undefined && from <= before.end) before.end = Math.max(before.end, to);
    else if (hits.length < MAX_HITS) hits.push({ start: from, end: to });
  }
  return { place, text: text.slice(start, end), hits, isCutBefore: start > 0, isCutAfter: end < text.length };
}

/** The occurrence after which most of the terms follow closely. */
function bestStart(occurrences: readonly Occurrence[]): Occurrence {
  let best = occurrences[0] as Occurrence;
  let bestCount = 0;
  for (const [place, occurrence] of occurrences.entries()) {
    const terms = new Set<number>();
    for (let at = place; at < occurrences.length; at++) {
      const other = occurrences[at] as Occurrence;
      if (other.end - occurrence.start > MAX_LENGTH - LENGTH_BEFORE) break;
      terms.add(other.term);
    }
    if (terms.size <= bestCount) continue;
    best = occurrence;
    bestCount = terms.size;
  }
  return best;
}

/** The next beginning of a word, if one is near. */
function wordStart(text: string, at: number): number {
  if (at === 0) return 0;
  const near = /\s(?=\S)/.exec(text.slice(at, at + MAX_WORD))?.index;
  return near === undefined ? beforePair(text, at) : at + near + 1;
}

/** The last end of a word, if one is near, and not before what must be in it. */
function wordEnd(text: string, at: number, least: number): number {
  if (at === text.length) return at;
  const from = Math.max(least, at - MAX_WORD);
  const near = /\s\S*$/.exec(text.slice(from, at))?.index;
  return near === undefined ? beforePair(text, at) : from + near;
}

const MAX_WORD = 24;

/** Never between the halves of a surrogate pair. */
function beforePair(text: string, at: number): number {
  return /[\uDC00-\uDFFF]/.test(text.charAt(at)) && /[\uD800-\uDBFF]/.test(text.charAt(at - 1)) ? at - 1 : at;
}
