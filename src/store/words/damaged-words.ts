import { AppError } from '#base/errors';
import { noteDamage } from '../engine/damage.ts';

/** What lists of words are refused with that cannot be read, which is noted. They have no checksums, so other damage goes unnoticed. */
export function damagedWords(): AppError {
  const message = 'Lists of words of the search index are damaged; "cairn reindex --search" makes them again.';
  noteDamage({ kind: 'search_words', message, spans: [] });
  return new AppError('data_damaged', message);
}

/** Whether something that uses lists of words found them damaged. */
export function isDamage(error: unknown): boolean {
  return error instanceof AppError && error.code === 'data_damaged';
}
