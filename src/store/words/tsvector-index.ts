/** The index of words on PostgreSQL: an inverted index (GIN) over the lexemes of `search_index`. */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { SearchTerm } from '#derive/search/query';
import type { Tables } from '../schema/tables.ts';
import { type IdRange, partOfText, textsOfPart } from './text-ids.ts';
import { LEXEME_SIGNS, lexemePrefix, toTsvectorRows } from './tsvector-rows.ts';
import type { LastParts, WordIndex } from './word-index.ts';

/** Index: search_words, and the primary key. */
export const tsvectorIndex: WordIndex = {
  async add(run, texts) {
    await run(INSERT, [JSON.stringify(toTsvectorRows(texts))]);
  },
  async remove(run, ids) {
    await run(DELETE, [JSON.stringify(ids)]);
  },
  // The server takes the list of what is new into the index when that is long, and clears away what is gone.
  tidy: async () => undefined,
  async findTexts(db, term, range) {
    const found: number[] = [];
    for (let part = partOfText(range.first); part <= partOfText(range.last); part++) {
      for (const id of await readTexts(db, term, part, range)) found.push(id - range.first);
    }
    return found;
  },
  async findTextsOfAny(db, words, range, limit) {
    const found = new Set<number>();
    for (let part = partOfText(range.first); part <= partOfText(range.last) && found.size < limit; part++) {
      const query = words.map((word) => toLexeme(part, LEXEME_SIGNS.word, word));
      const { first, last } = textsOfPart(part);
      const rowsOfAny = sql`SELECT ${ID} AS id FROM search_index
        WHERE words @@ (SELECT ${query.join(' | ')}::tsquery)
        AND ${ID} BETWEEN ${Math.max(first, range.first)} AND ${Math.min(last, range.last)}`;
      // The server stops at a limit only where it need not look for what repeats. Most texts have one row.
      const some = await sql<{ id: number }>`${rowsOfAny} LIMIT ${limit * 2}`.execute(db);
      for (const { id } of some.rows) found.add(id - range.first);
      if (found.size >= limit || some.rows.length < limit * 2) continue;
      const all = await sql<{ id: number }>`SELECT DISTINCT id FROM (${rowsOfAny}) AS rows_of_any`.execute(db);
      for (const { id } of all.rows) found.add(id - range.first);
    }
    return [...found].slice(0, limit);
  },
  async findLastTexts(db, term, upTo, limit) {
    const found: number[] = [];
    for (let from = partOfText(upTo), count = 1; from >= 0; count = PARTS_AT_ONCE) {
      const { parts, lookedDownTo } = await findLastParts(db, term, from, count);
      for (const part of parts) {
        const ids = await readTexts(db, term, part, { first: 0, last: upTo }, limit - found.length);
        for (const id of ids.toReversed()) found.push(id);
        if (found.length >= limit) return found.reverse();
      }
      from = lookedDownTo - 1;
    }
    return found.reverse();
  },
  findLastParts,
  async readLengths(db, ids) {
    const { rows } = await sql<{ id: number; length: number }>`
      SELECT id, length FROM search_index WHERE chunk = 0 AND id IN ${numbers(ids)}`.execute(db);
    return new Map(rows.map(({ id, length }) => [id, length]));
  },
};

const INSERT = `INSERT INTO search_index (id, chunk, length, words)
  SELECT (value ->> 0)::bigint, (value ->> 1)::smallint, (value ->> 2)::int, (value ->> 3)::tsvector
  FROM jsonb_array_elements($1::jsonb)`;

const DELETE = 'DELETE FROM search_index WHERE id IN (SELECT value::bigint FROM jsonb_array_elements_text($1::jsonb))';

/** The texts of a part that hold the term, ascending; of so many the last. */
async function readTexts(
  db: Kysely<Tables>,
  term: SearchTerm,
  part: number,
  range: IdRange,
  limit?: number,
): Promise<readonly number[]> {
  const { first, last } = textsOfPart(part);
  const { rows } = await sql<{ id: number }>`SELECT DISTINCT ${ID} AS id FROM search_index
    WHERE words @@ (SELECT ${toTsquery(term, part)}::tsquery)
    AND ${ID} BETWEEN ${Math.max(first, range.first)} AND ${Math.min(last, range.last)}
    ORDER BY 1 DESC LIMIT ${limit ?? null}`.execute(db);
  return rows.map(({ id }) => id).reverse();
}

/**
 * The words say the part already: the index of ids would be read for all texts of the part, or from its end on. The query stands in a
 * SELECT, so that the planner does not look for each of its words among those that are the most common.
 */
const ID = sql`id + 0`;

async function findLastParts(db: Kysely<Tables>, term: SearchTerm, upTo: number, count: number): Promise<LastParts> {
  for (let last = await lastPart(db, upTo), most = count; last !== undefined; most = PARTS_AT_ONCE) {
    const lookedDownTo = Math.max(last - Math.min(most, PARTS_AT_ONCE) + 1, 0);
    const asked = Array.from({ length: last - lookedDownTo + 1 }, (_, place) => lookedDownTo + place);
    const list = JSON.stringify(asked.map((part) => [part, toTsquery(term, part)]));
    const { rows } = await sql<{ part: number }>`SELECT part FROM (
      SELECT (value ->> 0)::bigint AS part, (value ->> 1)::tsquery AS query FROM jsonb_array_elements(${list}::jsonb)
    ) AS asked WHERE EXISTS (SELECT 1 FROM search_index WHERE words @@ asked.query) ORDER BY part DESC`.execute(db);
    if (rows.length > 0) return { parts: rows.map(({ part }) => part), lookedDownTo };
    last = await lastPart(db, lookedDownTo - 1);
  }
  return { parts: [], lookedDownTo: 0 };
}

/** The last part up to one that has any text. */
async function lastPart(db: Kysely<Tables>, upTo: number): Promise<number | undefined> {
  if (upTo < 0) return undefined;
  const { rows } = await sql<{
    id: number;
  }>`SELECT id FROM search_index WHERE id <= ${Math.min(textsOfPart(upTo).last, Number.MAX_SAFE_INTEGER)}
    ORDER BY id DESC, chunk DESC LIMIT 1`.execute(db);
  return rows[0] === undefined ? undefined : partOfText(rows[0].id);
}

const PARTS_AT_ONCE = 64;

/** Words are letters, digits and marks alone, so nothing in them ends a quoted text. */
function toTsquery({ words, isPrefix, parts }: SearchTerm, part: number): string {
  const phrase = (sign: string, of: readonly string[], mayGoOn: boolean) =>
    `(${of.map((word) => toLexeme(part, sign, word)).join(' <-> ')}${mayGoOn ? ':*' : ''})`;
  const { word, compound } = LEXEME_SIGNS;
  const found = [phrase(word, words, isPrefix), phrase(compound, words, isPrefix)];
  if (parts !== null) found.push(phrase(compound, parts, false));
  return found.join(' | ');
}

function toLexeme(part: number, sign: string, word: string): string {
  return `'${lexemePrefix(part)}${sign}${word}'`;
}

function numbers(ids: readonly number[]): RawBuilder<number> {
  return sql`(SELECT value::bigint FROM jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))`;
}
