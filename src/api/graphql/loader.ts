/** Reads that wait for each other: everything that is asked for in the same moment is read at once. */
import DataLoader from 'dataloader';
import type { Caller } from '#domain/caller';
import { MAX_PAGE_ROWS } from './connection.ts';
import type { GraphqlContext } from './context.ts';
import { LeftOutError } from './left-out.ts';

/** Loads a value by its key; the same key is read once in an operation. */
export type Loader<Key, Value> = (context: GraphqlContext, key: Key) => Promise<Value>;

/** Keys that are read at once, as many as a page has rows: what one read answers is bounded, and others have turns between. */
const MAX_KEYS_OF_READ = MAX_PAGE_ROWS;

/**
 * A loader on a function that reads many at once for a caller and answers in the order of the keys, with an `Error` for a
 * key that fails alone. Keys that are not numbers or texts are told apart by `keyText`.
 */
export function defineLoader<Key, Value>(
  readMany: (caller: Caller, keys: readonly Key[]) => Promise<readonly (Value | Error)[]>,
  keyText: (key: Key) => string | number = String,
): Loader<Key, Value> {
  const identity = {};
  return (context, key) => {
    let loader = context.loaders.get(identity) as DataLoader<Key, Value, string | number> | undefined;
    if (loader === undefined) {
      const created = new DataLoader<Key, Value, string | number>(
        async (keys) => {
          const values = await readMany(context.caller, keys);
          // What did not fit beside the others may fit beside what is asked for later.
          for (const [place, value] of values.entries())
            if (value instanceof LeftOutError) created.clear(keys[place] as Key);
          return values;
        },
        { cacheKeyFn: keyText, maxBatchSize: MAX_KEYS_OF_READ },
      );
      context.loaders.set(identity, created);
      loader = created;
    }
    return loader.load(key);
  };
}
