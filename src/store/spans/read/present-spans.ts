/** Pages of whole spans as texts. */
import type { PageRequest, PresentedPage, SpanFilter, SpanSort } from '../port.ts';
import type { SpanPresenter } from '../presenter.ts';
import { cursorOf, listSpans } from './list-spans.ts';
import type { ReadScope } from '../rows/read-scope.ts';
import { readStoredSpans } from '../rows/stored-spans.ts';
import { DamagedRows } from './damaged-rows.ts';

/** One page. It ends early, and can be continued, when its texts are longer than a client should get at once. */
export async function presentSpans(
  scope: ReadScope,
  filter: SpanFilter,
  page: PageRequest<SpanSort>,
  present: SpanPresenter,
): Promise<PresentedPage> {
  const rows = await listSpans(scope, filter, page);
  const texts: string[] = [];
  let characters = 0;
  const damaged = new DamagedRows(rows.data);
  for await (const stored of readStoredSpans(scope, rows.data, damaged)) {
    if (characters > MAX_PAGE_CHARACTERS) {
      const nextCursor = cursorOf(stored.row, page.sort);
      return { data: texts, nextCursor, damaged: damaged.before(stored.row.rowId) };
    }
    const text = present(stored);
    texts.push(text);
    characters += text.length;
  }
  return { data: texts, nextCursor: rows.nextCursor, damaged: damaged.all };
}

/** A thousand spans of images or documents are far more than a string of V8 holds. */
const MAX_PAGE_CHARACTERS = 32 * 1024 * 1024;
