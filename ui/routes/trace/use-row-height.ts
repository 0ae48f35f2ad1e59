import { useSyncExternalStore } from 'react';

/** A finger needs more room than a pointer. */
const FINGER = '(pointer: coarse)';
const POINTER_ROW_PX = 28;
const FINGER_ROW_PX = 40;

/** The height of a row of the tree in pixels. */
export function useRowHeight(): number {
  return useSyncExternalStore(watch, () => (matchMedia(FINGER).matches ? FINGER_ROW_PX : POINTER_ROW_PX));
}

function watch(listener: () => void): () => void {
  const query = matchMedia(FINGER);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}
