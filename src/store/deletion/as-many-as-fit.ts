/** Steps of a deletion on a full disk. */
import { isFull } from '../engine/storage-error.ts';

/**
 * Does as much of something as there is room for: where the disk is full, a fourth, and so on.
 * @throws what `run` throws, where there is no room for one, either
 */
export async function asManyAsFit<T>(most: number, run: (count: number) => Promise<T>): Promise<T> {
  for (let count = most; ; count = Math.max(1, Math.floor(count / 4))) {
    try {
      return await run(count);
    } catch (error) {
      if (count === 1 || !isFull(error)) throw error;
    }
  }
}
