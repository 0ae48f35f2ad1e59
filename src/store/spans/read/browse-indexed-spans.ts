/** Pages of spans in any order that tables offer. */
import type { KeysetPage, KeysetRequest, Position } from '#domain/page';
import { type QueryScope, queryScopeOf } from '../../queries/prepared-query.ts';
import type { SpanScope, SpanTableRow } from '../browse-port.ts';
import { readListedOnly } from '../rows/visible.ts';
import type { ReadScope } from '../rows/read-scope.ts';
import { listSpanRows } from '../rows/span-table.ts';
import {
  findStep,
  holdMoreThan,
  type IndexedSort,
  isNarrowed,
  isScan,
  type Part,
  type Path,
  selectMatches,
  type SortColumn,
  type Walk,
} from './span-walk.ts';

/**
 * One page. A project is read along the index of the order or, where few spans lie in the bounds, along that of starts; a
 * trace along its spans. A page that looked for as long as it may ends early and can be continued.
 */
export async function browseSpans(
  scope: ReadScope,
  spans: SpanScope,
  page: KeysetRequest<IndexedSort>,
): Promise<KeysetPage<SpanTableRow>> {
  const deadline = performance.now() + BUDGET_MS;
  const queries = queryScopeOf(scope);
  const listedOnly = 'projectRowId' in spans ? await readListedOnly(queries) : null;
  const path = await choosePath(queries, spans, page.sort);
  const found: Position[] = [];
  const end = async (next: Position | null) => {
    const rowIds = found.slice(0, page.limit).map(({ rowId }) => rowId);
    return { rows: await listSpanRows(scope, rowIds), next };
  };
  for (const { part, after: start } of partsAfter(page)) {
    let after = start;
    for (;;) {
      const walk: Walk = { spans, listedOnly, path, part, order: page.order, after };
      const until = isScan(walk) ? await findStep(queries, walk) : null;
      found.push(...(await selectMatches(queries, walk, until, page.limit + 1 - found.length)));
      if (found.length > page.limit) return end(found[page.limit - 1] ?? null);
      if (until === null) break;
      if (performance.now() > deadline) return end(until);
      after = until;
    }
  }
  return end(null);
}

/** How long a page may look, in milliseconds. */
const BUDGET_MS = 1000;

/** Spans that are rather sorted than looked for along the index of their order. */
const MAX_SORTED_ROWS = 20_000;

const COLUMNS: Readonly<Record<IndexedSort, SortColumn>> = {
  id: 'id',
  start_time: 'start_us',
  end_time: 'end_us',
  latency: 'latency_us',
  total_tokens: 'total_tokens',
  prompt_tokens: 'prompt_tokens',
  completion_tokens: 'completion_tokens',
};

function partsAfter({ sort, after }: KeysetRequest<IndexedSort>): { part: Part; after: Position | null }[] {
  const valued = { part: { column: COLUMNS[sort], isNull: false }, after };
  if (sort === 'id' || sort === 'start_time') return [valued];
  const isPast = after !== null && after.value === null;
  const rest = { part: { column: COLUMNS[sort], isNull: true }, after: isPast ? after : null };
  return isPast ? [rest] : [valued, rest];
}

async function choosePath(scope: QueryScope, spans: SpanScope, sort: IndexedSort): Promise<Path> {
  if ('traceRowId' in spans) return 'trace';
  if (sort === 'start_time' || !isNarrowed(spans)) return 'order';
  return (await holdMoreThan(scope, spans, MAX_SORTED_ROWS)) ? 'order' : 'start';
}
