/**
 * What this browser remembers, as JSON under `cairn.<key>`. A browser that keeps nothing (private windows, full or forbidden
 * storage) costs the memory, never the page: what could not be kept holds until the page is left.
 */
import { useSyncExternalStore } from 'react';

const PREFIX = 'cairn.';

const kept = new Map<string, string>();

/** What was kept under a key, or undefined when there is nothing that `parse` takes. */
export function readStored<T>(key: string, parse: (value: unknown) => T | undefined): T | undefined {
  const text = kept.get(key) ?? readText(key);
  if (text === null) return undefined;
  try {
    return parse(JSON.parse(text));
  } catch {
    // Written by a person or by another version: as good as nothing.
    return undefined;
  }
}

/** Keeps a value until it is written again. */
export function writeStored(key: string, value: unknown): void {
  const text = JSON.stringify(value);
  try {
    localStorage.setItem(PREFIX + key, text);
    kept.delete(key);
  } catch {
    kept.set(key, text);
  }
}

/** One remembered value: read it with {@link useStored} in a component. */
export interface Stored<T> {
  readonly get: () => T;
  readonly set: (value: T) => void;
  /** Calls back after each change, in this window or another one. */
  readonly subscribe: (onChange: () => void) => () => void;
}

/** A value kept under `key`; `fallback` where nothing is kept that `parse` takes. */
export function createStored<T>(key: string, fallback: T, parse: (value: unknown) => T | undefined): Stored<T> {
  const listeners = new Set<() => void>();
  let value = readStored(key, parse) ?? fallback;
  if (typeof window !== 'undefined') {
    window.addEventListener('storage', (event) => {
      if (event.key !== PREFIX + key) return;
      value = readStored(key, parse) ?? fallback;
      for (const listener of listeners) listener();
    });
  }
  return {
    get: () => value,
    set(next) {
      value = next;
      writeStored(key, next);
      for (const listener of listeners) listener();
    },
    subscribe(onChange) {
      listeners.add(onChange);
      return () => listeners.delete(onChange);
    },
  };
}

/** The value, again after each change. */
export function useStored<T>(stored: Stored<T>): T {
  return useSyncExternalStore(stored.subscribe, stored.get);
}

function readText(key: string): string | null {
  try {
    return localStorage.getItem(PREFIX + key);
  } catch {
    // The browser keeps nothing for this page.
    return null;
  }
}
