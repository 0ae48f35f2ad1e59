/** A panel that covers its list: its title and its actions stand in the header of the page, not in a bar of their own. */
import { createContext, useContext, useLayoutEffect } from 'react';

/** What the header of the page offers to the panel that covers the rest of it. */
export interface Cover {
  /** Where the panel puts its actions; null while there is no header. */
  readonly actionsPlace: HTMLElement | null;
  /** Names what is shown, at the end of the breadcrumbs; undefined takes the name back. */
  readonly setTitle: (title: string | undefined) => void;
}

/** Given by the project's layout. */
export const CoverContext = createContext<Cover | undefined>(undefined);

/**
 * Names the page after the panel while it covers it.
 * @returns where its actions belong then; undefined while it does not cover the page
 */
export function useCover(isCovering: boolean, title: string | undefined): HTMLElement | null | undefined {
  const cover = useContext(CoverContext);
  if (cover === undefined) throw new Error('Only a panel of a project covers its pages.');
  const { actionsPlace, setTitle } = cover;
  useLayoutEffect(() => {
    if (!isCovering) return undefined;
    setTitle(title);
    return () => setTitle(undefined);
  }, [isCovering, title, setTitle]);
  return isCovering ? actionsPlace : undefined;
}
