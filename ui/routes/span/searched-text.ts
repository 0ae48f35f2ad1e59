/** What is searched for in the texts around: a fold that hides it opens. */
import { createContext, use } from 'react';

/** Given by what searches; empty where nothing is searched for. */
export const SearchedText = createContext('');

/** Whether what is searched for is in the whole, but not in the part of it that is shown. */
export function useIsHiddenFind(whole: string, shown: string): boolean {
  const wanted = use(SearchedText).trim().toLowerCase();
  return wanted !== '' && !shown.toLowerCase().includes(wanted) && whole.toLowerCase().includes(wanted);
}
