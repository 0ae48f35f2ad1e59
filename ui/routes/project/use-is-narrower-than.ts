import { useLayoutEffect, useState } from 'react';

/** Narrower than this a list has no room for columns up to the cost of a trace. */
export const TIGHT_PX = 780;

/** Narrower than this it has no room for a filter and the buttons beside it. */
export const ONE_LINE_PX = 500;

/** Narrower than this it has no room for columns and facets beside them: the container query of facets.module.css says the same. */
export const NO_FACETS_PX = TIGHT_PX + 248;

/** Narrower than this a header has no room for the tabs of a project and their counts. */
export const TABS_PX = 660;

/** Whether a list has little room, because of what is open beside it. */
export function useIsNarrowerThan(px: number, element: HTMLElement | null): boolean {
  const [isTight, setIsTight] = useState(false);
  useLayoutEffect(() => {
    if (element === null) return undefined;
    const measure = () => setIsTight(element.clientWidth > 0 && element.clientWidth < px);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [element, px]);
  return isTight;
}
