/** Finds what the questions need to know. */
import { findProjectId, query } from '../ui/place.ts';
import type { Month } from './question.ts';
import { MONTH } from './traffic.ts';

/** Pages of a thousand spans that are gone through for a cursor that is deep in the list. */
const DEEP_PAGES = 50;

/** Looks around in a month. */
export async function openMonth(url: string): Promise<Month> {
  const projectId = await findProjectId(url, MONTH.project);
  const variables = { id: projectId };
  let after: string | null = null;
  let spanNodeId = '';
  for (let page = 0; page < DEEP_PAGES; page++) {
    const answer: PageAnswer = await query(url, PAGE, { ...variables, after });
    after = answer.node.spans.pageInfo.endCursor;
    spanNodeId = answer.node.spans.edges[0]?.node.id ?? spanNodeId;
  }
  return { url, projectId, spanNodeId, deepCursor: after ?? '' };
}

const PAGE = `query ($id: ID!, $after: String) { node(id: $id) { ... on Project {
  spans(first: 1000, after: $after, sort: {col: startTime, dir: desc}) { pageInfo { endCursor } edges { node { id } } } } } }`;

interface PageAnswer {
  readonly node: {
    readonly spans: {
      readonly pageInfo: { readonly endCursor: string };
      readonly edges: readonly { readonly node: { readonly id: string } }[];
    };
  };
}

/** Waits until the server has nothing of its own left to do: columns, search index, compaction. */
export async function waitUntilCaughtUp(url: string): Promise<void> {
  for (let compacted = -1; ; ) {
    const text = await (await fetch(`${url}/metrics`)).text();
    const read = (name: string) => Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)`, 'm').exec(text)?.[1] ?? 0);
    const lag = Math.max(read('cairn_columns_lag_spans'), read('cairn_search_pending_spans'));
    const bytes = read('cairn_compaction_bytes_total');
    if (lag < SMALL_LAG && bytes === compacted) return;
    compacted = bytes;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

/** Fewer spans than a segment of columns holds are always behind. */
const SMALL_LAG = 8192;

/** Longer than compaction rests between two rounds. */
const PAUSE_MS = 15_000;
