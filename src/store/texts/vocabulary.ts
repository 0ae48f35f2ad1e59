/**
 * The distinct words of each part, for tests of words that an index cannot look up: how they end, and what they hold. Each step
 * of indexing adds a list of its words; lists of a size are joined as they become many, so that a word is in few of them.
 */
import { promisify } from 'node:util';
import { constants, zstdCompressSync, zstdDecompress } from 'node:zlib';
import type { WordTest } from '#derive/search/word-tests';
import type { TextScope } from './held-rows.ts';
import { spansOfPart } from '../words/text-ids.ts';
import type { IndexEntry } from '../words/word-index.ts';

/** A list that takes the place of others. */
export interface VocabularyChange {
  readonly part: number;
  readonly number: number;
  readonly size: number;
  readonly words: Uint8Array;
  readonly joinedNumbers: readonly number[];
}

/** Adds the words of texts to those of their part. Index: the primary key. */
export async function growVocabulary(
  scope: TextScope,
  part: number,
  entries: readonly IndexEntry[],
): Promise<readonly VocabularyChange[]> {
  const words = new Set<string>();
  for (const entry of entries) for (const word of entry.words.split(' ')) if (ASCII.test(word)) words.add(word);
  if (words.size === 0) return [];
  const lists = await listsOf(scope, part);
  const joined = new Set<number>();
  for (;;) {
    const text = toText(words);
    const alike = lists.filter(({ number, size }) => !joined.has(number) && tierOf(size) === tierOf(text.length));
    if (alike.length < MAX_ALIKE) return [toChange(part, lists, text, joined)];
    for (const { number } of alike) joined.add(number);
    await readWords(scope, part, alike, words);
  }
}

/** Joins all lists of a part that no span will be added to. Index: the primary key. */
export async function closeVocabulary(scope: TextScope, part: number): Promise<readonly VocabularyChange[]> {
  const lists = await listsOf(scope, part);
  if (lists.length < 2) return [];
  const words = new Set<string>();
  await readWords(scope, part, lists, words);
  return [toChange(part, lists, toText(words), new Set(lists.map(({ number }) => number)))];
}

type List = Pick<VocabularyChange, 'number' | 'size'>;

function listsOf({ db }: TextScope, part: number): Promise<readonly List[]> {
  return db.selectFrom('search_vocabularies').select(['number', 'size']).where('part', '=', part).execute();
}

async function readWords(
  { db, dialect }: TextScope,
  part: number,
  lists: readonly List[],
  into: Set<string>,
): Promise<void> {
  const rows = await db
    .selectFrom('search_vocabularies')
    .select(['size', 'words'])
    .where('part', '=', part)
    .where('number', 'in', dialect.numbersOf(lists.map(({ number }) => number)))
    .execute();
  for (const row of rows) for (const word of (await unpack(row)).toString().slice(1, -1).split('\n')) into.add(word);
}

function toText(words: ReadonlySet<string>): string {
  return `\n${[...words].sort().join('\n')}\n`;
}

function toChange(part: number, lists: readonly List[], text: string, joined: ReadonlySet<number>): VocabularyChange {
  const number = Math.max(0, ...lists.map((list) => list.number)) + 1;
  return { part, number, size: text.length, words: pack(text), joinedNumbers: [...joined] };
}

/** Puts a change into effect. */
export async function storeVocabulary(
  { db, dialect }: TextScope,
  { part, number, size, words, joinedNumbers }: VocabularyChange,
): Promise<void> {
  await db
    .deleteFrom('search_vocabularies')
    .where('part', '=', part)
    .where('number', 'in', dialect.numbersOf(joinedNumbers))
    .execute();
  await db.insertInto('search_vocabularies').values({ part, number, size, words }).execute();
}

/** Forgets the words of parts of which no span is left. Index: the primary keys. */
export async function dropUnheldWords({ db }: TextScope, parts: Iterable<number>): Promise<void> {
  for (const part of parts) {
    const { first, last } = spansOfPart(part);
    const held = db.selectFrom('search_spans').select('span_row_id').where('span_row_id', '>=', first);
    await db
      .deleteFrom('search_vocabularies')
      .where('part', '=', part)
      .where((where) => where.not(where.exists(held.where('span_row_id', '<=', last))))
      .execute();
  }
}

/** The words of a part. */
export class Vocabulary {
  readonly #lists: readonly Buffer[];

  private constructor(lists: readonly Buffer[]) {
    this.#lists = lists;
  }

  /** Index: the primary key. */
  static async read({ db }: TextScope, part: number): Promise<Vocabulary> {
    const rows = await db
      .selectFrom('search_vocabularies')
      .select(['size', 'words'])
      .where('part', '=', part)
      .execute();
    const lists: Buffer[] = [];
    for (const row of rows) lists.push(await unpack(row));
    return new Vocabulary(lists);
  }

  /** The words that pass a test, each once; `null` where these are more than so many. */
  find({ text, as }: WordTest, limit: number): readonly string[] | null {
    const found = new Set<string>();
    for (const list of this.#lists) {
      for (const word of as === 'end' || as === 'inside' ? wordsWith(list, text, as) : wordsFrom(list, text, as)) {
        found.add(word);
        if (found.size > limit) return null;
      }
    }
    return [...found];
  }
}

/** Words that hold the text, or end with it. */
function* wordsWith(list: Buffer, text: string, as: 'end' | 'inside'): Generator<string> {
  const wanted = Buffer.from(as === 'end' ? `${text}\n` : text);
  for (let at = list.indexOf(wanted); at !== -1; ) {
    const end = list.indexOf(LINE_END, at);
    yield list.toString('utf8', list.lastIndexOf(LINE_END, at) + 1, end);
    at = list.indexOf(wanted, end);
  }
}

/** Words that begin with the text, or are it: they stand together. */
function* wordsFrom(list: Buffer, text: string, as: 'word' | 'beginning'): Generator<string> {
  // Where the first word may begin that does not come before the text.
  let [from, to] = [1, list.length];
  while (from < to) {
    const start = list.lastIndexOf(LINE_END, ((from + to) >> 1) - 1) + 1;
    const end = list.indexOf(LINE_END, start);
    if (list.toString('utf8', start, end) < text) from = end + 1;
    else to = start;
  }
  for (let start = from; start < list.length; ) {
    const end = list.indexOf(LINE_END, start);
    const word = list.toString('utf8', start, end);
    if (as === 'word' ? word !== text : !word.startsWith(text)) return;
    yield word;
    start = end + 1;
  }
}

const LINE_END = 0x0a;

/** Tests are of letters and digits of ASCII. */
const ASCII = /[a-z0-9]/;

/** So many lists of a size become one. */
const MAX_ALIKE = 7;

/** Lists of a tier are within a factor of eight of each other. */
function tierOf(size: number): number {
  return Math.max(0, Math.floor(Math.log2(size / SMALL_LIST) / 3) + 1);
}

const SMALL_LIST = 4096;

function pack(text: string): Uint8Array {
  return zstdCompressSync(text, { params: { [constants.ZSTD_c_compressionLevel]: 3 } });
}

function unpack({ size, words }: { readonly size: number; readonly words: Uint8Array }): Promise<Buffer> {
  return decompress(words, { maxOutputLength: size * MAX_BYTES_OF_UNIT });
}

const decompress = promisify(zstdDecompress);

/** Of UTF-8, for a unit of UTF-16. */
const MAX_BYTES_OF_UNIT = 3;
