/** Saved views and what they keep, read for all that an answer names at once. */
import { defineRowLoader, type RowLoader } from '#api/graphql/row-loader';
import type { Services } from '../slice.ts';
import { findViewContents, findViews, type SeenView } from './queries.ts';

/** The loaders; `undefined` where there is nothing, or nothing that the caller may see. */
export interface SavedViewLoaders {
  readonly view: RowLoader<SeenView>;
  readonly content: RowLoader<string>;
}

/** The loaders on a handle. */
export function createSavedViewLoaders(read: Services['read']): SavedViewLoaders {
  return {
    view: defineRowLoader((caller, rowIds) => findViews(read(caller), caller, rowIds)),
    content: defineRowLoader((caller, rowIds) => findViewContents(read(caller), rowIds)),
  };
}
