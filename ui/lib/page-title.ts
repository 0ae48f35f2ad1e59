/** The title of the window, by which a page is announced, found among tabs and kept as a bookmark. */
import { useEffect } from 'react';
import { revealHidden } from './hidden-characters.ts';

const PRODUCT = 'Cairn';

/** Titles the window after the page while it stands, the most particular part first: `['Traces', 'shop']`. */
export function usePageTitle(parts: readonly string[]): void {
  const title = [...parts.map(revealHidden), PRODUCT].join(' · ');
  useEffect(() => {
    document.title = title;
  }, [title]);
}
