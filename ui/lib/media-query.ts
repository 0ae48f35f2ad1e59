import { useSyncExternalStore } from 'react';

/** Too narrow for a table, and for two things beside each other. */
export const NARROW = '(width < 720px)';

/** Whether a media query holds, again whenever that changes. */
export function useMediaQuery(query: string): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const list = window.matchMedia(query);
      list.addEventListener('change', onChange);
      return () => list.removeEventListener('change', onChange);
    },
    () => window.matchMedia(query).matches,
  );
}
