import { useState } from 'react';
import type { Card } from './model/span-view.ts';

/** Which cards of a span are open. */
export interface CardsState {
  readonly isOpen: (card: Card) => boolean;
  readonly setOpen: (card: Card, isOpen: boolean) => void;
  readonly setAll: (isOpen: boolean) => void;
}

/** Cards begin as they ask for, until somebody folds or unfolds one or all of them. */
export function useCards(): CardsState {
  const [all, setAll] = useState<boolean>();
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map());
  return {
    isOpen: ({ id, isFolded }) => chosen.get(id) ?? all ?? isFolded !== true,
    setOpen: ({ id }, isOpen) => setChosen((before) => new Map([...before, [id, isOpen]])),
    setAll: (isOpen) => {
      setAll(isOpen);
      setChosen(new Map());
    },
  };
}
