import { AppError } from '#base/errors';

/** When a caller without room may come again: others have taken their answers by then, or are cut off. */
export const ROOM_RETRY_SECONDS = 1;

/** Where all answers together are as large as they may be. */
export function noRoom(): AppError {
  return new AppError(
    'unavailable',
    'The server is already sending as much as it may. Try again later, or ask for less at once.',
    { retryAfterSeconds: ROOM_RETRY_SECONDS },
  );
}

/** Where a caller holds more answers that it does not read than its share. */
export function unreadAnswers(): AppError {
  return new AppError(
    'unavailable',
    'The responses to your earlier requests were not read yet. Read them, or close their connections, and try again.',
    { retryAfterSeconds: ROOM_RETRY_SECONDS },
  );
}
