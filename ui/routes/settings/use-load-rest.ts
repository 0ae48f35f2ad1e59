import { useEffect } from 'react';

/** As many as the server gives at once. */
const PAGE_SIZE = 500;

/** The part of Relay's pagination that {@link useLoadRest} needs. */
export interface Pages {
  readonly hasNext: boolean;
  readonly isLoadingNext: boolean;
  readonly loadNext: (count: number) => unknown;
}

/** Loads one page after the other until all are there: lists of settings are searched in the browser. */
export function useLoadRest({ hasNext, isLoadingNext, loadNext }: Pages): void {
  useEffect(() => {
    if (hasNext && !isLoadingNext) loadNext(PAGE_SIZE);
  }, [hasNext, isLoadingNext, loadNext]);
}
