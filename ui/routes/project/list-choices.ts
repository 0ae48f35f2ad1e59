/** What stands beside and above tables, as this browser remembers it. */
import { useState } from 'react';
import { createStored, useStored } from '#ui/lib/storage.ts';

const readChoice = (value: unknown) => (typeof value === 'boolean' ? value : undefined);

/** From this width of the window on, facets leave a table its room. */
const ROOMY = '(width >= 1280px)';

/** Until the user chooses, facets are open where there is room: they show a newcomer how rows differ. */
const facetsChoice = createStored(
  'facets',
  typeof window !== 'undefined' && window.matchMedia(ROOMY).matches,
  readChoice,
);

/** Whether a histogram stands above tables. */
export const stripChoice = createStored('histogram', true, readChoice);

/** The same on a phone, where rows come first. */
export const phoneStripChoice = createStored('histogram.phone', false, readChoice);

/** Whether facets stand beside tables. Where they cover the list, they come only when they are asked for. */
export function useFacetsChoice(areOver: boolean): readonly [boolean, (hasFacets: boolean) => void] {
  const isChosen = useStored(facetsChoice);
  const [isOpen, setIsOpen] = useState(false);
  return areOver ? [isOpen, setIsOpen] : [isChosen, facetsChoice.set];
}
