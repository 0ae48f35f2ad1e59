/** The index of words on SQLite: FTS5, which keeps lists of places alone. */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { SearchTerm } from '#derive/search/query';
import type { Tables } from '../schema/tables.ts';
import type { RunStatement } from '../schema/statements.ts';
import { type IdRange, partOfText, textsOfPart } from './text-ids.ts';
import type { WordIndex } from './word-index.ts';

/** @see https://sqlite.org/fts5.html */
export const fts5Index: WordIndex = {
  async add(run, texts) {
    for (const { id, words, parts } of texts) await run(INSERT, [id, words, parts]);
  },
  async remove(run, ids) {
    for (const id of ids) await run(DELETE, [id]);
  },
  tidy: mergeSegments,
  findTexts,
  findTextsOfAny,
  findLastTexts,
  async findLastParts(db, term, upTo) {
    const [last] = await findLastTexts(db, term, textsOfPart(upTo).last, 1);
    if (last === undefined) return { parts: [], lookedDownTo: 0 };
    const part = partOfText(last);
    return { parts: [part], lookedDownTo: part };
  },
  readLengths,
};

/**
 * Merges some of what earlier steps wrote. Measured on 600,000 texts: an eighth of a page a text keeps the segments below
 * twenty, and a step of 256 texts at 3 ms for them and 3 ms for merging, 17 ms at most.
 */
async function mergeSegments(run: RunStatement, textCount: number): Promise<void> {
  const pages = Math.min(Math.max(Math.ceil(textCount / 8), MIN_PAGES), MAX_PAGES);
  await run("INSERT INTO search_index (search_index, rank) VALUES ('merge', CAST(? AS INTEGER))", [pages]);
}

const INSERT = 'INSERT INTO search_index (rowid, words, parts) VALUES (?, ?, ?)';
const DELETE = 'DELETE FROM search_index WHERE rowid = ?';

const MIN_PAGES = 8;
const MAX_PAGES = 128;

/**
 * The texts in a range that hold the term, by their places after its first, ascending.
 * Index: that of the word, in which it skips to the range; for the beginning of a word those of all words that begin so.
 */
async function findTexts(db: Kysely<Tables>, term: SearchTerm, { first, last }: IdRange): Promise<readonly number[]> {
  const { rows } = await sql<{ ids: string }>`
    SELECT json_group_array(rowid - ${integer(first)}) AS ids FROM search_index
    WHERE search_index MATCH ${toMatch(term)} AND rowid BETWEEN ${integer(first)} AND ${integer(last)}`.execute(db);
  return JSON.parse(rows[0]?.ids ?? '[]') as number[];
}

/** Index: those of the words. */
async function findTextsOfAny(
  db: Kysely<Tables>,
  words: readonly string[],
  { first, last }: IdRange,
  limit: number,
): Promise<readonly number[]> {
  const match = `words : (${words.map((word) => `"${word}"`).join(' OR ')})`;
  const { rows } = await sql<{ ids: string }>`
    SELECT json_group_array(id) AS ids FROM (
      SELECT rowid - ${integer(first)} AS id FROM search_index
      WHERE search_index MATCH ${match} AND rowid BETWEEN ${integer(first)} AND ${integer(last)} LIMIT ${limit})`.execute(
    db,
  );
  return JSON.parse(rows[0]?.ids ?? '[]') as number[];
}

/** The same of at most so many, the last ones. */
async function findLastTexts(
  db: Kysely<Tables>,
  term: SearchTerm,
  upTo: number,
  limit: number,
): Promise<readonly number[]> {
  const { rows } = await sql<{ ids: string }>`
    SELECT json_group_array(id) AS ids FROM (
      SELECT rowid AS id FROM search_index
      WHERE search_index MATCH ${toMatch(term)} AND rowid <= ${integer(upTo)} ORDER BY rowid DESC LIMIT ${limit})`.execute(
    db,
  );
  return (JSON.parse(rows[0]?.ids ?? '[]') as number[]).reverse();
}

/** Large numbers are bound as floating-point, at which FTS5 skips to nothing: it would read all places of a word. */
function integer(value: number): RawBuilder<number> {
  return sql`CAST(${value} AS INTEGER)`;
}

/** How many words each of the texts has, as far as it is indexed. Index: primary key. */
async function readLengths(db: Kysely<Tables>, textIds: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const { rows } = await sql<{ id: number; sz: Uint8Array }>`
    SELECT id, sz FROM search_index_docsize WHERE id IN (SELECT value FROM json_each(${JSON.stringify(textIds)}))`.execute(
    db,
  );
  return new Map(rows.map(({ id, sz }) => [id, firstVarint(sz)]));
}

/** Words are letters, digits and marks alone, so nothing in them ends a quoted text. */
function toMatch({ words, isPrefix, parts }: SearchTerm): string {
  const phrase = `"${words.join(' ')}"${isPrefix ? ' *' : ''}`;
  return parts === null ? phrase : `${phrase} OR parts : "${parts.join(' ')}"`;
}

/** SQLite's varint: the most significant seven bits first. */
function firstVarint(bytes: Uint8Array): number {
  let value = 0;
  for (const byte of bytes) {
    value = value * 0x80 + (byte & 0x7f);
    if (byte < 0x80) break;
  }
  return value;
}
