/** What stands beside and above tables, as this browser remembers it. */
import { useState } from 'react';
import { createStored, useStored } from '#ui/lib/storage.ts';

const readChoice = (value: unknown) => (typeof value === 'boolean' ? value : undefined);

const facetsChoice = createStored('facets', false, readChoice);

/** Whether a histogram stands above tables. */
export const stripChoice = createStored('histogram', true, readChoice);

/** Whether facets stand beside tables. Where they cover the list, they come only when they are asked for. */
export function useFacetsChoice(areOver: boolean): readonly [boolean, (hasFacets: boolean) => void] {
  const isChosen = useStored(facetsChoice);
  const [isOpen, setIsOpen] = useState(false);
  return areOver ? [isOpen, setIsOpen] : [isChosen, facetsChoice.set];
}
