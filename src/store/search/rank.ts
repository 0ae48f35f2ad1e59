/**
 * Which spans tell most about what is looked for: those that hold rare terms, in short texts, and hold them first. The
 * weights are those of BM25 with each term counted once in a text.
 * @see https://en.wikipedia.org/wiki/Okapi_BM25
 */
import type { SearchQuery } from '#derive/search/query';
import { excludedTerms } from '#derive/search/query';
import type { ReadScope } from '../spans/rows/read-scope.ts';
import type { FoundSpan } from './verify-phrases.ts';
import { readLengths } from '../words/find-texts.ts';
import { spanOfText } from '../words/text-ids.ts';

/** A span with how much it tells; larger is more. */
export interface RankedSpan {
  readonly rowId: number;
  readonly score: number;
}

/** How fast a term says no more, and how much long texts say less. */
const K1 = 1.2;
const B = 0.75;

/** Words of an ordinary text: a message of some sentences, or one whose length the index does not tell. */
const ORDINARY_LENGTH = 60;

/** What a text says in spans that repeat it. */
const REPETITION = 0.4;

/** The best, best first, of equal ones the last that arrived first. Index: primary keys. */
export async function rankSpans(
  scope: ReadScope,
  { terms, root }: SearchQuery,
  found: readonly FoundSpan[],
  limit: number,
): Promise<readonly RankedSpan[]> {
  const termsOf = new Map<number, number>();
  for (const { texts } of found) for (const { id, terms: ofText } of texts) termsOf.set(id, ofText);
  const excluded = excludedTerms(root);
  const wanted = [...terms.keys()].filter((term) => !excluded.has(term));
  const rarity = wanted.map((term) => {
    let count = 0;
    for (const ofText of termsOf.values()) count += (ofText >> term) & 1;
    return Math.log(1 + (termsOf.size - count + 0.5) / (count + 0.5));
  });
  const lengths = await readLengths(scope, [...termsOf.keys()]);
  const ranked = found.map(({ rowId, texts }): RankedSpan => {
    let score = 0;
    for (const [place, term] of wanted.entries()) {
      let best = 0;
      for (const text of texts) {
        if (((text.terms >> term) & 1) === 0) continue;
        const weight =
          weightOf(lengths.get(text.id) ?? ORDINARY_LENGTH) * (spanOfText(text.id) === rowId ? 1 : REPETITION);
        if (weight > best) best = weight;
      }
      score += best * (rarity[place] ?? 0);
    }
    return { rowId, score };
  });
  return ranked.sort((a, b) => b.score - a.score || b.rowId - a.rowId).slice(0, limit);
}

function weightOf(length: number): number {
  return (K1 + 1) / (1 + K1 * (1 - B + (B * length) / ORDINARY_LENGTH));
}
