import { useMatches, useSearch } from '@tanstack/react-router';
import { NARROW, useMediaQuery } from '#ui/lib/media-query.ts';

/** Whether a panel has the whole page, where tabs and time range are of nothing that is seen. */
export function useIsCovered(): boolean {
  const isOpen = useMatches({ select: (matches) => matches.length > 3 });
  const isNarrow = useMediaQuery(NARROW);
  const { view } = useSearch({ strict: false });
  return isOpen && (isNarrow || view === 'full');
}
