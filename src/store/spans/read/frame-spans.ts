/** Pages of data frames. */
import type { FrameQuery, FrameSource, SpanFramePage } from '../frame.ts';
import type { FrameMaker } from '../frame-maker.ts';
import type { FrameRequest, SpanRow } from '../port.ts';
import { cursorOf, listSpans } from './list-spans.ts';
import type { ReadScope } from '../rows/read-scope.ts';
import { readStoredSpans } from '../rows/stored-spans.ts';
import { DamagedRows } from './damaged-rows.ts';
import { readSubtrees } from './subtrees.ts';

/** One page. It ends early, and can be continued, when its rows are longer than a thread should hold at once, or there is no memory for the next ones. */
export async function frameSpans(
  scope: ReadScope,
  maker: FrameMaker,
  { filter, page, query, columns }: FrameRequest,
): Promise<SpanFramePage> {
  const { data, lost, nextCursor } = await listSpans(scope, filter, page);
  const subtrees = isCumulative(query)
    ? await readSubtrees(
        scope,
        data.map(({ rowId }) => rowId),
      )
    : undefined;
  const writer = maker.open(query, columns);
  const damaged = new DamagedRows(data);
  let next: SpanRow | undefined;
  const endsBefore = (row: SpanRow) => {
    if (writer.length > 0) next = row;
    return next !== undefined;
  };
  for await (const stored of readStoredSpans(scope, data, { onDamaged: damaged.onDamaged, endsBefore })) {
    if (writer.length > MAX_PAGE_CHARACTERS) {
      next = stored.row;
      break;
    }
    writer.add(stored, subtrees?.get(stored.row.rowId));
  }
  if (next === undefined) return { ...writer.finish(nextCursor), damaged: [...lost, ...damaged.all] };
  return { ...writer.finish(cursorOf(next, page.sort)), damaged: [...lost, ...damaged.before(next.rowId)] };
}

function isCumulative({ select, index }: FrameQuery): boolean {
  return [index, ...(select ?? [])].some(({ source }) => isCumulativeSource(source));
}

function isCumulativeSource(source: FrameSource): boolean {
  return source.kind === 'field' && source.field.startsWith('cumulative_');
}

const MAX_PAGE_CHARACTERS = 8 * 1024 * 1024;
