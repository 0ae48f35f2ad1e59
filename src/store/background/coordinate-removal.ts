import type { Coordination } from '../coordination/port.ts';
import type { StoreThreads } from '../store-threads.ts';
import { removalJob, type RemovalOptions } from '../deletion/removal-job.ts';
import { Remover } from '../deletion/remover.ts';
import type { DeletionCalls } from '../deletion/writer-calls.ts';

/** How fast is erased, and who is told of it. */
export type Removing = Pick<RemovalOptions, 'restRatio' | 'onTouched' | 'onErased' | 'onFinished'>;

/** Both halves of removal. */
export interface Removal {
  readonly remover: Remover;
  /** Begins to erase what was deleted, while this server holds that job. */
  startErasing(): void;
}

/** Removal on the threads of a database. */
export function coordinateRemoval(
  removing: Removing,
  { writer: thread, readers }: Pick<StoreThreads, 'writer' | 'readers'>,
  coordination: Coordination,
  onError: RemovalOptions['onError'],
): Removal {
  const writer: DeletionCalls = {
    deleteProject: (...input) => thread.call('deleteProject', input),
    beginDeletion: (...input) => thread.call('beginDeletion', input),
    hideNext: (...input) => thread.call('hideNext', input),
    deleteSpan: (...input) => thread.call('deleteSpan', input),
    erase: (...input) => thread.call('erase', input),
    advanceDeletion: (...input) => thread.call('advanceDeletion', input),
    moveTraces: (...input) => thread.call('moveTraces', input),
    followTraces: (...input) => thread.call('followTraces', input),
    moveNextSpans: (...input) => thread.call('moveNextSpans', input),
    sweepItems: (...input) => thread.call('sweepItems', input),
    giveBackPages: (...input) => thread.call('giveBackPages', input),
  };
  const { onTouched } = removing;
  const remover = new Remover({ writer, onTouched, wakeEraser: () => coordination.wake('removal') });
  coordination.onMessage((message) => {
    if (message.kind === 'erased') remover.noteErased(message.deletionRowId);
  });
  const erase = () => {
    const job = removalJob({
      ...removing,
      writer,
      plan: (...input) => readers.callUnrefused('planRemoval', input),
      isBusy: () => thread.pendingCount > 0,
      onAllErased: (deletionRowId) => {
        remover.noteErased(deletionRowId);
        coordination.tell({ kind: 'erased', deletionRowId });
      },
      onError,
    });
    job.wake();
    return job;
  };
  return { remover, startErasing: () => coordination.serve('removal', erase) };
}
