/** Pages of whole spans as texts. */
import { releaseBuffer } from '#base/release-buffer';
import type { PageRequest, PresentedPage, SpanFilter, SpanRow, SpanSort } from '../port.ts';
import type { SpanPresenter } from '../presenter.ts';
import { cursorOf, listSpans } from './list-spans.ts';
import type { ReadScope } from '../rows/read-scope.ts';
import { readStoredSpans } from '../rows/stored-spans.ts';
import { GatheringRoom } from '../../threads/thread-room.ts';
import { MAX_ANSWER_BYTES } from '../rows/answer-bytes.ts';
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
  const texts: Uint8Array<ArrayBuffer>[] = [];
  using room = new GatheringRoom(MAX_ANSWER_BYTES);
  let next: SpanRow | undefined;
  const endsBefore = (row: SpanRow) => {
    if (texts.length > 0) next = row;
    return next !== undefined;
  };
  const damaged = new DamagedRows(rows.data);
  for await (const stored of readStoredSpans(scope, rows.data, { onDamaged: damaged.onDamaged, endsBefore })) {
    const text = Buffer.from(present(stored));
    if (!(await room.add(text.length))) {
      next = stored.row;
      break;
    }
    if (texts.length > 0) texts.push(COMMA);
    texts.push(text);
  }
  const body = joinBytes(texts);
  if (next === undefined) return { body, nextCursor: rows.nextCursor, damaged: [...rows.lost, ...damaged.all] };
  return { body, nextCursor: cursorOf(next, page.sort), damaged: [...rows.lost, ...damaged.before(next.rowId)] };
}

/** The parts behind each other, in a buffer of their own. Each large part is given back once it is copied. */
function joinBytes(parts: readonly Uint8Array<ArrayBuffer>[]): Uint8Array<ArrayBuffer> {
  const [only] = parts;
  if (only !== undefined && parts.length === 1 && only.length === only.buffer.byteLength) return only;
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
    releaseBuffer(part);
  }
  return joined;
}

const COMMA = Buffer.from(',');
