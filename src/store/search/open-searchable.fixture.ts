/** A database with its search index, for tests. */
import type { SEARCH_SCOPES } from '#derive/search/scope';
import type { TestEngine } from '../engine/test-engine.fixture.ts';
import { openTestWriter, spansOf, type TestWriter } from '../logs/write/open-writer.fixture.ts';
import { EnvelopeCache } from '../spans/rows/envelope-cache.ts';
import type { ReadScope } from '../spans/rows/read-scope.ts';
import { TraceTrees } from '../spans/rows/trace-trees.ts';
import type { TestSpan } from '../../../test/harness/otlp-json.ts';
import type { StepBounds } from './index-step.ts';
import { planIndex } from './plan-index.ts';
import type { SearchedSpans, SearchPageRequest, TextSearch } from './port.ts';
import { storeIndex } from './store-index.ts';
import { findTexts } from '../words/find-texts.ts';
import { openRemoved, openTexts } from '../words/sealed-segments.ts';
import { PART_SPANS, textsOfPart } from '../words/text-ids.ts';
import { relationalTextSearch } from './text-search.ts';

/** What is open. */
export interface Searchable extends TestWriter {
  readonly scope: ReadScope;
  readonly search: TextSearch;
  /** Stores spans of one request. */
  send(spans: readonly TestSpan[]): Promise<void>;
  /** Indexes whatever is not indexed; returns in how many steps. */
  index(): Promise<number>;
  /** Ids of all texts that the index of words has. */
  indexedTexts(): Promise<readonly number[]>;
  /** Ids of those among them that hold the word, of the first part of the row ids. */
  textsWith(word: string): Promise<readonly number[]>;
  /** Names of the spans that are found, the last first unless asked otherwise. */
  find(text: string, options?: FindOptions): Promise<readonly string[]>;
}

interface FindOptions {
  readonly scope?: (typeof SEARCH_SCOPES)[number];
  readonly spans?: SearchedSpans;
  readonly limit?: number;
  readonly order?: SearchPageRequest['order'];
}

/** Small, so that there are several. */
export const STEP: StepBounds = {
  arrivedCount: 256,
  changedCount: 64,
  milliseconds: 1000,
  characterCount: 256 * 1024,
  mayMerge: true,
};

/** The same, with most of the first spans in one part of the row ids, and some in the next. */
export async function openInTwoParts(): Promise<Searchable> {
  const store = await openSearchable();
  await store.exec(`UPDATE row_ids SET next_id = ${PART_SPANS - 8} WHERE table_name = 'spans'`);
  await store.exec(`UPDATE search_progress SET next_span_row_id = ${PART_SPANS - 8}`);
  return store;
}

/** Opens it. */
export async function openSearchable(engine?: TestEngine): Promise<Searchable> {
  const memory = await openTestWriter(engine && { engine });
  const { db, dialect, writer } = memory;
  const scope = { db, dialect, envelopes: new EnvelopeCache(), trees: new TraceTrees() };
  const search = relationalTextSearch(scope);
  const nameOf = async (rowId: number) =>
    (await db.selectFrom('spans').select('name').where('id', '=', rowId).executeTakeFirstOrThrow()).name;
  return {
    ...memory,
    scope,
    search,
    send: async (spans) => {
      await writer.write([spansOf(spans)]);
    },
    index: async () => {
      for (let steps = 0; ; steps++) {
        const plan = await planIndex(scope, STEP);
        if (plan === undefined) return steps;
        await writer.change((change) => storeIndex(change, plan));
      }
    },
    indexedTexts: async () => {
      const rows = await db.selectFrom('search_segments').selectAll().orderBy('part').execute();
      return rows.flatMap((row) => {
        const removed = openRemoved(row);
        const { first } = textsOfPart(row.part);
        return [...openTexts(row)].filter((_, place) => !removed.has(place)).map((offset) => first + offset);
      });
    },
    textsWith: async (word) => [
      ...((await findTexts(scope, { words: [word], isPrefix: false, parts: null }, 0))?.certain ?? []),
    ],
    find: async (
      text,
      { scope: of = 'everything', spans = { projectRowId: 1 }, limit = 100, order = 'newest' } = {},
    ) => {
      const page = { order, limit, after: null };
      const { hits } = await search.searchTexts(spans, { text, scope: of }, page);
      return Promise.all(hits.map(({ spanRowId }) => nameOf(spanRowId)));
    },
  };
}
