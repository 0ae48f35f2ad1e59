import { AppError } from '#base/errors';
import { noteDamage } from '../engine/damage.ts';
import { isDamage, StorageError } from '../engine/storage-error.ts';

/** What is thrown where a segment of the index of words is not what was stored, which is noted. */
export function damagedWords(part: number, number: number): AppError {
  const message = `Segment ${number} of part ${part} of the search index is damaged; originals are read instead until it is made again.`;
  noteDamage({ kind: 'search_words', message, spans: [], part });
  return new AppError('data_damaged', message);
}

/** What reading lists of words comes to, or something else where they are damaged. */
export async function unlessDamaged<Result, Instead>(
  read: () => Promise<Result>,
  instead: Instead,
): Promise<Result | Instead> {
  try {
    return await read();
  } catch (error) {
    if (!isDamage(error)) throw error;
    if (error instanceof StorageError) noteDamage({ kind: 'database', message: error.message, spans: [] });
    return instead;
  }
}
