/** Answers queries of data frames. */
import { UnprocessableError } from '#api/rest/unprocessable';
import { AppError } from '#base/errors';
import type { Caller, ForCaller } from '#domain/caller';
import { parseFilter } from '#filter/parse-filter';
import type { Condition } from '#filter/tree';
import type { LostSpan } from '#store/engine/damage';
import type { FrameColumn, FrameQuery, WholeFrame } from '#store/spans/frame';
import type { PageRequest, SpanFilter, SpanStore } from '#store/spans/port';

/** Of which spans frames are made. */
export interface FrameScope extends Pick<SpanFilter, 'projectRowId' | 'startTimeUs' | 'endTimeUs'> {
  /** Maximum number of spans in each frame, the newest that match; at least 1. */
  readonly limit: number;
}

/** One frame that is asked for. */
export interface FrameQuestion {
  readonly query: FrameQuery;
  readonly condition: Condition | undefined;
}

/**
 * The frames of all questions, newest start first.
 * @throws UnprocessableError when they are too large, AppError `deadline_exceeded` when they take too long
 */
export async function readFrames(
  caller: Caller,
  spans: ForCaller<SpanStore>,
  scope: FrameScope,
  questions: readonly FrameQuestion[],
): Promise<readonly WholeFrame[]> {
  const allowance = new Allowance();
  const frames: WholeFrame[] = [];
  for (const question of questions) frames.push(await readFrame(spans(caller), scope, question, allowance));
  return frames;
}

/** How far the frames of an answer may go. */
class Allowance {
  readonly #endMs = performance.now() + MAX_MS;
  #bytes = 0;

  take(page: Uint8Array): void {
    this.#bytes += page.length;
    if (this.#bytes > MAX_BYTES) throw new UnprocessableError(TOO_LARGE);
    if (performance.now() > this.#endMs) throw new AppError('deadline_exceeded', TOO_LONG);
  }
}

async function readFrame(
  spans: SpanStore,
  { limit, ...scope }: FrameScope,
  { query, condition }: FrameQuestion,
  allowance: Allowance,
): Promise<WholeFrame> {
  const filter: SpanFilter = { ...scope, condition };
  const pages: Uint8Array[] = [];
  const damaged: LostSpan[] = [];
  let columns: readonly FrameColumn[] | null = null;
  let spanCount = 0;
  let rowCount = 0;
  let cursor: string | null = null;
  do {
    const wanted = Math.min(limit - spanCount, PAGE_SPANS);
    const page: PageRequest<'start_time'> = { sort: 'start_time', order: 'desc', limit: wanted, cursor };
    const part = await spans.frameSpans({ filter, page, query, columns });
    allowance.take(part.rows);
    pages.push(part.rows);
    damaged.push(...part.damaged);
    columns = part.columns;
    spanCount += part.spanCount;
    rowCount += part.rowCount;
    cursor = part.nextCursor;
  } while (cursor !== null && spanCount < limit);
  return { columns, pages, rowCount, damaged };
}

/** The condition that a text is, `undefined` for an empty one. @throws UnprocessableError with what is wrong */
export function readCondition(text: string): Condition | undefined {
  const { condition, diagnostics } = parseFilter('span', text);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length === 0) return condition ?? undefined;
  const places = errors.map(({ message, start }) => `${message} (at ${start})`);
  throw new UnprocessableError(`Invalid filter: ${places.join('; ')}`);
}

/** Spans of a call to a reader, which others wait for. */
const PAGE_SPANS = 500;

/** Of an answer; it is in memory as a whole. */
const MAX_BYTES = 64 * 1024 * 1024;

const MAX_MS = 60_000;

const TOO_LARGE = `The response would be larger than ${MAX_BYTES} bytes: lower the limit, narrow the time range, or select fewer columns.`;

const TOO_LONG = 'Building the response takes too long: lower the limit, or narrow the time range or the filter.';
