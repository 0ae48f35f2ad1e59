import type { Readable } from 'node:stream';
import { AppError } from '#base/errors';

/** Enough for 64 MiB over a poor connection, and an end to whoever sends a byte a second. */
const BODY_DEADLINE_MS = 60_000;

/**
 * Hands each chunk of `source` to `take` until it ends; the source is paused while `take` works on one.
 * When this throws, the rest of the bytes is unread and the source paused.
 * @param ends signals that end it before the source does, with their reason
 * @throws AppError `deadline_exceeded` after `deadlineMs`
 * @throws AppError `invalid_argument` when the source closes before its end
 * @throws whatever `take` throws
 */
export function receiveBytes(
  source: Readable,
  take: (chunk: Buffer) => Promise<void> | undefined,
  deadlineMs = BODY_DEADLINE_MS,
  ends: readonly AbortSignal[] = [],
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let isOver = false;
  let work: Promise<void> | undefined;

  function end(settle: () => void): void {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    for (const signal of ends) signal.removeEventListener('abort', stop);
    source.off('data', receive).off('end', finish).off('close', abandon).pause();
    settle();
  }
  // A source may end before the work on its last chunk does.
  function finish(): void {
    source.off('close', abandon);
    if (work === undefined) end(resolve);
    else work.then(() => end(resolve), fail);
  }
  function fail(error: unknown): void {
    end(() => reject(error));
  }
  function abandon(): void {
    fail(new AppError('invalid_argument', 'The request body ended before it was complete.'));
  }
  function expire(): void {
    fail(new AppError('deadline_exceeded', 'The request body did not arrive in time.'));
  }
  function stop(): void {
    fail(ends.find(({ aborted }) => aborted)?.reason);
  }
  function receive(chunk: Buffer): void {
    try {
      work = take(chunk);
      if (work === undefined) return;
      source.pause();
      work.then(() => {
        if (!isOver) source.resume();
      }, fail);
    } catch (error) {
      fail(error);
    }
  }

  const timer = setTimeout(expire, deadlineMs);
  for (const signal of ends) signal.addEventListener('abort', stop);
  // An empty body over HTTP/2 may have ended before anybody listened.
  if (source.readableEnded) finish();
  else if (source.destroyed) abandon();
  else if (ends.some(({ aborted }) => aborted)) stop();
  else source.on('data', receive).on('end', finish).on('close', abandon);
  return promise;
}
