import { createContext, useContext } from 'react';

/** How a panel beside a table is left and enlarged. */
export interface PeekControls {
  readonly close: () => void;
  /** Between beside the table and the whole page; undefined where there is no room for both. */
  readonly expand: (() => void) | undefined;
  /** To the next row of the table, or the one before. */
  readonly step: (by: 1 | -1) => void;
  readonly isFull: boolean;
}

/** Given by the page with the table. */
export const PeekContext = createContext<PeekControls | undefined>(undefined);

/** The controls of the panel around. */
export function usePeek(): PeekControls {
  const controls = useContext(PeekContext);
  if (controls === undefined) throw new Error('Only a panel beside a table can be closed.');
  return controls;
}
