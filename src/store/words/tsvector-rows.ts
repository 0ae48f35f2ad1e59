/**
 * Texts as rows of `search_index` on PostgreSQL. A lexeme begins with the part of the text, so that a search of one part reads
 * nothing of others; then come `.` before a word and `+` before a part of a compound. The places and the bytes of a tsvector are
 * bounded, and PostgreSQL leaves out in silence what is beyond: a long text has several rows, which overlap by as many words as a
 * phrase may have.
 * @see https://www.postgresql.org/docs/current/textsearch-limitations.html
 */
import { partOfText } from './text-ids.ts';
import type { IndexEntry } from './word-index.ts';

/** The rows of a text: its id, the number among its rows, how many words the text has, and the tsvector as text. */
export type TsvectorRow = readonly [id: number, chunk: number, length: number, words: string];

/** What stands before the words of a part of the texts. */
export const LEXEME_SIGNS = { word: '.', compound: '+' } as const;

/** The beginning of all lexemes of a part. */
export function lexemePrefix(part: number): string {
  return part.toString(36);
}

/** Rows of the texts. */
export function toTsvectorRows(texts: readonly IndexEntry[]): readonly TsvectorRow[] {
  return texts.flatMap(({ id, words, parts }) => {
    const prefix = lexemePrefix(partOfText(id));
    const wordList = split(words);
    const vectors = [
      ...vectorsOf(wordList, `${prefix}${LEXEME_SIGNS.word}`),
      ...vectorsOf(split(parts), `${prefix}${LEXEME_SIGNS.compound}`),
    ];
    // One of a text without words, too: it says how many it has.
    return (vectors.length > 0 ? vectors : ['']).map(
      (vector, chunk): TsvectorRow => [id, chunk, wordList.length, vector],
    );
  });
}

function split(text: string): readonly string[] {
  return text === '' ? [] : text.split(' ');
}

/** tsvectors that together hold the words, one after the other. */
function* vectorsOf(words: readonly string[], prefix: string): Generator<string> {
  for (let start = 0; start < words.length; ) {
    const placesOf = new Map<string, number[]>();
    let bytes = 0;
    let end = start;
    for (; end < words.length && end - start < MAX_PLACES && bytes < MAX_BYTES; end++) {
      const word = words[end] as string;
      const places = placesOf.get(word);
      if (places === undefined) {
        placesOf.set(word, [end - start + 1]);
        bytes += prefix.length + 4 * word.length + PLACE_BYTES;
      } else if (places.length === MAX_PLACES_OF_LEXEME) break;
      else {
        places.push(end - start + 1);
        bytes += PLACE_BYTES;
      }
    }
    yield [...placesOf].map(([word, places]) => `'${prefix}${word}':${places.join(',')}`).join(' ');
    if (end === words.length) return;
    // More than the overlap fits in each.
    start = end - OVERLAP;
  }
}

const MAX_PLACES = 16_000;
const MAX_PLACES_OF_LEXEME = 255;
const MAX_BYTES = 512 * 1024;
const PLACE_BYTES = 8;

/** One word less than the longest phrase has. */
const OVERLAP = 63;
