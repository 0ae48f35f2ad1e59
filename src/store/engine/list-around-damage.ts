/** Pages of rows along an index, some of which are on pages that the engine finds damaged. */
import { readAroundDamage } from './around-damage.ts';
import { notePageDamage } from './damage.ts';
import { isDamage } from './storage-error.ts';

/** How rows of a list are read. */
export interface ListReads<Row> {
  /** The first so many, in the order of the list. */
  readonly list: (limit: number) => Promise<readonly Row[]>;
  /** The same, of which an index alone tells the ids. */
  readonly ids: (limit: number) => Promise<readonly { readonly id: number }[]>;
  /** Those with these ids, in any order. */
  readonly rows: (ids: readonly number[]) => Promise<readonly Row[]>;
}

/**
 * So many rows, as long as there are; those that cannot be read are left out and noted.
 * @param what names the rows, in the plural
 * @throws StorageError where the index is damaged, too, has not the order of the list, or leads to too many damaged rows
 */
export async function listAroundDamage<Row extends { readonly id: number }>(
  what: string,
  wanted: number,
  { list, ids, rows: read }: ListReads<Row>,
): Promise<readonly Row[]> {
  try {
    return await list(wanted);
  } catch (error) {
    if (!isDamage(error)) throw error;
    for (let limit = wanted; limit <= wanted + MAX_LOST; limit += Math.min(limit, LOST_A_LOOK)) {
      const places = (await ids(limit)).map(({ id }) => id);
      const around = await readAroundDamage(places, read);
      if (around.rows.length < wanted && places.length === limit) continue;
      const { unreadable } = around;
      if (unreadable.length > 0) {
        const sorted = unreadable.toSorted((a, b) => a - b);
        notePageDamage(`Rows of ${what} with IDs from ${sorted[0]} to ${sorted.at(-1)}`, around.error);
      }
      const byId = new Map(around.rows.map((row) => [row.id, row]));
      return places.flatMap((id) => byId.get(id) ?? []).slice(0, wanted);
    }
    throw error;
  }
}

/** Some pages of rows. */
const LOST_A_LOOK = 1000;
const MAX_LOST = 5000;
