/**
 * Decides on originals which spans hold phrases: the index says only which texts have all words of one. A text that many spans of a trace
 * repeat is decided with the first of them that is read.
 */
import { decide, type SearchQuery, type SearchTerm } from '#derive/search/query';
import { findOccurrences } from '#derive/search/match';
import type { PlaceBits } from '#derive/search/scope';
import type { ReadScope } from '../spans/rows/read-scope.ts';
import { readReadableRows } from '../spans/rows/unreadable-rows.ts';
import { selectSpanRows, toSpanRow } from '../spans/rows/span-query.ts';
import { decodeIntroduced } from '../texts/span-texts.ts';
import { spanOfText } from '../words/text-ids.ts';
import { readTexts } from './read-texts.ts';
import { hashText } from './trace-texts.ts';

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
      held |= text.certain;
      if (text.possible === 0) continue;
      const known = this.#held.get(text.id) ?? 0;
      held |= text.possible & known;
      possible |= text.possible & ~known & ~(this.#missing.get(text.id) ?? 0);
    }
    return decide(this.#query.root, held, possible);
  }

  /** A damaged span is found only if what others tell of its texts decides. */
  async #read(open: readonly Candidate[], found: FoundSpan[]): Promise<void> {
    const { db, dialect } = this.#scope;
    const left = new Map(open.map((candidate) => [candidate.rowId, candidate]));
    const hashes = await this.#readHashes(open);
    const rows = await readReadableRows([...left.keys()], (rowIds) =>
      selectSpanRows(db).where('spans.id', 'in', dialect.numbersOf(rowIds)).orderBy('spans.id', 'desc').execute(),
    );
    const damaged = new Set<number>();
    const onDamaged = (rowId: number) => damaged.add(rowId);
    for await (const { row, texts } of readTexts(this.#scope, rows.map(toSpanRow), { onDamaged })) {
      const candidate = left.get(row.rowId) as Candidate;
      // Those before it may have decided.
      if (this.#decide(candidate) === 'open') this.#note(candidate, texts, hashes);
      const verdict = this.#decide(candidate);
      if (verdict === 'yes' || (verdict === 'open' && this.#isFound(candidate, texts)))
        found.push(this.#toFound(candidate));
    }
    for (const rowId of damaged) {
      const candidate = left.get(rowId);
      if (candidate !== undefined && this.#decide(candidate) === 'yes') found.push(this.#toFound(candidate));
    }
  }

  /** By what the texts that may hold something are told from others in the span that is read. Index: the primary key. */
  async #readHashes(open: readonly Candidate[]): Promise<ReadonlyMap<number, string>> {
    const { db, dialect } = this.#scope;
    const ids = new Set(
      open.flatMap(({ texts }) => texts.filter(({ possible }) => possible !== 0).map(({ id }) => id)),
    );
    const rows = await db
      .selectFrom('search_spans')
      .select(['span_row_id', 'introduced'])
      .where('span_row_id', 'in', dialect.numbersOf([...new Set([...ids].map(spanOfText))]))
      .execute();
    const hashes = new Map<number, string>();
    for (const { span_row_id: rowId, introduced } of rows) {
      for (const [textHash, id] of decodeIntroduced(rowId, introduced)) if (ids.has(id)) hashes.set(id, textHash);
    }
    return hashes;
  }

  /** What is learnt of the span's texts. Of one that it no longer has as it was indexed, nothing. */
  #note(
    { texts: candidates }: Candidate,
    texts: ReadonlyMap<string, PlaceBits>,
    hashes: ReadonlyMap<number, string>,
  ): void {
    const { terms } = this.#query;
    const byHash = new Map([...texts.keys()].map((text) => [hashText(text), text]));
    for (const { id, possible } of candidates) {
      const known = (this.#held.get(id) ?? 0) | (this.#missing.get(id) ?? 0);
      const open = [...terms.keys()].filter((place) => (possible & ~known & (1 << place)) !== 0);
      const text = byHash.get(hashes.get(id) ?? '');
      if (open.length === 0 || text === undefined) continue;
      const there = findOccurrences(
        text,
        open.map((place) => terms[place] as SearchTerm),
        1,
      );
      const held = new Set(there.map(({ term }) => open[term]));
      for (const place of open) addBits(held.has(place) ? this.#held : this.#missing, id, 1 << place);
    }
  }

  /** Of a span that changed after it was indexed. */
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

  /** A text that was not looked at counts as one that holds the phrase. */
  #toFound({ rowId, texts }: Candidate): FoundSpan {
    return {
      rowId,
      texts: texts.map(({ id, certain, possible }) => {
        return { id, terms: possible === 0 ? certain : certain | (possible & ~(this.#missing.get(id) ?? 0)) };
      }),
    };
  }
}

function addBits(bits: Map<number, number>, id: number, added: number): void {
  bits.set(id, (bits.get(id) ?? 0) | added);
}

/** Originals that are read before it is looked whether a page is full. */
const READ_AT_ONCE = 32;
