/** The distinct words of a part, for tests of words that lists cannot be looked up for: how they end, and what they hold. */
import { readAllCompressed } from '#base/read-compressed';
import { Semaphore } from '#base/semaphore';
import type { WordTest } from '#derive/search/word-tests';
import type { SearchSegmentsTable } from '../schema/search-tables.ts';
import { unlessDamaged } from '../words/damaged-words.ts';
import { openVocabulary, VOCABULARY } from '../words/sealed-segments.ts';
import type { TextScope } from './held-rows.ts';

/** A test that says how a word ends, or what it holds. */
export type WordPartTest = WordTest & { readonly as: 'end' | 'inside' };

/**
 * The words of a part that pass a test, each once; `null` where these are more than so many, or cannot be told because one of the lists is
 * damaged. Few look at a time, at a few megabytes each, and nothing is kept: tens of questions may look into the same part, whose lists
 * may have tens of megabytes. They take no room: some of those that look hold room that others wait for. Index: the primary key.
 */
export function findWords(
  { db }: TextScope,
  part: number,
  test: WordPartTest,
  limit: number,
): Promise<readonly string[] | null> {
  const find = async () => {
    const ofPart = db.selectFrom('search_segments').where('part', '=', part);
    const all = await ofPart.select(SIZES).orderBy('number').execute();
    const found = new Set<string>();
    for (const lists of inGroups(all)) {
      if (!(await addWords(db, { part, lists, test, limit }, found))) return 'changed';
      if (found.size > limit) return null;
    }
    return [...found];
  };
  return looking.run(() =>
    unlessDamaged(async () => {
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        const found = await find();
        if (found !== 'changed') return found;
      }
      return null;
    }, null),
  );
}

const SIZES = ['number', 'vocabulary_size'] as const;

type ListSize = Pick<SearchSegmentsTable, (typeof SIZES)[number]>;

/** In this thread: one is decompressed while another is searched. */
const looking = new Semaphore(2);

/** Segments of a part are merged now and then. */
const MAX_ATTEMPTS = 3;

/** What is looked through together, where a list has no more by itself. */
const GROUP_BYTES = 4 * 1024 * 1024;

function inGroups(all: readonly ListSize[]): readonly (readonly ListSize[])[] {
  const groups: ListSize[][] = [];
  let left = 0;
  for (const list of all) {
    left -= list.vocabulary_size;
    if (groups.length === 0 || left < 0) {
      groups.push([]);
      left = GROUP_BYTES - list.vocabulary_size;
    }
    groups.at(-1)?.push(list);
  }
  return groups;
}

/** Lists of a part that are looked through together, and for what. */
interface Search {
  readonly part: number;
  readonly lists: readonly ListSize[];
  readonly test: WordPartTest;
  readonly limit: number;
}

/** Adds words that pass, as long as they are not too many; says whether all of the lists were still there. */
async function addWords(
  db: TextScope['db'],
  { part, lists, test, limit }: Search,
  found: Set<string>,
): Promise<boolean> {
  const rows = await db
    .selectFrom('search_segments')
    .select(VOCABULARY)
    .where('part', '=', part)
    .where('number', '>=', lists.at(0)?.number ?? 0)
    .where('number', '<=', lists.at(-1)?.number ?? 0)
    .execute();
  if (rows.length < lists.length) return false;
  const packed = rows.map((row) => ({ frame: openVocabulary(row), size: row.vocabulary_size }));
  await readAllCompressed(packed, (read) => read.forEach((list) => addFrom(list, test, limit, found)));
  return true;
}

function addFrom(list: Buffer, { text, as }: WordPartTest, limit: number, found: Set<string>): void {
  for (const word of wordsWith(list, text, as)) {
    if (found.size > limit) return;
    found.add(word);
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

const LINE_END = 0x0a;
