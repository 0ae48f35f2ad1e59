/** Answers that are not saved yet: they outlive the panel, so that a step to the next trace and back loses none. */
import { useSyncExternalStore } from 'react';
import type { Drafts } from './model/answers.ts';

const NONE: Drafts = new Map();

/** Targets with unsaved answers; the oldest are forgotten. */
const MAX_TARGETS = 500;

const drafts = new Map<string, Drafts>();
const listeners = new Set<() => void>();

/** The unsaved answers for a target, and how to change them. */
export function useDrafts(target: string): readonly [Drafts, (next: Drafts) => void] {
  const current = useSyncExternalStore(subscribe, () => drafts.get(target) ?? NONE);
  return [current, (next) => setDrafts(target, next)];
}

/** Puts others in their place. */
export function setDrafts(target: string, next: Drafts): void {
  drafts.delete(target);
  if (next.size > 0) drafts.set(target, next);
  const [oldest] = drafts.keys();
  if (drafts.size > MAX_TARGETS && oldest !== undefined) drafts.delete(oldest);
  for (const listener of listeners) listener();
}

function subscribe(onChange: () => void): () => void {
  listeners.add(onChange);
  return () => listeners.delete(onChange);
}
