/** Pages of whole spans as texts. */
import type { Page } from '#domain/page';
import type { PageRequest, SpanFilter, SpanSort } from '../port.ts';
import type { SpanPresenter } from '../presenter.ts';
import { cursorOf, listSpans } from './list-spans.ts';
import type { ReadScope } from '../rows/read-scope.ts';
import { readStoredSpans } from '../rows/stored-spans.ts';

/** One page. It ends early, and can be continued, when its texts are longer than a client should get at once. */
export async function presentSpans(
  scope: ReadScope,
  filter: SpanFilter,
  page: PageRequest<SpanSort>,
  present: SpanPresenter,
): Promise<Page<string>> {
  const rows = await listSpans(scope, filter, page);
  const texts: string[] = [];
  let characters = 0;
  for await (const stored of readStoredSpans(scope, rows.data)) {
    if (characters > MAX_PAGE_CHARACTERS) return { data: texts, nextCursor: cursorOf(stored.row, page.sort) };
    const text = present(stored);
    texts.push(text);
    characters += text.length;
  }
  return { data: texts, nextCursor: rows.nextCursor };
}

/** A thousand spans of images or documents are far more than a string of V8 holds. */
const MAX_PAGE_CHARACTERS = 32 * 1024 * 1024;
