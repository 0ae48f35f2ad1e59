import { useLayoutEffect, useState } from 'react';

/** Narrower than this a list has no room for facets beside it: the container query of facets.module.css says the same. */
const TIGHT_PX = 620;

/** Whether a list has little room, because of what is open beside it. */
export function useIsTight(element: HTMLElement | null): boolean {
  const [isTight, setIsTight] = useState(false);
  useLayoutEffect(() => {
    if (element === null) return undefined;
    const measure = () => setIsTight(element.clientWidth > 0 && element.clientWidth < TIGHT_PX);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [element]);
  return isTight;
}
