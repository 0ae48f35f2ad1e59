import { createContext } from 'react';

/** On a phone: the place for a page's heading in the bar above it; null where there is no such bar. */
export const HeaderPlace = createContext<HTMLElement | null>(null);
