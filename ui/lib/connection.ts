/** Whether the server answers. What fails to reach it says so here; from then on it is asked until it answers again. */
import { useSyncExternalStore } from 'react';
import { serverConfig } from './server-config.ts';

const FIRST_PROBE_AFTER_MS = 1000;
const LONGEST_PAUSE_MS = 15_000;

let isLost = false;
let pauseMs = FIRST_PROBE_AFTER_MS;
let reconnectCount = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();
const reconnectListeners = new Set<() => void>();

/** Whether the server has stopped answering. */
export function useIsConnectionLost(): boolean {
  return useSyncExternalStore(subscribe, () => isLost);
}

/** Says that the server could not be reached. */
export function reportLost(): void {
  if (isLost) return;
  isLost = true;
  pauseMs = FIRST_PROBE_AFTER_MS;
  timer = setTimeout(() => void probe(), pauseMs);
  publish();
}

/** Says that a stream broke off: it may be the server, or only the stream. */
export function reportBroken(): void {
  if (!isLost) void probe();
}

/** Asks the server whether it is there; resolves with the answer. */
export async function probe(): Promise<boolean> {
  clearTimeout(timer);
  if (await isAnswering()) {
    if (isLost) {
      isLost = false;
      reconnectCount++;
      publish();
      for (const listener of reconnectListeners) listener();
    }
    return true;
  }
  if (!isLost) {
    reportLost();
    return false;
  }
  pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
  timer = setTimeout(() => void probe(), pauseMs);
  return false;
}

/** Calls back each time the server answers again, until what it returns is called. */
export function onReconnect(listener: () => void): () => void {
  reconnectListeners.add(listener);
  return () => reconnectListeners.delete(listener);
}

/** How often the server has answered again. What was asked before, and failed since, may be answered now. */
export function countReconnects(): number {
  return reconnectCount;
}

async function isAnswering(): Promise<boolean> {
  try {
    return (await fetch(`${serverConfig.rootPath}/healthz`, { cache: 'no-store' })).ok;
  } catch {
    // Not reached: that is the answer.
    return false;
  }
}

function publish(): void {
  for (const listener of listeners) listener();
}

function subscribe(onChange: () => void): () => void {
  listeners.add(onChange);
  return () => listeners.delete(onChange);
}
