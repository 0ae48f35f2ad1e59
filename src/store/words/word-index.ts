/** The index of words: which texts hold a term. Each engine has its own; what is asked of them is here. */
import type { Kysely } from 'kysely';
import type { SearchTerm } from '#derive/search/query';
import type { Tables } from '../schema/tables.ts';
import type { RunStatement } from '../schema/statements.ts';
import type { IdRange } from './text-ids.ts';

/** A text as the index takes it. */
export interface IndexEntry {
  readonly id: number;
  /** Folded, separated by spaces. */
  readonly words: string;
  /** Parts of compound words, likewise. */
  readonly parts: string;
}

/** Parts that hold a term. */
export interface LastParts {
  /** Descending; at least one, if any is left. */
  readonly parts: readonly number[];
  /** All from here on are among them. */
  readonly lookedDownTo: number;
}

/** Reads and writes of the index. */
export interface WordIndex {
  /** Texts that are new. */
  readonly add: (run: RunStatement, texts: readonly IndexEntry[]) => Promise<void>;
  /** Texts that may be there. */
  readonly remove: (run: RunStatement, ids: readonly number[]) => Promise<void>;
  /** After so many texts came or went: puts some of what earlier steps wrote in order. */
  readonly tidy: (run: RunStatement, textCount: number) => Promise<void>;
  /** The texts in a range that hold the term, by their places after its first, ascending. */
  readonly findTexts: (db: Kysely<Tables>, term: SearchTerm, range: IdRange) => Promise<readonly number[]>;
  /** The texts in a range that hold any of the words, by their places after its first, in no order; of more than so many, so many. */
  readonly findTextsOfAny: (
    db: Kysely<Tables>,
    words: readonly string[],
    range: IdRange,
    limit: number,
  ) => Promise<readonly number[]>;
  /** The ids of those up to one, ascending, of so many only the last. */
  readonly findLastTexts: (
    db: Kysely<Tables>,
    term: SearchTerm,
    upTo: number,
    limit: number,
  ) => Promise<readonly number[]>;
  /** The last parts up to one that hold the term; where it pays, so many are looked at together. */
  readonly findLastParts: (db: Kysely<Tables>, term: SearchTerm, upTo: number, count: number) => Promise<LastParts>;
  /** How many words each of the texts has, as far as it is indexed. */
  readonly readLengths: (db: Kysely<Tables>, ids: readonly number[]) => Promise<ReadonlyMap<number, number>>;
}
