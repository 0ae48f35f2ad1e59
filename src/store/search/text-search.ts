/** Full-text search over the tables of the relational engines. */
import { parseSearch } from '#derive/search/query';
import { scopeBits } from '#derive/search/scope';
import { makeSnippets, type SearchSnippet } from '#derive/search/snippets';
import type { ReadScope } from '../spans/rows/read-scope.ts';
import { readReadableRows } from '../spans/rows/unreadable-rows.ts';
import { selectSpanRows, toSpanRow } from '../spans/rows/span-query.ts';
import type { SearchCurrency, SearchRequest, TextSearch } from './port.ts';
import { pendingCount, readSearchProgress } from '../texts/progress.ts';
import { readTexts } from './read-texts.ts';
import { countTextHits, searchTexts } from './search-page.ts';

/** Reads through the scope; originals are decoded in the calling thread, so it belongs into a reader's. */
export function relationalTextSearch(scope: ReadScope): TextSearch {
  return {
    searchTexts: (spans, request, page) => searchTexts(scope, spans, request, page),
    countTextHits: (spans, request) => countTextHits(scope, spans, request),
    readSnippets: (request, spanRowIds) => readSnippets(scope, request, spanRowIds),
    readSearchCurrency: () => readCurrency(scope),
  };
}

/** Index: primary keys. */
async function readSnippets(
  scope: ReadScope,
  request: SearchRequest,
  spanRowIds: readonly number[],
): Promise<ReadonlyMap<number, readonly SearchSnippet[]>> {
  const query = parseSearch(request.text);
  const deadline = performance.now() + SNIPPETS_MS;
  const rows = await readReadableRows(spanRowIds, (rowIds) =>
    selectSpanRows(scope.db)
      .where('spans.id', 'in', scope.dialect.numbersOf(rowIds))
      .orderBy('spans.id', 'desc')
      .execute(),
  );
  const snippets = new Map<number, readonly SearchSnippet[]>();
  // What a damaged span holds is not shown.
  const onDamaged = () => undefined;
  for await (const { row, texts } of readTexts(scope, rows.map(toSpanRow), { onDamaged })) {
    snippets.set(row.rowId, makeSnippets(query, texts, scopeBits(request.scope)));
    if (performance.now() > deadline) break;
  }
  return snippets;
}

/** As long as originals may be looked through; spans that are not reached have no snippets. */
const SNIPPETS_MS = 2000;

/** Index: primary keys. */
async function readCurrency({ db }: ReadScope): Promise<SearchCurrency> {
  const progress = await readSearchProgress(db);
  const last = await db
    .selectFrom('spans')
    .select('start_us')
    .where('id', '<', progress.nextRowId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return { pendingSpanCount: pendingCount(progress), indexedUpToUs: last?.start_us ?? null };
}
