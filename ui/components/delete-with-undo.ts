import { describeError } from '#ui/lib/describe-error.ts';
import { addPendingDeletion, type Deletion } from '#ui/lib/pending-deletions.ts';
import { showToast } from './toast.tsx';

/** See {@link deleteWithUndo}. */
export interface UndoableDeletion extends Pick<Deletion, 'ids' | 'run'> {
  /** What was deleted, as a sentence says it: `The view “Slow calls”`. */
  readonly what: string;
}

/** How long a deletion can be undone, once neither the pointer nor the keyboard is on the toast. */
const UNDO_MS = 10_000;

/**
 * Deletes something without asking: it disappears from what calls `usePendingDeletions`, and a toast offers to undo that for ten
 * seconds. Only then does the server delete it (decision 77).
 */
export function deleteWithUndo({ ids, run, what }: UndoableDeletion): void {
  const pending = addPendingDeletion({
    ids,
    run,
    onFailed: (error) =>
      showToast({ tone: 'danger', title: `${what} could not be deleted`, description: describeError(error) }),
    onLeft: () => toast.withdraw(),
  });
  const toast = showToast({
    tone: 'info',
    title: `${what} was deleted`,
    lastsMs: UNDO_MS,
    action: {
      label: 'Undo',
      shortcut: 'Shift+U',
      onPress: pending.undo,
    },
    onGone: () => void pending.finish(),
  });
}
