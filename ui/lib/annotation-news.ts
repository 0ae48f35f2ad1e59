/** Tells parts of the page that annotations were changed in another part of it. */
import { useSyncExternalStore } from 'react';

let count = 0;
const listeners = new Set<() => void>();

/** Says that annotations were stored or removed here. */
export function announceAnnotations(): void {
  count += 1;
  for (const listener of listeners) listener();
}

/** Another number after each announcement. */
export function useAnnotationNews(): number {
  return useSyncExternalStore(subscribe, () => count);
}

function subscribe(onChange: () => void): () => void {
  listeners.add(onChange);
  return () => listeners.delete(onChange);
}
