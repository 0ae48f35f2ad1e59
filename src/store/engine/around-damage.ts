import { StorageError } from './storage-error.ts';

/**
 * Reads what belongs to ids, around pages that the engine finds damaged: where a read fails for them, halves of the ids are read
 * alone, down to those that cannot be read.
 */
export async function readAroundDamage<Row>(
  ids: readonly number[],
  read: (ids: readonly number[]) => Promise<readonly Row[]>,
): Promise<{ readonly rows: readonly Row[]; readonly unreadable: readonly number[] }> {
  try {
    return { rows: await read(ids), unreadable: [] };
  } catch (error) {
    if (!(error instanceof StorageError) || error.fault !== 'damaged') throw error;
    if (ids.length < 2) return { rows: [], unreadable: ids };
    const middle = ids.length >> 1;
    const first = await readAroundDamage(ids.slice(0, middle), read);
    const second = await readAroundDamage(ids.slice(middle), read);
    return { rows: [...first.rows, ...second.rows], unreadable: [...first.unreadable, ...second.unreadable] };
  }
}
