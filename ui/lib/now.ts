/** The current time for what is written as "3m ago": one clock for the whole page. */
import { useSyncExternalStore } from 'react';

const TICK_MS = 10_000;

const listeners = new Set<() => void>();
let nowMs = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

/** Milliseconds since 1970, again every ten seconds while the page can be seen. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => nowMs);
}

function subscribe(onTick: () => void): () => void {
  listeners.add(onTick);
  if (timer === undefined) {
    nowMs = Date.now();
    timer = setInterval(tick, TICK_MS);
  }
  return () => {
    listeners.delete(onTick);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function tick(): void {
  if (document.hidden) return;
  nowMs = Date.now();
  for (const listener of listeners) listener();
}
