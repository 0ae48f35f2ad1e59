/** Loaders of what belongs to a row. */
import { AppError } from '#base/errors';
import type { Caller } from '#domain/caller';
import type { GraphqlContext } from './context.ts';
import { defineLoader, type Loader } from './loader.ts';

/** Loads by row id; `undefined` where there is nothing. */
export type RowLoader<Value> = Loader<number, Value | undefined>;

/** A loader on a read that answers with what it found by row id. */
export function defineRowLoader<Value>(
  read: (caller: Caller, rowIds: readonly number[]) => Promise<ReadonlyMap<number, Value>>,
): RowLoader<Value> {
  return defineLoader(async (caller, rowIds) => {
    const found = await read(caller, rowIds);
    return rowIds.map((rowId) => found.get(rowId));
  });
}

/**
 * A loader of what depends on more than the row: rows of which the same is asked are read at once, those of which
 * something else is asked by themselves. Where one fails, the others do not.
 */
export function defineQuestionLoader<Key extends { readonly rowId: number }, Value>(
  read: (
    caller: Caller,
    rowIds: readonly number[],
    question: Omit<Key, 'rowId'>,
  ) => Promise<ReadonlyMap<number, Value>>,
): Loader<Key, Value | undefined> {
  return defineLoader(
    async (caller, keys) => {
      const answers = new Map<string, Promise<ReadonlyMap<number, Value>>>();
      for (const [text, alike] of Map.groupBy(keys, questionText)) {
        const rowIds = alike.map(({ rowId }) => rowId);
        answers.set(text, (async () => read(caller, rowIds, alike[0] as Key))());
      }
      return Promise.all(
        keys.map(async (key) => {
          try {
            return (await answers.get(questionText(key)))?.get(key.rowId);
          } catch (error) {
            if (error instanceof Error) return error;
            throw error;
          }
        }),
      );
    },
    (key) => `${key.rowId} ${questionText(key)}`,
  );
}

function questionText(key: { readonly rowId: number }): string {
  return JSON.stringify({ ...key, rowId: undefined });
}

/** What must be there as long as the row that leads to it is. @throws AppError `not_found` */
export async function loadOrThrow<Value>(
  loader: RowLoader<Value>,
  context: GraphqlContext,
  rowId: number,
): Promise<Value> {
  const value = await loader(context, rowId);
  if (value === undefined) throw new AppError('not_found', 'The requested object no longer exists.');
  return value;
}
