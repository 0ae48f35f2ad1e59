import type { Coordination } from '../coordination/port.ts';
import type { ReaderPool } from '../threads/reader-pool.ts';
import type { Thread } from '../threads/thread.ts';
import { Eraser, type EraserOptions } from './eraser.ts';
import type { RemovalPlan } from './removal-plan.ts';
import { Remover } from './remover.ts';
import type { DeletionCalls } from './writer-calls.ts';

/** How fast is erased, and who is told of it. */
export type Removing = Pick<EraserOptions, 'restRatio' | 'onTouched' | 'onErased' | 'onFinished'>;

/** Both halves of removal. */
export interface Removal {
  readonly remover: Remover;
  /** Begins to erase what was deleted, while this server leads that. */
  startErasing(): void;
}

/** Removal on the threads of a database. */
export function coordinateRemoval(
  removing: Removing,
  { writer: thread, readers }: { readonly writer: Thread; readonly readers: ReaderPool },
  coordination: Coordination,
  onError: EraserOptions['onError'],
): Removal {
  const writer = new Proxy({} as DeletionCalls, {
    get:
      (_target, method) =>
      (...parameters: unknown[]) =>
        thread.call(String(method), parameters),
  });
  const { onTouched } = removing;
  const remover = new Remover({ writer, onTouched, wakeEraser: () => coordination.wake('removal') });
  coordination.onMessage((message) => {
    if (message.kind === 'erased') remover.noteErased(message.deletionRowId);
  });
  const erase = () => {
    const eraser = new Eraser({
      ...removing,
      writer,
      plan: (maxSpans) => readers.callUnrefused('planRemoval', [maxSpans]) as Promise<RemovalPlan | undefined>,
      isBusy: () => thread.pendingCount > 0,
      onAllErased: (deletionRowId) => {
        remover.noteErased(deletionRowId);
        coordination.tell({ kind: 'erased', deletionRowId });
      },
      onError,
    });
    eraser.wake();
    return eraser;
  };
  return { remover, startErasing: () => coordination.lead('removal', erase) };
}
