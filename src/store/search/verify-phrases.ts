/**
 * Decides on originals which spans hold phrases: the index says only which texts have all words of one. A text that many spans of a trace
 * repeat is decided with the first of them, where that tells.
 */
import { decide, type SearchQuery, type SearchTerm } from '#derive/search/query';
import { findOccurrences } from '#derive/search/match';
import type { PlaceBits } from '#derive/search/scope';
import type { ReadScope } from '../spans/rows/read-scope.ts';
import { selectSpanRows, toSpanRow } from '../spans/rows/span-query.ts';
import { readTexts } from './read-texts.ts';

/** A text of a span, with the terms (bits by their places) that it holds, and those that it may hold. */
export interface CandidateText {
  readonly id: number;
  readonly certain: number;
  readonly possible: number;
}

/** A span that may be found. */
export interface Candidate {
  readonly rowId: number;
  readonly texts: readonly CandidateText[];
}

/** A text of a span in which terms stand. */
export interface FoundText {
  readonly id: number;
  /** Bits by the places of the terms. */
  readonly terms: number;
}

/** A span that was found. */
export interface FoundSpan {
  readonly rowId: number;
  readonly texts: readonly FoundText[];
}

/** What is known of phrases in texts, while one search lasts. */
export class PhraseVerifier {
  readonly #scope: ReadScope;
  readonly #query: SearchQuery;
  readonly #places: PlaceBits;
  /** By text: terms that it holds, and terms that it does not. */
  readonly #held = new Map<number, number>();
  readonly #missing = new Map<number, number>();

  constructor(scope: ReadScope, query: SearchQuery, places: PlaceBits) {
    this.#scope = scope;
    this.#query = query;
    this.#places = places;
  }

  /** Those that are found, a few at a time, each time with the last one that was decided. */
  async *verify(candidates: readonly Candidate[]): AsyncGenerator<{ found: readonly FoundSpan[]; decidedTo: number }> {
    for (let start = 0; start < candidates.length; ) {
      const found: FoundSpan[] = [];
      const open: Candidate[] = [];
      let end = start;
      for (; end < candidates.length && open.length < READ_AT_ONCE; end++) {
        const candidate = candidates[end] as Candidate;
        const verdict = this.#decide(candidate);
        if (verdict === 'yes') found.push(this.#toFound(candidate));
        else if (verdict === 'open') open.push(candidate);
      }
      if (open.length > 0) {
        await this.#read(open, found);
        found.sort((a, b) => b.rowId - a.rowId);
      }
      start = end;
      yield { found, decidedTo: candidates[end - 1]?.rowId as number };
    }
  }

  #decide({ texts }: Candidate): 'yes' | 'no' | 'open' {
    let [held, possible] = [0, 0];
    for (const text of texts) {
      const known = this.#held.get(text.id) ?? 0;
      held |= text.certain | (text.possible & known);
      possible |= text.possible & ~known & ~(this.#missing.get(text.id) ?? 0);
    }
    return decide(this.#query.root, held, possible);
  }

  async #read(open: readonly Candidate[], found: FoundSpan[]): Promise<void> {
    const { db, dialect } = this.#scope;
    const byRowId = new Map(open.map((candidate) => [candidate.rowId, candidate]));
    const rows = await selectSpanRows(db)
      .where('spans.id', 'in', dialect.numbersOf([...byRowId.keys()]))
      .orderBy('spans.id', 'desc')
      .execute();
    for await (const { row, texts } of readTexts(this.#scope, rows.map(toSpanRow))) {
      const candidate = byRowId.get(row.rowId) as Candidate;
      // Those before it may have decided.
      if (this.#decide(candidate) === 'open') this.#note(candidate, texts);
      const verdict = this.#decide(candidate);
      if (verdict === 'yes') found.push(this.#toFound(candidate));
      else if (verdict === 'open' && this.#isFound(candidate, texts)) found.push(this.#toFound(candidate));
    }
  }

  /** What a span tells of its texts: that none holds a phrase, or that the only one that may does. */
  #note({ texts: candidates }: Candidate, texts: ReadonlyMap<string, PlaceBits>): void {
    for (const [place, term] of this.#query.terms.entries()) {
      const bit = 1 << place;
      const open = candidates.filter(({ possible }) => (possible & bit) !== 0);
      if (open.length === 0) continue;
      const [first] = open;
      if (!this.#holds(texts, term)) for (const { id } of open) addBits(this.#missing, id, bit);
      else if (open.length === 1 && first !== undefined) addBits(this.#held, first.id, bit);
    }
  }

  #isFound({ texts: candidates }: Candidate, texts: ReadonlyMap<string, PlaceBits>): boolean {
    let held = 0;
    for (const { certain } of candidates) held |= certain;
    for (const [place, term] of this.#query.terms.entries()) {
      const bit = 1 << place;
      if ((held & bit) === 0 && candidates.some(({ possible }) => (possible & bit) !== 0) && this.#holds(texts, term))
        held |= bit;
    }
    return decide(this.#query.root, held, 0) === 'yes';
  }

  #holds(texts: ReadonlyMap<string, PlaceBits>, term: SearchTerm): boolean {
    for (const [text, places] of texts) {
      if ((places & this.#places) !== 0 && findOccurrences(text, [term], 1).length > 0) return true;
    }
    return false;
  }

  /** Of a span with several texts that have all words of a phrase, each counts as one that holds it. */
  #toFound({ rowId, texts }: Candidate): FoundSpan {
    return {
      rowId,
      texts: texts.map(({ id, certain, possible }) => {
        return { id, terms: certain | (possible & ~(this.#missing.get(id) ?? 0)) };
      }),
    };
  }
}

function addBits(bits: Map<number, number>, id: number, added: number): void {
  bits.set(id, (bits.get(id) ?? 0) | added);
}

/** Originals that are read before it is looked whether a page is full. */
const READ_AT_ONCE = 32;
