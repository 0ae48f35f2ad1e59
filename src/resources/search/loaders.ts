import { defineLoader, type Loader } from '#api/graphql/loader';
import type { SearchSnippet } from '#derive/search/snippets';
import type { ForCaller } from '#domain/caller';
import type { SearchRequest, TextSearch } from '#store/search/port';

/** What resolvers of hits wait for. */
export interface SearchLoaders {
  /** Where a span holds what is looked for. */
  readonly snippets: Loader<SnippetKey, readonly SearchSnippet[]>;
}

interface SnippetKey {
  readonly spanRowId: number;
  readonly request: SearchRequest;
}

/** The loaders on a search. */
export function createSearchLoaders(search: ForCaller<TextSearch>): SearchLoaders {
  return {
    snippets: defineLoader(
      async (caller, keys) => {
        const found = new Map<string, ReturnType<TextSearch['readSnippets']>>();
        for (const [text, alike] of Map.groupBy(keys, ({ request }) => requestText(request))) {
          const [first] = alike;
          const rowIds = alike.map(({ spanRowId }) => spanRowId);
          if (first !== undefined) found.set(text, search(caller).readSnippets(first.request, rowIds));
        }
        return Promise.all(
          keys.map(async ({ request, spanRowId }) => (await found.get(requestText(request)))?.get(spanRowId) ?? []),
        );
      },
      ({ spanRowId, request }) => `${spanRowId} ${requestText(request)}`,
    ),
  };
}

function requestText({ text, scope }: SearchRequest): string {
  return JSON.stringify([scope, text]);
}
