/** Which texts hold a term, as far as the index of words tells: where the words of a phrase stand, only originals say. */
import type { SearchTerm } from '#derive/search/query';
import { unlessDamaged } from './damaged-words.ts';
import { PART_SIGN } from './leaves.ts';
import { NumberList, readPostings } from './postings.ts';
import { beginningKey, readLists, readListsFrom, type SegmentLists, type WordScope } from './read-lists.ts';
import { HEAD, openLengths, openRemoved, openTexts, REMOVED } from './sealed-segments.ts';
import { unpackLength } from './segment.ts';
import { type IdRange, partOfText, textsOfPart } from './text-ids.ts';

/** Texts of a part by their places after its first, each in ascending order. */
export interface TermTexts {
  /** Those that hold the term. */
  readonly certain: Int32Array;
  /** Others, with all words of the phrase. */
  readonly possible: Int32Array;
}

/** The texts of a part that hold the term, or may; `null` where the index cannot tell, because it is damaged. */
export async function findTexts(scope: WordScope, term: SearchTerm, part: number): Promise<TermTexts | null> {
  const phrases = phrasesOf(term);
  const range = { first: part, last: part };
  return lookUp(scope, part, async () => {
    const ofWords = await readLists(scope, range, wholeWords(phrases));
    const read = [...ofWords];
    for (const phrase of phrases) {
      const { words, isPrefix } = phrase;
      const others = wholeWords([phrase]);
      const mayStand = others.length === 0 || ofWords.some(({ lists }) => others.every((word) => lists.has(word)));
      if (isPrefix && mayStand) read.push(...(await readListsFrom(scope, range, words.at(-1) as string)));
    }
    return joinSegments(read).map((segment) => ({ segment, ...holdersOf(segment, phrases) }));
  });
}

/** The texts of a part that hold any of the words; `null` if these are more than so many, or the index cannot tell. */
export async function findTextsOfAny(
  scope: WordScope,
  words: readonly string[],
  part: number,
  limit: number,
): Promise<readonly number[] | null> {
  return atMost(scope, part, limit, () => readLists(scope, { first: part, last: part }, words));
}

/** The same of words with a beginning. */
export async function findTextsFrom(
  scope: WordScope,
  beginning: string,
  part: number,
  limit: number,
): Promise<readonly number[] | null> {
  return atMost(scope, part, limit, () => readListsFrom(scope, { first: part, last: part }, beginning));
}

async function atMost(
  scope: WordScope,
  part: number,
  limit: number,
  read: () => Promise<readonly SegmentLists[]>,
): Promise<readonly number[] | null> {
  let isTooMany = false;
  const texts = await lookUp(scope, part, async () => {
    const found = (await read()).map((segment) => ({ segment, certain: unite(segment.lists.values()), possible: [] }));
    isTooMany = found.reduce((sum, { certain: places }) => sum + places.length, 0) > limit + MAX_REMOVED;
    return isTooMany ? [] : found;
  });
  return texts === null || isTooMany || texts.certain.length > limit ? null : [...texts.certain];
}

/** Removed texts count, too, until it is known which they are. */
const MAX_REMOVED = 1000;

/** Parts in a stretch that may hold the term, descending; all of them where the index cannot tell. */
export async function findParts(scope: WordScope, term: SearchTerm, parts: IdRange): Promise<readonly number[]> {
  const phrases = phrasesOf(term);
  const found = new Set<number>();
  const segments = await unlessDamaged(() => readLists(scope, parts, wholeWords(phrases)), null);
  if (segments === null) return Array.from({ length: parts.last - parts.first + 1 }, (_, at) => parts.last - at);
  for (const { part, lists } of segments) {
    if (phrases.some((phrase) => wholeWords([phrase]).every((word) => lists.has(word)))) found.add(part);
  }
  return [...found].sort((a, b) => b - a);
}

/** Whether the index leads to the parts with a term without reading all words with a beginning. */
export function hasWholeWords(term: SearchTerm): boolean {
  return phrasesOf(term).every((phrase) => wholeWords([phrase]).length > 0);
}

/** About how many words each of the texts has, as far as it is indexed. Index: the primary key. */
export async function readLengths({ db }: WordScope, ids: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const lengths = new Map<number, number>();
  for (const [part, ofPart] of Map.groupBy(ids, partOfText)) {
    const { first } = textsOfPart(part);
    const wanted = Int32Array.from(ofPart, (id) => id - first).sort();
    const rows = await db
      .selectFrom('search_segments')
      .select([...HEAD, ...REMOVED, 'lengths'])
      .where('part', '=', part)
      .execute();
    for (const row of rows) {
      await unlessDamaged(async () => {
        // A text that changed is removed from one segment, and stands in a later one.
        const [texts, packed, isRemoved] = [openTexts(row), openLengths(row), openRemoved(row)];
        visitCommon(texts, wanted, (offset, place) => {
          if (!isRemoved.has(place)) lengths.set(first + offset, unpackLength(packed[place] as number));
        });
      }, undefined);
    }
  }
  return lengths;
}

/** Words that stand one after the other, as lists have them. */
interface Phrase {
  readonly words: readonly string[];
  readonly isPrefix: boolean;
}

/** What a term may be: words, parts of compound words, and its own parts among these. */
function phrasesOf({ words, isPrefix, parts }: SearchTerm): readonly Phrase[] {
  const phrases = [
    { words, isPrefix },
    { words: words.map(toPart), isPrefix },
  ];
  if (parts !== null) phrases.push({ words: parts.map(toPart), isPrefix: false });
  return phrases;
}

function toPart(word: string): string {
  return PART_SIGN + word;
}

function wholeWords(phrases: readonly Phrase[]): readonly string[] {
  return [...new Set(phrases.flatMap(({ words, isPrefix }) => (isPrefix ? words.slice(0, -1) : words)))];
}

function keysOf({ words, isPrefix }: Phrase): readonly string[] {
  return isPrefix ? [...words.slice(0, -1), beginningKey(words.at(-1) as string)] : words;
}

/** One for each segment. */
function joinSegments(read: readonly SegmentLists[]): readonly SegmentLists[] {
  const joined = new Map<number, SegmentLists>();
  for (const segment of read) {
    const known = joined.get(segment.number);
    if (known === undefined) joined.set(segment.number, { ...segment, lists: new Map(segment.lists) });
    else for (const [word, lists] of segment.lists) known.lists.set(word, lists);
  }
  return [...joined.values()];
}

interface Places {
  readonly certain: ArrayLike<number>;
  readonly possible: ArrayLike<number>;
}

function holdersOf({ lists }: SegmentLists, phrases: readonly Phrase[]): Places {
  const certain: Int32Array[] = [];
  const possible: Int32Array[] = [];
  for (const phrase of phrases) {
    const keys = keysOf(phrase);
    if (!keys.every((key) => lists.has(key))) continue;
    const ofWords = [...new Set(keys)].map((key) => unite([lists.get(key) ?? []]));
    ofWords.sort((a, b) => a.length - b.length);
    (keys.length === 1 ? certain : possible).push(ofWords.reduce(intersect));
  }
  return { certain: uniteAll(certain), possible: uniteAll(possible) };
}

function unite(lists: Iterable<readonly Uint8Array[]>): Int32Array {
  return uniteAll([...lists].flat().map(readPostings));
}

function uniteAll(lists: readonly Int32Array[]): Int32Array {
  const [first] = lists;
  if (first === undefined) return new Int32Array(0);
  if (lists.length === 1) return first;
  const all = new Set<number>();
  for (const list of lists) for (const place of list) all.add(place);
  return Int32Array.from(all).sort();
}

function intersect(a: Int32Array, b: Int32Array): Int32Array {
  const both: number[] = [];
  visitCommon(a, b, (number) => both.push(number));
  return Int32Array.from(both);
}

/** Hands the numbers that both ascending lists have to the visitor, with the place of each in the first. */
function visitCommon(a: Int32Array, b: Int32Array, visit: (number: number, place: number) => void): void {
  let [place, other] = [0, 0];
  while (place < a.length && other < b.length) {
    const [of, against] = [a[place] as number, b[other] as number];
    if (of === against) visit(of, place);
    if (of <= against) place++;
    if (against <= of) other++;
  }
}

interface PlacesOfSegment extends Places {
  readonly segment: SegmentLists;
}

/** Puts texts for places; `null` where lists are damaged, or merged faster than they are read. */
function lookUp(
  scope: WordScope,
  part: number,
  read: () => Promise<readonly PlacesOfSegment[]>,
): Promise<TermTexts | null> {
  return unlessDamaged(async () => {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const texts = await lookUpOnce(scope, part, await read());
      if (texts !== undefined) return texts;
    }
    return null;
  }, null);
}

const MAX_ATTEMPTS = 5;

/** `undefined` where segments were merged between the statements that read them. */
async function lookUpOnce(
  { db, dialect }: WordScope,
  part: number,
  // Those without a hit, too: lists of one segment, read by two statements, may be those of the segments that it was made of.
  found: readonly PlacesOfSegment[],
): Promise<TermTexts | undefined> {
  if (found.length === 0) return NONE;
  const rows = await db
    .selectFrom('search_segments')
    .select(HEAD)
    .where('part', '=', part)
    .where('number', 'in', dialect.numbersOf(found.map(({ segment }) => segment.number)))
    .execute();
  if (rows.length < found.length) return undefined;
  const certain = new NumberList();
  const possible = new NumberList();
  for (const { segment, ...places } of found) {
    const row = rows.find(({ number }) => number === segment.number);
    if (row === undefined || places.certain.length + places.possible.length === 0) continue;
    const offsets = openTexts(row);
    const removed = openRemoved(segment);
    addOffsets(certain, places.certain, offsets, removed);
    addOffsets(possible, places.possible, offsets, removed);
  }
  const ofCertain = ascending(certain.take());
  return { certain: ofCertain, possible: without(ascending(possible.take()), ofCertain) };
}

/** Sorts only where it must: in most parts, the texts of one segment follow those of another. */
function ascending(numbers: Int32Array): Int32Array {
  for (let at = 1; at < numbers.length; at++)
    if ((numbers[at - 1] as number) > (numbers[at] as number)) return numbers.sort();
  return numbers;
}

/** The numbers that are not among the others; both lists ascend. */
function without(numbers: Int32Array, others: Int32Array): Int32Array {
  let other = 0;
  return numbers.filter((number) => {
    while (other < others.length && (others[other] as number) < number) other++;
    return others[other] !== number;
  });
}

const NONE: TermTexts = { certain: new Int32Array(0), possible: new Int32Array(0) };

function addOffsets(
  into: NumberList,
  places: ArrayLike<number>,
  offsets: Int32Array,
  removed: ReadonlySet<number>,
): void {
  into.reserve(places.length);
  const isAnyRemoved = removed.size > 0;
  for (let at = 0; at < places.length; at++) {
    const place = places[at] as number;
    if (!isAnyRemoved || !removed.has(place)) into.numbers[into.count++] = offsets[place] as number;
  }
}
