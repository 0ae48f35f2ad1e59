/** What makes damaged parts of the search index whole: spans whose texts no whole segment has are indexed again, and then damaged segments dropped. */
import type { ReadScope } from '../spans/rows/read-scope.ts';
import { visitHeld } from '../texts/span-texts.ts';
import { verifyPart } from '../words/read-segment.ts';
import type { SegmentChange } from '../words/segment-changes.ts';
import { spanOfText, spansOfPart, textsOfPart } from '../words/text-ids.ts';

/** The next step of that. */
export interface Mending {
  /** Parts that are whole with this step. */
  readonly clearedParts: readonly number[];
  /** Drops damaged segments that nothing needs any more. */
  readonly segments: readonly SegmentChange[];
  /** Spans of another part, to be indexed again. */
  readonly spanRowIds: readonly number[];
}

/** Looks at parts that are suspected, for some time; `undefined` where there are none. Index: primary keys. */
export async function findMending(scope: ReadScope, milliseconds: number): Promise<Mending | undefined> {
  const suspects = await scope.db.selectFrom('search_suspect_parts').select('part').orderBy('part').execute();
  if (suspects.length === 0) return undefined;
  const deadline = performance.now() + milliseconds;
  const clearedParts: number[] = [];
  const segments: SegmentChange[] = [];
  for (const { part } of suspects) {
    const { damaged, texts } = await verifyPart(scope, part);
    const spanRowIds = await findHolders(scope, part, texts);
    if (spanRowIds.length > 0) return { clearedParts, segments, spanRowIds };
    clearedParts.push(part);
    if (damaged.length > 0) segments.push({ part, dropped: damaged, added: undefined, thinned: [] });
    if (performance.now() > deadline) break;
  }
  return { clearedParts, segments, spanRowIds: [] };
}

/** A span for each text of the part that is not among these: the one that held it first, if it still does. */
async function findHolders({ db }: ReadScope, part: number, texts: ReadonlySet<number>): Promise<readonly number[]> {
  const range = spansOfPart(part);
  const firstText = textsOfPart(part).first;
  const holders = new Map<number, number>();
  for (let from = range.first; ; ) {
    const rows = await db
      .selectFrom('search_spans')
      .select(['span_row_id', 'held'])
      .where('span_row_id', '>=', from)
      .where('span_row_id', '<=', range.last)
      .orderBy('span_row_id')
      .limit(ROWS_AT_ONCE)
      .execute();
    for (const { span_row_id: rowId, held } of rows) {
      visitHeld(held, (offset) => {
        if (texts.has(offset)) return;
        if (!holders.has(offset) || spanOfText(firstText + offset) === rowId) holders.set(offset, rowId);
      });
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < ROWS_AT_ONCE) return [...new Set(holders.values())].sort((a, b) => a - b);
    from = last.span_row_id + 1;
  }
}

const ROWS_AT_ONCE = 2048;
