import type { KeyboardEvent } from 'react';

/** Saves by Ctrl or Cmd with Enter, before what has the focus, or a form around it, takes the key. */
export function saveByKey(event: KeyboardEvent, save: () => Promise<void>): void {
  if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return;
  event.preventDefault();
  event.stopPropagation();
  void save();
}
