import { isDamage } from './storage-error.ts';

/** What was read around damaged pages. */
export interface ReadAround<Row> {
  readonly rows: readonly Row[];
  /** Ids that cannot be read, in their order. */
  readonly unreadable: readonly number[];
  /** What the engine says of one of them. */
  readonly error: unknown;
}

/**
 * Reads what belongs to ids, around pages that the engine finds damaged: where a read fails for them, halves of the ids are read
 * alone, down to those that cannot be read.
 */
export async function readAroundDamage<Row>(
  ids: readonly number[],
  read: (ids: readonly number[]) => Promise<readonly Row[]>,
): Promise<ReadAround<Row>> {
  try {
    return { rows: await read(ids), unreadable: [], error: undefined };
  } catch (error) {
    if (!isDamage(error)) throw error;
    if (ids.length < 2) return { rows: [], unreadable: ids, error };
    const middle = ids.length >> 1;
    return join(await readAroundDamage(ids.slice(0, middle), read), await readAroundDamage(ids.slice(middle), read));
  }
}

/**
 * The same for all rows of a short range of ids, both ends included. Around damage each id is looked up: a range that ends before a damaged
 * page reads that page, too.
 */
export async function readRangeAroundDamage<Row>(
  [from, to]: readonly [from: number, to: number],
  readRange: () => Promise<readonly Row[]>,
  read: (ids: readonly number[]) => Promise<readonly Row[]>,
): Promise<ReadAround<Row>> {
  try {
    return { rows: await readRange(), unreadable: [], error: undefined };
  } catch (error) {
    if (!isDamage(error)) throw error;
    const ids = Array.from({ length: to - from + 1 }, (_, place) => from + place);
    return readAroundDamage(ids, read);
  }
}

function join<Row>(first: ReadAround<Row>, second: ReadAround<Row>): ReadAround<Row> {
  return {
    rows: [...first.rows, ...second.rows],
    unreadable: [...first.unreadable, ...second.unreadable],
    error: first.error ?? second.error,
  };
}
