/** What the spans of a trace hold, as digests, for comparing it with another trace. */
import { CONTENT_PARTS } from '#domain/span-contents';
import { digestContents } from '#derive/content-digests';
import { Budget } from '../../query/budget.ts';
import type { SkeletonPage, SkeletonPosition, SkeletonRequest } from '../browse-port.ts';
import type { ReadScope } from '../rows/read-scope.ts';
import { selectSpanRows, toSpanRow } from '../rows/span-query.ts';
import { readStoredSpans } from '../rows/stored-spans.ts';
import { selectAfter } from './trace-skeleton.ts';

/** Opening originals takes as long as they are large: a page ends early, and can be continued. */
const PAGE_MS = 1000;

/** Digests of spans, earliest start first. Indexes: spans_of_trace, and the primary key. */
export async function readTraceDigests(
  scope: ReadScope,
  traceRowId: number,
  { limit, after }: SkeletonRequest,
): Promise<SkeletonPage> {
  const budget = new Budget(PAGE_MS);
  const places = await selectAfter(scope, traceRowId, after)
    .select(['start_us as startTimeUs', 'id as rowId'])
    .limit(limit)
    .execute();
  const lists: Record<string, (string | number | null)[]> = { rowIds: [] };
  for (const part of CONTENT_PARTS) lists[part] = [];
  let next: SkeletonPosition | null = places.length < limit ? null : (places.at(-1) ?? null);
  for (let start = 0; start < places.length; start += STEP_SPANS) {
    const step = places.slice(start, start + STEP_SPANS);
    const rows = await selectSpanRows(scope.db)
      .where('spans.id', 'in', scope.dialect.numbersOf(step.map(({ rowId }) => rowId)))
      .orderBy('spans.id')
      .execute();
    // One that cannot be read is like no other.
    const onDamaged = (rowId: number) => {
      lists['rowIds']?.push(rowId);
      for (const part of CONTENT_PARTS) lists[part]?.push(`damaged ${rowId}`);
    };
    for await (const { row, span } of readStoredSpans(scope, rows.map(toSpanRow), { onDamaged })) {
      const digests = digestContents(span.reading);
      lists['rowIds']?.push(row.rowId);
      for (const part of CONTENT_PARTS) lists[part]?.push(digests[part]);
    }
    if (!budget.isOver || start + STEP_SPANS >= places.length) continue;
    next = step.at(-1) ?? null;
    break;
  }
  return { columns: JSON.stringify(lists), next };
}

/** Spans that are opened together; between two steps the time is looked at. */
const STEP_SPANS = 250;
