import { expect, it } from 'vitest';
import { AppError } from '#base/errors';
import { StorageError } from '../engine/storage-error.ts';
import { orUnavailable } from './or-unavailable.ts';

it('tells whoever asked that the database does not answer, and when to ask again', async () => {
  const lost = new StorageError('unavailable', 'connect ECONNREFUSED 10.0.0.7:5432', undefined);
  await expect(orUnavailable(Promise.reject(lost))).rejects.toMatchObject({
    code: 'unavailable',
    message: 'The database is not responding. Try again in a moment.',
    retryAfterSeconds: 5,
  });
});

it('leaves answers, and what is wrong with the question, as they are', async () => {
  expect(await orUnavailable(Promise.resolve(7))).toBe(7);
  for (const error of [
    new StorageError('statement', 'no such column', undefined),
    new AppError('not_found', 'There is none.'),
  ]) {
    await expect(orUnavailable(Promise.reject(error))).rejects.toBe(error);
  }
});
