import { createContext, type ReactNode, use } from 'react';
import { createPortal } from 'react-dom';

/** The place at the end of the header line; null before it is there. */
export const SettingsActionPlace = createContext<HTMLElement | null>(null);

/** What can be done on a page of the settings. It stands in the header, which all of these pages share. */
export function SettingsActions({ children }: { readonly children: ReactNode }) {
  const place = use(SettingsActionPlace);
  return place === null ? null : createPortal(children, place);
}
