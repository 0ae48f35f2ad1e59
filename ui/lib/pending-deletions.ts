/**
 * Deletions that can still be undone. What is to be deleted is hidden at once, and the server hears of it when the time to undo is over: until
 * then it has lost nothing. A page that is left finishes what is pending.
 */
import { useSyncExternalStore } from 'react';

/** What is to be deleted. */
export interface Deletion {
  /** Global ids of all that goes, for lists to leave out. */
  readonly ids: readonly string[];
  /** Deletes it on the server and brings the page up to date. */
  readonly run: () => Promise<unknown>;
  readonly onFailed: (error: unknown) => void;
  /** Told that it runs because the page is left. */
  readonly onLeft?: () => void;
}

/** A deletion that waits. Only the first call of either counts. */
export interface PendingDeletion {
  readonly finish: () => Promise<void>;
  readonly undo: () => void;
}

const waiting = new Map<PendingDeletion, Deletion>();
let hidden: ReadonlySet<string> = new Set();
const listeners = new Set<() => void>();

/** Hides what is to be deleted until the deletion is finished or undone. */
export function addPendingDeletion(deletion: Deletion): PendingDeletion {
  const pending: PendingDeletion = {
    finish: async () => {
      if (!waiting.delete(pending)) return;
      try {
        await deletion.run();
      } catch (error) {
        deletion.onFailed(error);
      } finally {
        show(deletion.ids);
      }
    },
    undo: () => {
      if (waiting.delete(pending)) show(deletion.ids);
    },
  };
  waiting.set(pending, deletion);
  publish(new Set([...hidden, ...deletion.ids]));
  return pending;
}

/** Finishes all that can still be undone: the page is left. */
export function finishPendingDeletions(): void {
  for (const [pending, { onLeft }] of waiting) {
    onLeft?.();
    void pending.finish();
  }
}

/** The ids of all that is about to be deleted. */
export function usePendingDeletions(): ReadonlySet<string> {
  return useSyncExternalStore(subscribe, pendingDeletions);
}

/** The same outside of components. */
export function pendingDeletions(): ReadonlySet<string> {
  return hidden;
}

function show(ids: readonly string[]): void {
  publish(new Set([...hidden].filter((id) => !ids.includes(id))));
}

function publish(next: ReadonlySet<string>): void {
  hidden = next;
  for (const listener of listeners) listener();
}

function subscribe(onChange: () => void): () => void {
  listeners.add(onChange);
  return () => listeners.delete(onChange);
}

if (typeof window !== 'undefined') window.addEventListener('pagehide', finishPendingDeletions);
