/** How parts of a trace or session open the annotate panel of the page around them. */
import { createContext, useContext } from 'react';
import type { TargetChoice } from './model/target.ts';

/** See the file. */
export interface AnnotateOpener {
  readonly open: (choice: TargetChoice) => void;
  /** Another number after annotations were changed here. */
  readonly version: number;
  /** What the key opens the panel for. */
  readonly keyed: TargetChoice;
}

/** Absent where nothing can be annotated, as in a window above the page. */
export const AnnotateContext = createContext<AnnotateOpener | undefined>(undefined);

/** Given by a page that has its own place for judging: nothing below it opens a panel then. */
export const JudgingPlaceContext = createContext<AnnotateOpener | undefined>(undefined);

/** What opens the panel; undefined where there is none. */
export function useAnnotateOpener(): AnnotateOpener | undefined {
  return useContext(AnnotateContext);
}
