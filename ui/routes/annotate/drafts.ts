/**
 * What is not saved yet: it outlives the panel, so that a step to the next trace and back loses nothing. Leaving the page would lose
 * it, so the browser asks before that.
 */
import { useSyncExternalStore } from 'react';
import { type Drafts, isSameDraft } from './model/answers.ts';
import { NO_FREE_DRAFT } from './model/free-answer.ts';

/** Targets with something unsaved; the oldest are forgotten. */
const MAX_TARGETS = 500;

/** Something unsaved for each target. */
export interface DraftStore<T> {
  /** What is unsaved for a target now. */
  get(target: string): T;
  /** Puts something else in its place. */
  set(target: string, next: T): void;
  /** The same for components. */
  use(target: string): T;
}

/** Answers by the names of their configs. */
export const answerDrafts = createDrafts<Drafts>(new Map(), (drafts) => drafts.size === 0);

/** An annotation under a name of the user's own. */
export const freeDrafts = createDrafts(
  NO_FREE_DRAFT,
  ({ name, ...draft }) => name === '' && isSameDraft(draft, NO_FREE_DRAFT),
);

/** The text of a note. */
export const noteDrafts = createDrafts('', (text) => text === '');

function createDrafts<T>(nothing: T, isNothing: (draft: T) => boolean): DraftStore<T> {
  const drafts = new Map<string, T>();
  const listeners = new Set<() => void>();
  const warn = (event: BeforeUnloadEvent) => event.preventDefault();
  const get = (target: string) => drafts.get(target) ?? nothing;
  function subscribe(onChange: () => void): () => void {
    listeners.add(onChange);
    return () => listeners.delete(onChange);
  }
  return {
    get,
    set(target, next) {
      drafts.delete(target);
      if (!isNothing(next)) drafts.set(target, next);
      const [oldest] = drafts.keys();
      if (drafts.size > MAX_TARGETS && oldest !== undefined) drafts.delete(oldest);
      // A listener that stands without need would keep the page out of the browser's cache for going back.
      if (drafts.size > 0) window.addEventListener('beforeunload', warn);
      else window.removeEventListener('beforeunload', warn);
      for (const listener of listeners) listener();
    },
    use: (target) => useSyncExternalStore(subscribe, () => get(target)),
  };
}
