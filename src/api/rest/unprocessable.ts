import { AppError } from '#base/errors';

/**
 * A parameter that has its type and still means nothing here, such as an unknown kind or a cursor of another list.
 * REST answers it with 422 and the message as text; any other transport treats it as `invalid_argument`.
 */
export class UnprocessableError extends AppError {
  constructor(message: string, cause?: unknown) {
    super('invalid_argument', message, { cause });
  }
}

/** @throws UnprocessableError where the times of a question are the wrong way round */
export function assertForward(startTimeUs: number | null | undefined, endTimeUs: number | null | undefined): void {
  if (startTimeUs == null || endTimeUs == null || startTimeUs <= endTimeUs) return;
  throw new UnprocessableError('start_time is after end_time: give the earlier time as start_time.');
}

/** The page; a store that refuses the cursor becomes an {@link UnprocessableError}, for a cursor is all that it can refuse. */
export function pageOrInvalidCursor<T>(page: Promise<T>): Promise<T> {
  return orUnprocessable(page);
}

/** What becomes of a body that has its form; where a value in it is refused, that becomes an {@link UnprocessableError}. */
export async function orUnprocessable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_argument') {
      throw new UnprocessableError(error.message, error);
    }
    throw error;
  }
}
