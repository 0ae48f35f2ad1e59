/** Where a span's details show its output, for the jump to it. */
import { createContext, type RefCallback, use } from 'react';

/** Takes the element that shows the output. */
export const OutputPlace = createContext<RefCallback<HTMLElement> | undefined>(undefined);

/** The ref for the element that shows the output; undefined where nothing jumps there. */
export function useOutputPlace(): RefCallback<HTMLElement> | undefined {
  return use(OutputPlace);
}
