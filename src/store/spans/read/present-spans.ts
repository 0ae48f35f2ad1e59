/** Pages of whole spans as texts. */
import type { PageRequest, PresentedPage, SpanFilter, SpanRow, SpanSort } from '../port.ts';
import type { SpanPresenter } from '../presenter.ts';
import { cursorOf, listSpans } from './list-spans.ts';
import type { ReadScope } from '../rows/read-scope.ts';
import { readStoredSpans } from '../rows/stored-spans.ts';
import { DamagedRows } from './damaged-rows.ts';

/**
 * One page. It ends early, and can be continued, when its texts are longer than a client should get at once, or there is no memory
 * for the next ones.
 */
export async function presentSpans(
  scope: ReadScope,
  filter: SpanFilter,
  page: PageRequest<SpanSort>,
  present: SpanPresenter,
): Promise<PresentedPage> {
  const rows = await listSpans(scope, filter, page);
  const texts: Uint8Array[] = [];
  let bytes = 0;
  let next: SpanRow | undefined;
  const endsBefore = (row: SpanRow) => {
    if (texts.length > 0) next = row;
    return next !== undefined;
  };
  const damaged = new DamagedRows(rows.data);
  for await (const stored of readStoredSpans(scope, rows.data, { onDamaged: damaged.onDamaged, endsBefore })) {
    const text = Buffer.from(present(stored));
    bytes += text.length;
    if (texts.length > 0 && bytes > MAX_PAGE_BYTES) {
      next = stored.row;
      break;
    }
    if (texts.length > 0) texts.push(COMMA);
    texts.push(text);
  }
  const body = new Uint8Array(Buffer.concat(texts));
  if (next === undefined) return { body, nextCursor: rows.nextCursor, damaged: damaged.all };
  return { body, nextCursor: cursorOf(next, page.sort), damaged: damaged.before(next.rowId) };
}

const COMMA = Buffer.from(',');

/** A thousand spans of images or documents are far more than a client, or this server, should hold at once. */
const MAX_PAGE_BYTES = 16 * 1024 * 1024;
