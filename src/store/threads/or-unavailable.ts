import { AppError } from '#base/errors';
import { isStorageFailure } from '../engine/storage-error.ts';

/**
 * The answer of a thread, for those who ask on behalf of others.
 * @throws AppError `unavailable` where the database gave none: asked again, it may
 */
export async function orUnavailable<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw isStorageFailure(error)
      ? new AppError('unavailable', MESSAGE, { cause: error, retryAfterSeconds: 5 })
      : error;
  }
}

const MESSAGE = 'The database is not responding. Try again in a moment.';
