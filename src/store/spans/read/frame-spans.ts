/** Pages of data frames. */
import type { FramePage, FrameQuery, FrameSource } from '../frame.ts';
import type { FrameMaker } from '../frame-maker.ts';
import type { FrameRequest } from '../port.ts';
import { cursorOf, listSpans } from './list-spans.ts';
import type { ReadScope } from '../rows/read-scope.ts';
import { readStoredSpans } from '../rows/stored-spans.ts';
import { readSubtrees } from './subtrees.ts';

/** One page. It ends early, and can be continued, when its rows are longer than a thread should hold at once. */
export async function frameSpans(
  scope: ReadScope,
  maker: FrameMaker,
  { filter, page, query, columns }: FrameRequest,
): Promise<FramePage> {
  const { data, nextCursor } = await listSpans(scope, filter, page);
  const subtrees = isCumulative(query)
    ? await readSubtrees(
        scope,
        data.map(({ rowId }) => rowId),
      )
    : undefined;
  const writer = maker.open(query, columns);
  for await (const stored of readStoredSpans(scope, data)) {
    if (writer.length > MAX_PAGE_CHARACTERS) return writer.finish(cursorOf(stored.row, page.sort));
    writer.add(stored, subtrees?.get(stored.row.rowId));
  }
  return writer.finish(nextCursor);
}

function isCumulative({ select, index }: FrameQuery): boolean {
  return [index, ...(select ?? [])].some(({ source }) => isCumulativeSource(source));
}

function isCumulativeSource(source: FrameSource): boolean {
  return source.kind === 'field' && source.field.startsWith('cumulative_');
}

const MAX_PAGE_CHARACTERS = 8 * 1024 * 1024;
