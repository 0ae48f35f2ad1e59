import { query } from '../ui/place.ts';

const PAGE = `query ($id: ID!, $filterCondition: String, $after: String) { node(id: $id) { ... on Project {
  spans(first: 100, after: $after, filterCondition: $filterCondition, sort: {col: startTime, dir: desc}) {
    pageInfo { endCursor hasNextPage } edges { node { spanId } } } } } }`;

/** What reading pages came to. */
export interface ReadPages {
  readonly matches: number;
  readonly pages: number;
  readonly firstMs: number;
  readonly wholeMs: number;
}

/** Reads the spans that match a filter over GraphQL, the latest first, in pages of a hundred until the end or so many pages. */
export async function readPages(
  url: string,
  id: string,
  filterCondition: string,
  maxPages = Number.POSITIVE_INFINITY,
): Promise<ReadPages> {
  const askedAt = performance.now();
  let [matches, pages, firstMs] = [0, 0, 0];
  for (let after: string | null = null; pages < maxPages; ) {
    const { node }: SpansAnswer = await query(url, PAGE, { id, filterCondition, after });
    if (pages === 0) firstMs = performance.now() - askedAt;
    pages++;
    matches += node.spans.edges.length;
    after = node.spans.pageInfo.hasNextPage ? node.spans.pageInfo.endCursor : null;
    if (after === null) break;
  }
  return { matches, pages, firstMs, wholeMs: performance.now() - askedAt };
}

interface SpansAnswer {
  readonly node: {
    readonly spans: {
      readonly pageInfo: { readonly endCursor: string | null; readonly hasNextPage: boolean };
      readonly edges: readonly unknown[];
    };
  };
}
